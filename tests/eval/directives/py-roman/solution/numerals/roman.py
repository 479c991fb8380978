"""Roman numerals."""

PARTS = [
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
    (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
]


def to_roman(n):
    """The numeral of a whole number from 1 to 3999; raises ValueError for others."""
    if not 1 <= n <= 3999:
        raise ValueError(f"{n} is not within 1 to 3999")
    text = ""
    for value, letters in PARTS:
        while n >= value:
            text += letters
            n -= value
    return text


def from_roman(text):
    """The number of a numeral in its usual form; raises ValueError for any other text."""
    rest, total = text.upper(), 0
    for value, letters in PARTS:
        while rest.startswith(letters):
            rest = rest[len(letters):]
            total += value
    if rest or not 1 <= total <= 3999 or to_roman(total) != text.upper():
        raise ValueError(f"not a Roman numeral: {text}")
    return total
