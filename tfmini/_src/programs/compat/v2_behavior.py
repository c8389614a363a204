"""Switches between TensorFlow 1 and 2. tfmini has TensorFlow 1's behaviour.

Functions that select it do nothing, functions that select TensorFlow 2's raise RuntimeError.
"""

from __future__ import annotations


def disable_v2_behavior() -> None:
    """Does nothing: this is TensorFlow 1's behaviour."""


def enable_v2_behavior() -> None:
    """Raises RuntimeError: tfmini has TensorFlow 1's behaviour only."""
    raise RuntimeError(
        "tfmini has the behaviour of TensorFlow 1 only: remove tf.enable_v2_behavior()."
    )


def control_flow_v2_enabled() -> bool:
    """False: conditions and loops are Switch, Merge, Enter and Exit nodes."""
    return False


def disable_control_flow_v2() -> None:
    """Does nothing: conditions and loops are Switch, Merge, Enter and Exit nodes."""


def enable_control_flow_v2() -> None:
    """Raises RuntimeError: graphs hold TensorFlow 1's control flow."""
    raise RuntimeError("tfmini builds the control flow of TensorFlow 1 only.")


def disable_tensor_equality() -> None:
    """Does nothing: `==` of tensors compares identity."""


def enable_tensor_equality() -> None:
    """Raises RuntimeError: use tf.equal to compare values."""
    raise RuntimeError("`==` of tensors compares identity: use tf.equal to compare values.")
