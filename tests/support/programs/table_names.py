"""Tables whose names are random otherwise, named in the order in which they are made."""

import contextlib
import itertools
import uuid


@contextlib.contextmanager
def in_order():
    """A block in which `uuid.uuid4` counts."""
    count = itertools.count()
    given, uuid.uuid4 = uuid.uuid4, lambda: "table-" + str(next(count))
    try:
        yield
    finally:
        uuid.uuid4 = given
