"""`tf.layers.experimental`: layers whose weights no variable scope shares, as Keras does it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

_on = False


@contextmanager
def keras_style_scope() -> Iterator[None]:
    """Layers and cells made in the block make weights of their own at their first call.

    Variable scopes neither name nor share them; `scope` and `reuse` are refused.
    """
    global _on
    before, _on = _on, True
    try:
        yield
    finally:
        _on = before


def set_keras_style() -> None:
    """All layers and cells made from now on are as in `keras_style_scope`."""
    global _on
    _on = True


def keras_style_is_on() -> bool:
    """Whether a layer made now makes weights of its own."""
    return _on
