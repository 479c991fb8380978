"""Accounts with whole amounts."""


class Bank:
    def __init__(self):
        self.balances = {}
        self._events = {}

    def open(self, name):
        self.balances[name] = 0
        self._events[name] = []

    def deposit(self, name, amount):
        self._book(name, "deposit", amount)

    def transfer(self, source, target, amount):
        """Moves the amount; raises KeyError or ValueError, and changes nothing, where that cannot be."""
        for name in (source, target):
            if name not in self.balances:
                raise KeyError(name)
        if type(amount) is not int or amount <= 0:
            raise ValueError(f"{amount!r} is not a whole amount above 0")
        if source == target:
            raise ValueError(f"from {source} to itself")
        if amount > self.balances[source]:
            raise ValueError(f"{source} has less than {amount}")
        self._book(source, f"to {target}", -amount)
        self._book(target, f"from {source}", amount)

    def history(self, name):
        return list(self._events[name])

    def _book(self, name, what, amount):
        self.balances[name] += amount
        self._events[name].append((what, amount))
