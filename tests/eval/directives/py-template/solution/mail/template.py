"""Texts with places for values."""
import re

PLACE = re.compile(r"\{\{|\}\}|\{(\w+)(?:\|([^{}]*))?\}")


class MissingValue(KeyError):
    """Names of the text without a value."""

    def __init__(self, names):
        super().__init__(", ".join(names))
        self.names = names


def names(text):
    """The names that a text needs, in order, each once."""
    found = [place[1] for place in PLACE.finditer(text) if place[1] and place[2] is None]
    return list(dict.fromkeys(found))


def render(text, values):
    """The text with the values put in; raises MissingValue with all that have none."""
    missing = [name for name in names(text) if name not in values]
    if missing:
        raise MissingValue(missing)

    def put(place):
        if place[1] is None:
            return place[0][0]
        return str(values.get(place[1], place[2]))

    return PLACE.sub(put, text)
