"""Dtypes of bijector chains, including bijectors without one."""

from types import SimpleNamespace

import pytest

import tfmini as tf
from tfmini._src.contrib.distributions.bijectors.chain import _common_dtype


@pytest.mark.parametrize("dtype", [tf.float16, tf.float32, tf.float64, tf.int32, tf.int64])
def test_common_dtype(dtype):
    none, some = SimpleNamespace(dtype=None), SimpleNamespace(dtype=dtype)
    assert _common_dtype([none, some]) is _common_dtype([some, none]) is dtype
    assert _common_dtype([some, some]) is dtype and _common_dtype([none]) is None


def test_conflicting_dtypes_are_refused():
    parts = [SimpleNamespace(dtype=dtype) for dtype in (tf.float32, tf.float64, None)]
    with pytest.raises(ValueError, match="incompatible dtypes"):
        _common_dtype(parts)
