import unittest

from busy import merge


class Busy(unittest.TestCase):
    def test_overlapping_spans_are_one(self):
        self.assertEqual(merge([(0, 10), (5, 20)]), [(0, 20)])


if __name__ == "__main__":
    unittest.main()
