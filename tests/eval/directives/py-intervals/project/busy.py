"""Spans of minutes that somebody is busy in, each a pair (start, end)."""


def merge(spans):
    """Spans that overlap, brought together."""
    spans.sort()
    merged = []
    for start, end in spans:
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged
