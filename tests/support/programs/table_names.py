"""Deterministic names for tables whose names are otherwise random, in creation order."""

import contextlib
import itertools
import uuid


@contextlib.contextmanager
def in_order():
    """Context in which `uuid.uuid4` counts up."""
    count = itertools.count()
    original, uuid.uuid4 = uuid.uuid4, lambda: "table-" + str(next(count))
    try:
        yield
    finally:
        uuid.uuid4 = original
