"""Whether layers, datasets and models behave as in TensorFlow 2, as set by `tf.enable_v2_behavior`."""

from __future__ import annotations

_is_enabled = False


def enable() -> None:
    """Enables TensorFlow 2 behavior; `tf.enable_v2_behavior` also sets the other switches."""
    global _is_enabled
    _is_enabled = True


def disable() -> None:
    """Restores TensorFlow 1 behavior, the default."""
    global _is_enabled
    _is_enabled = False


def enabled() -> bool:
    """Whether TensorFlow 2 behavior is enabled."""
    return _is_enabled
