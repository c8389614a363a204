"""Messages received over a line, for tests."""

from functools import partial
from queue import SimpleQueue


def messages(framed, most=None):
    """The messages received over a line until it is lost."""
    came = SimpleQueue()
    framed.listen(came.put, lambda: came.put(None), most)
    return iter(partial(came.get, timeout=60), None)
