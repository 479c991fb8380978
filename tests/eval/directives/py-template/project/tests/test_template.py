import unittest

from mail.template import render


class Template(unittest.TestCase):
    def test_a_value_is_put_in(self):
        self.assertEqual(render("Dear {name}", {"name": "Ann"}), "Dear Ann")


if __name__ == "__main__":
    unittest.main()
