"""Global settings of `tf.keras`, such as the float dtype and data format; some libraries change them on import."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import tf2

_FLOATS = ("float16", "float32", "float64")
_ORDERS = ("channels_last", "channels_first")

_settings: dict[str, Any] = {
    "floatx": "float32",
    "epsilon": 1e-7,
    "order": "channels_last",
    "policy": None,
    "v2_dtypes": None,
}


def floatx() -> str:
    """Returns the default float dtype, "float32" unless set otherwise."""
    return _settings["floatx"]


def set_floatx(value: str) -> None:
    """Sets the default float dtype.

    Raises:
      ValueError: unless it is float16, float32 or float64.
    """
    if value not in _FLOATS:
        raise ValueError(f"Unknown floatx type: {value}")
    _settings["floatx"] = str(value)


def epsilon() -> float:
    """Returns a small constant that prevents division by zero: 1e-7 by default."""
    return _settings["epsilon"]


def set_epsilon(value: float) -> None:
    """Sets the small constant that prevents division by zero."""
    _settings["epsilon"] = value


def image_data_format() -> str:
    """Returns the default image data format, "channels_last" unless set otherwise."""
    return _settings["order"]


def set_image_data_format(data_format: str) -> None:
    """Sets the default image data format.

    Raises:
      ValueError: if it is neither channels_last nor channels_first.
    """
    if data_format not in _ORDERS:
        raise ValueError(f"Unknown data_format: {data_format}")
    _settings["order"] = str(data_format)


def default_policy() -> Any:
    """Returns the default dtype policy of layers; None for the TensorFlow 1 behavior."""
    return _settings["policy"]


def set_default_policy(policy: Any) -> None:
    """Sets the default dtype policy of layers."""
    _settings["policy"] = policy


def v2_dtype_behavior_enabled() -> bool:
    """Whether layers default to dtype `floatx` and cast their inputs to it."""
    setting = _settings["v2_dtypes"]
    return tf2.enabled() if setting is None else setting


def set_v2_dtype_behavior(enabled: bool) -> None:
    """Sets whether layers default to dtype `floatx`; otherwise, the first input determines a layer's dtype."""
    _settings["v2_dtypes"] = bool(enabled)
