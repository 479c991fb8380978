import unittest

from bank import Bank


def opened():
    bank = Bank()
    bank.open("ann")
    bank.open("bob")
    bank.deposit("ann", 50)
    return bank


class Hidden(unittest.TestCase):
    def refused(self, error, *transfer):
        bank = opened()
        with self.assertRaises(error):
            bank.transfer(*transfer)
        self.assertEqual(bank.balances, {"ann": 50, "bob": 0})
        self.assertEqual(bank.history("ann"), [("deposit", 50)])

    def test_refused(self):
        self.refused(KeyError, "ann", "eve", 10)
        self.refused(KeyError, "eve", "ann", 10)
        for amount in [0, -5, 1.5, "5", True, 51]:
            self.refused(ValueError, "ann", "bob", amount)
        self.refused(ValueError, "ann", "ann", 10)

    def test_history(self):
        bank = opened()
        bank.transfer("ann", "bob", 20)
        self.assertEqual(bank.history("ann"), [("deposit", 50), ("to bob", -20)])
        self.assertEqual(bank.history("bob"), [("from ann", 20)])
        bank.history("bob").clear()
        self.assertEqual(bank.history("bob"), [("from ann", 20)])
        with self.assertRaises(KeyError):
            bank.history("eve")
