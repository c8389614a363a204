"""Whether layers, datasets and models behave as in TensorFlow 2, as `tf.enable_v2_behavior` has it."""

from __future__ import annotations

_is_enabled = False


def enable() -> None:
    """Has them behave so. `tf.enable_v2_behavior` throws the other switches, too."""
    global _is_enabled
    _is_enabled = True


def disable() -> None:
    """The default."""
    global _is_enabled
    _is_enabled = False


def enabled() -> bool:
    """Whether they do."""
    return _is_enabled
