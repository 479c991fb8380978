import unittest

from numerals.roman import from_roman, to_roman


class Hidden(unittest.TestCase):
    def test_all(self):
        for n in range(1, 4000):
            self.assertEqual(from_roman(to_roman(n)), n)
        self.assertEqual(from_roman("mcmxciv"), 1994)

    def test_none(self):
        for text in ["", "IIII", "VX", "IC", "IVI", "MMMM", "A", "X X", " X", "XM"]:
            with self.assertRaisesRegex(ValueError, text):
                from_roman(text)

    def test_range(self):
        for n in [0, -1, 4000]:
            with self.assertRaises(ValueError):
                to_roman(n)
