"""Texts with places for values."""


def render(text, values):
    """The text with the values put in."""
    for name, value in values.items():
        text = text.replace("{" + name + "}", str(value))
    return text
