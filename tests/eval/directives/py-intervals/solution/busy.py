"""Spans of minutes that somebody is busy in, each a pair (start, end)."""


def merge(spans):
    """Spans that overlap or touch, brought together; raises ValueError for one that ends before it starts."""
    merged = []
    for start, end in sorted(spans):
        if end < start:
            raise ValueError(f"({start}, {end}) ends before it starts")
        if start == end:
            continue
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def free(spans, start, end, least=1):
    """The gaps within start and end that no span covers, of at least so many minutes."""
    gaps = []
    at = start
    for begins, ends in merge(spans):
        until = min(begins, end)
        if until - at >= least:
            gaps.append((at, until))
        at = max(at, ends)
    if end - at >= least:
        gaps.append((at, end))
    return gaps
