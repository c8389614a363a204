"""Suggestions for misspelled node names."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from tfmini._src.base.names.lazy_imports import difflib

# Maximum number of candidates compared: programs look names up in loops and catch the errors.
_MAX_CANDIDATES = 200


def nearest_name(name: str, names: Iterable[str]) -> str | None:
    """Returns the closest of `names`: the same name in another scope, else the most similar one, else None."""
    last = name.rpartition("/")[2]
    similar = list(itertools.islice(_candidates(name, last, names), _MAX_CANDIDATES))
    for candidate in similar:
        if candidate.rpartition("/")[2] == last:
            return candidate
    close = difflib.get_close_matches(name, similar, n=1, cutoff=0.75)
    return close[0] if close else None


def _candidates(name: str, last: str, names: Iterable[str]) -> Iterator[str]:
    """Returns the names with the same last component, or of similar length with the same first or last two letters."""
    scoped, head, tail, size = f"/{last}", name[:2], name[-2:], len(name)
    for other in names:
        if other.endswith(scoped) or other == last:
            yield other
        elif abs(len(other) - size) <= 3 and (other.startswith(head) or other.endswith(tail)):
            yield other
