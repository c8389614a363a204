"""`tf.layers.experimental`: Keras-style layers, whose weights no variable scope shares."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

_on = False


@contextmanager
def keras_style_scope() -> Iterator[None]:
    """Context manager in which layers and cells create their own weights on their first call.

    Variable scopes neither name nor share them; `scope` and `reuse` are refused.
    """
    global _on
    before, _on = _on, True
    try:
        yield
    finally:
        _on = before


def set_keras_style() -> None:
    """Makes all layers and cells from now on behave as in `keras_style_scope`."""
    global _on
    _on = True


def keras_style_is_on() -> bool:
    """Whether a layer created now has its own weights."""
    return _on
