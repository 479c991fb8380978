import unittest

from mail.template import MissingValue, names, render


class Hidden(unittest.TestCase):
    def test_missing(self):
        with self.assertRaises(MissingValue) as caught:
            render("{b} {a} {b} {c}", {"c": 1})
        self.assertEqual(caught.exception.names, ["b", "a"])
        self.assertIsInstance(caught.exception, KeyError)

    def test_defaults(self):
        self.assertEqual(render("Dear {name|customer}", {}), "Dear customer")
        self.assertEqual(render("Dear {name|customer}", {"name": "Ann"}), "Dear Ann")
        self.assertEqual(render("a{x|}b", {}), "ab")

    def test_braces(self):
        self.assertEqual(render("{{name}} {name}", {"name": "{x}"}), "{name} {x}")
        self.assertEqual(render("{n}", {"n": 3}), "3")
        self.assertEqual(render("{a}{b}", {"a": "{b}", "b": "1"}), "{b}1")

    def test_names(self):
        self.assertEqual(names("{b} {a|x} {c} {b} {{d}}"), ["b", "c"])
