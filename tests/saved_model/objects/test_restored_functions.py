"""Functions of loaded objects."""

import functools

import pytest

import tfmini as tf
from tests.saved_model.objects.conftest import FLOAT


def test_trace_selection(loaded):
    assert loaded.scaled(tf.constant(2.0)).numpy() == 9.0
    assert loaded.scaled(x=2).numpy() == 9.0
    result = loaded.power([3, 4])
    assert result["s"].numpy().tolist() == [9.0, 16.0]
    assert result["l"].numpy().tolist() == [10, -1]
    assert result["c"].numpy() == 2.0
    assert loaded.power(tf.constant([3, 4]), k=3)["s"].numpy().tolist() == [27, 64]
    with pytest.raises(ValueError, match="Could not find matching function to call loaded") as no:
        loaded.power(tf.constant([3.0, 4.0]), 7)
    assert "Option 2:\n  Positional arguments (2 total):\n    * TensorSpec(shape=(2,)" in str(
        no.value
    )


def test_gradients_of_nested_functions(tmp_path):
    root = tf.train.Checkpoint(w=tf.Variable(1.0), b=tf.Variable(0.0))
    product = tf.function(lambda x, y: x * y, input_signature=[FLOAT, FLOAT])
    inner = tf.function(lambda x: product(root.w.read_value(), x) + root.b, input_signature=[FLOAT])
    root.f = tf.function(lambda x: inner(x) + root.b, input_signature=[FLOAT])
    tf.saved_model.save(root, str(tmp_path / "one"))
    loaded = tf.saved_model.load_v2(str(tmp_path / "one"))
    tf.saved_model.save(loaded, str(tmp_path / "two"))
    for result in (loaded, tf.saved_model.load_v2(str(tmp_path / "two"))):
        with tf.GradientTape() as tape:
            y = result.f(tf.constant(3.5))
        assert [g.numpy() for g in tape.gradient(y, [result.w, result.b])] == [3.5, 2.0]


def test_bound_arguments(tmp_path):
    model = tf.Module()
    model.sum = tf.function(functools.partial(lambda x, y: x + y, x=tf.zeros([1]), y=tf.ones([1])))
    assert model.sum().numpy() == 1
    tf.saved_model.save(model, str(tmp_path / "m"))
    assert tf.saved_model.load_v2(str(tmp_path / "m")).sum().numpy() == 1
