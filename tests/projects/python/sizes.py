"""Sizes of files as people read them."""

import humanize


def size(count):
    """The size of a file.

    >>> size(2_000_000)
    '2.0 MB'
    """
    return humanize.naturalsize(count)
