"""YAML configurations, with numpy arrays as written by TensorFlow 1.15.5."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.models.keras.saving.yaml_configs import from_yaml, to_yaml

pytest.importorskip("yaml")

# yaml.dump({"value": np.array([[1., 2.], [3., 4.], [5., 6.]], "f"), "one": np.float32(2)}) of numpy 1.18
_OF_NUMPY_1 = """\
one: !!python/object/apply:numpy.core.multiarray.scalar
- &id001 !!python/object/apply:numpy.dtype
  args:
  - f4
  - 0
  - 1
  state: !!python/tuple
  - 3
  - <
  - null
  - null
  - null
  - -1
  - -1
  - 0
- !!binary |
  AAAAQA==
value: !!python/object/apply:numpy.core.multiarray._reconstruct
  args:
  - !!python/name:numpy.ndarray ''
  - !!python/tuple
    - 0
  - !!binary |
    Yg==
  state: !!python/tuple
  - 1
  - !!python/tuple
    - 3
    - 2
  - *id001
  - false
  - !!binary |
    AACAPwAAAEAAAEBAAACAQAAAoEAAAMBA
"""


def test_numpy_1_arrays_are_read():
    result = from_yaml(_OF_NUMPY_1)
    assert result["one"] == np.float32(2.0)
    assert result["value"].dtype == np.float32
    np.testing.assert_array_equal(result["value"], [[1, 2], [3, 4], [5, 6]])


@pytest.mark.parametrize("dtype", ["<f8", ">i4", "?", "u1"])
@pytest.mark.parametrize("order", "CF")
def test_yaml_round_trip(dtype, order):
    value = np.array([[1, 0, 2], [3, 4, 5]], dtype, order=order)
    text = to_yaml({"value": value})
    assert "numpy._core" not in text
    result = from_yaml(text)["value"]
    assert result.dtype == value.dtype
    np.testing.assert_array_equal(result, value)


def test_object_arrays_are_refused():
    text = to_yaml({"value": np.array([None, "x"])})
    with pytest.raises(ValueError, match="OBJECT array|object arrays"):
        from_yaml(text)


def test_model_round_trip():
    ones = tf.keras.initializers.Constant(np.ones((3, 2)))
    dense = tf.keras.layers.Dense(2, input_shape=(3,), kernel_initializer=ones)
    model = tf.keras.Sequential([dense])
    restored = tf.keras.models.model_from_yaml(model.to_yaml())
    value = restored.layers[0].kernel_initializer.value
    np.testing.assert_array_equal(value, np.ones((3, 2)))
