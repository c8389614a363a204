"""`tensorflow.python.pywrap_tensorflow`: what of it has no public name."""

from __future__ import annotations

from tfmini import dtypes

__all__ = ["TF_bfloat16_type"]


def TF_bfloat16_type() -> type:
    """numpy's type of bfloat16."""
    return dtypes.bfloat16.as_numpy_dtype
