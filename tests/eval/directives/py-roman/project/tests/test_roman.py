import unittest

from numerals.roman import to_roman


class Roman(unittest.TestCase):
    def test_it_is_written(self):
        self.assertEqual(to_roman(1994), "MCMXCIV")


if __name__ == "__main__":
    unittest.main()
