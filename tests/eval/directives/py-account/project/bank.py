"""Accounts with whole amounts."""


class Bank:
    def __init__(self):
        self.balances = {}

    def open(self, name):
        self.balances[name] = 0

    def deposit(self, name, amount):
        self.balances[name] += amount

    def transfer(self, source, target, amount):
        self.balances[source] -= amount
        self.balances[target] += amount
