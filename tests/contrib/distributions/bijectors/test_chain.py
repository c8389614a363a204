"""Dtypes of bijector chains, including bijectors without one."""

from types import SimpleNamespace

import pytest

import tfmini as tf
from tfmini._src.contrib.distributions.bijectors.chain import _common_dtype


def test_conflicting_dtypes_are_refused():
    parts = [SimpleNamespace(dtype=dtype) for dtype in (tf.float32, tf.float64, None)]
    with pytest.raises(ValueError, match="incompatible dtypes"):
        _common_dtype(parts)
