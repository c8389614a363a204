"""`tf.layers.experimental`: Keras-style layers, whose weights are not shared through variable scopes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

_on = False


@contextmanager
def keras_style_scope() -> Iterator[None]:
    """Context manager in which layers and cells create separate weights on their first call.

    Variable scopes neither name nor share the weights; `scope` and `reuse` are rejected.
    """
    global _on
    before, _on = _on, True
    try:
        yield
    finally:
        _on = before


def set_keras_style() -> None:
    """Makes all subsequently created layers and cells behave as in `keras_style_scope`."""
    global _on
    _on = True


def keras_style_is_on() -> bool:
    """Whether a layer created now has separate weights."""
    return _on
