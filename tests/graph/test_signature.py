"""Op functions: name, signature, docstring, and Python's errors for wrong calls."""

import inspect

import pytest

import tfmini as tf
from tfmini._src.graph.opdef import raw


def test_name_and_signature():
    assert raw.BatchMatMulV2.__name__ == "batch_mat_mul_v2"
    assert raw.L2Loss.__name__ == "l2_loss"
    signature = inspect.signature(raw.Cast)
    assert str(signature) == "(x, DstT, Truncate=False, name=None)"
    assert str(inspect.signature(raw.LeakyRelu)) == "(features, alpha=0.2, name=None)"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: raw.Relu(), "relu() missing 1 required positional argument: 'features'"),
        (lambda: raw.MatMul(), "mat_mul() missing 2 required positional arguments: 'a' and 'b'"),
        (
            lambda: raw.ClipByValue(),
            "clip_by_value() missing 3 required positional arguments: 't', 'clip_value_min', and "
            "'clip_value_max'",
        ),
        (lambda: raw.Cast(1.0), "cast() missing 1 required positional argument: 'DstT'"),
        (
            lambda: raw.Relu(1, 2, 3),
            "relu() takes from 1 to 2 positional arguments but 3 were given",
        ),
        (
            lambda: raw.Cast(1.0, tf.int32, False, "n", 5),
            "cast() takes from 2 to 4 positional arguments but 5 were given",
        ),
        (lambda: raw.Relu(1.0, T=3), "relu() got an unexpected keyword argument 'T'"),
        (lambda: raw.Relu(1.0, features=2), "relu() got multiple values for argument 'features'"),
        (lambda: raw.Relu(1.0, "a", name="b"), "relu() got multiple values for argument 'name'"),
    ],
)
def test_invalid_calls(call, message):
    """Each message equals that of TensorFlow 1.15.5's generated function for the same call."""
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value) == message


def test_reference_dtype_as_attr():
    assert raw.Placeholder(dtype=tf.as_dtype("float32_ref")).op.get_attr("dtype") is tf.float32


def test_positional_and_keyword_calls_are_equivalent():
    calls = [
        raw.Cast(1.5, tf.int32, True, "n"),
        raw.Cast(1.5, tf.int32, Truncate=True, name="n"),
        raw.Cast(x=1.5, DstT=tf.int32, Truncate=True, name="n"),
        raw.Cast(name="n", Truncate=True, DstT=tf.int32, x=1.5),
    ]
    assert [t.op.name for t in calls] == ["n", "n_1", "n_2", "n_3"]
    assert {(t.op.get_attr("DstT"), t.op.get_attr("Truncate")) for t in calls} == {(tf.int32, True)}
