"""TensorSpec and sparse specs: compatibility and repr."""

import copy
import pickle

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.graph import type_spec
from tfmini._src.graph.type_spec import type_spec_from_value


@pytest.fixture
def sparse():
    return tf.SparseTensor([[0, 0]], [1.0], [2, 2])


def test_tensor_spec():
    spec = tf.TensorSpec([None, 2], tf.float32, "n")
    assert repr(spec) == "TensorSpec(shape=(?, 2), dtype=tf.float32, name='n')"
    assert (spec.shape.as_list(), spec.dtype, spec.name) == ([None, 2], tf.float32, "n")
    assert spec == tf.TensorSpec([None, 2], tf.float32, "n") != tf.TensorSpec([None, 2])
    assert hash(spec) == hash(copy.deepcopy(spec))
    assert pickle.loads(pickle.dumps(spec)) == spec
    assert spec.is_compatible_with(tf.ones([3, 2]))
    assert not spec.is_compatible_with(tf.ones([3, 3]))
    assert not spec.is_compatible_with(tf.ones([3, 2], tf.int32))
    assert tf.TensorSpec.from_spec(spec, "m").name == "m"
    assert tf.TensorSpec.from_tensor(tf.ones([2], name="o")).name == "o"
    with pytest.raises(ValueError, match="`tensor` should be a tf.Tensor"):
        tf.TensorSpec.from_tensor(1)


def test_specs_of_values(sparse):
    assert type_spec_from_value(sparse) == sparse._type_spec
    assert type_spec_from_value(np.zeros([2, 3], "f")) == tf.TensorSpec([2, 3])
    with pytest.raises(TypeError, match="Could not build a TypeSpec for .* with type object"):
        type_spec_from_value(object())


def test_tensor_spec_converts_values():
    result = tf.TensorSpec([2], tf.float64)._to_components([1, 2])
    assert result.dtype == tf.float64 and result.shape == [2]
    for value in ([1, 2, 3], ["a", "b"]):
        with pytest.raises(ValueError, match="is not convertible to a tensor with dtype .*float64"):
            tf.TensorSpec([2], tf.float64)._to_components(value)


class Pair:
    """Two numbers with a user-defined conversion to a tensor."""


class PairSpec(tf.TypeSpec):
    value_type = property(lambda self: Pair)

    def _serialize(self):
        return ()


def test_registered_type_spec_converters(monkeypatch):
    monkeypatch.setattr(type_spec, "_converters", [])
    type_spec.register_type_spec_from_value_converter(Pair, lambda value: PairSpec())
    assert type_spec.type_spec_from_value(Pair()) == PairSpec()

    class Derived(Pair):
        pass

    with pytest.raises(TypeError, match="Could not build a TypeSpec for"):
        type_spec.type_spec_from_value(Derived())
    type_spec.register_type_spec_from_value_converter(Pair, lambda value: PairSpec(), True)
    assert type_spec.type_spec_from_value(Derived()) == PairSpec()


def test_stackable_lists():
    with tf.Graph().as_default():
        stacked = type_spec.type_spec_from_value([tf.zeros([2, 3]), tf.zeros([4, 3])])
        assert stacked == tf.TensorSpec([2, None, 3], tf.float32)
        assert type_spec.type_spec_from_value([1.0, 2.0]) == tf.TensorSpec([2], tf.float32)
