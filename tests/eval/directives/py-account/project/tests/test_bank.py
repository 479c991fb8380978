import unittest

from bank import Bank


class Transfers(unittest.TestCase):
    def test_money_moves(self):
        bank = Bank()
        bank.open("ann")
        bank.open("bob")
        bank.deposit("ann", 50)
        bank.transfer("ann", "bob", 20)
        self.assertEqual(bank.balances, {"ann": 30, "bob": 20})


if __name__ == "__main__":
    unittest.main()
