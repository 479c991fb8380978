import unittest

from busy import free, merge


class Hidden(unittest.TestCase):
    def test_merge(self):
        spans = [(5, 20), (0, 30), (40, 50), (30, 35), (60, 60)]
        before = list(spans)
        self.assertEqual(merge(spans), [(0, 35), (40, 50)])
        self.assertEqual(spans, before)
        self.assertEqual(merge([]), [])

    def test_backwards(self):
        with self.assertRaises(ValueError):
            merge([(10, 5)])

    def test_free(self):
        self.assertEqual(free([(10, 20), (15, 30), (50, 90)], 0, 60), [(0, 10), (30, 50)])
        self.assertEqual(free([(10, 20), (50, 90)], 15, 60, least=31), [])
        self.assertEqual(free([(10, 20), (50, 90)], 15, 60, least=30), [(20, 50)])
        self.assertEqual(free([], 0, 60), [(0, 60)])
        self.assertEqual(free([(-5, 100)], 0, 60), [])
        self.assertEqual(free([(70, 100)], 0, 60), [(0, 60)])
