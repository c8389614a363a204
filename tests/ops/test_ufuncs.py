"""The contract of `ufunc=`: the numpy ufunc of that name is the entire kernel for floats."""

import numpy as np
import pytest

import tfmini as tf
from tests.support import cases
from tfmini._src.graph.opdef import registry

NAMED = sorted(name for name, definition in registry.items() if definition.ufunc)


@cases.in_one_test
@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_ufunc_is_the_kernel(name, dtype):
    definition = registry[name]
    values = np.array([0.25, 0.5, 0.75], dtype)
    inputs = [values, values[::-1].copy()][: len(definition.inputs)]
    attrs = {key: tf.as_dtype(dtype) for key in definition.kernel_attrs if key == "T"}
    with np.errstate(all="ignore"):
        expected = definition.kernel(np, *inputs, **attrs)
        actual = getattr(np, definition.ufunc)(*inputs)
    assert definition.elementwise
    assert actual.dtype == expected.dtype
    np.testing.assert_array_equal(actual, expected)


@cases.in_one_test
@pytest.mark.parametrize("name", NAMED)
def test_result_has_the_declared_dtype(name):
    definition = registry[name]
    signature = definition.outputs[0]
    for dtype in (tf.float16, tf.float32, tf.float64):
        if "T" not in definition.attrs or dtype not in definition.attrs["T"].allowed:
            continue
        inputs = [np.full(2, 0.5, dtype.as_numpy_dtype)] * len(definition.inputs)
        with np.errstate(all="ignore"):
            result = getattr(np, definition.ufunc)(*inputs)
        expected = dtype if signature.type_attr else signature.dtype
        assert result.dtype == expected.as_numpy_dtype
