"""Pack and Unpack: what TensorFlow refuses, and its words."""

import pytest

import tfmini as tf
from tests.ops.refusals import fails, refused

REFUSED = [
    (
        lambda t: tf.stack([t.i, t.x]),
        TypeError,
        (
            "Tensors in list passed to 'values' of 'Pack' Op have types [int32, float32] "
            "that don't all match."
        ),
    ),
    (lambda t: tf.stack([t.i, t.i], 4), ValueError, "axis = 4 not in [-3, 3)"),
    (lambda t: tf.stack([t.i, t.i], -4), ValueError, "axis = -4 not in [-3, 3)"),
    (
        lambda t: tf.stack([t.i, [1, 2]]),
        ValueError,
        (
            "Shapes must be equal rank, but are 2 and 1\n\tFrom merging shape 0 with other "
            "shapes. for 'stack_1' (op: 'Pack') with input shapes: [2,3], [2]."
        ),
    ),
    (
        lambda t: tf.stack([t.p, t.i]),
        TypeError,
        (
            "Tensors in list passed to 'values' of 'Pack' Op have types [float32, int32] "
            "that don't all match."
        ),
    ),
    (
        lambda t: tf.stack([tf.constant(1), 2.5]),
        TypeError,
        (
            "Tensors in list passed to 'values' of 'Pack' Op have types [int32, float32] "
            "that don't all match."
        ),
    ),
    (
        lambda t: tf.stack([2.5, tf.constant(1)]),
        TypeError,
        (
            "Tensors in list passed to 'values' of 'Pack' Op have types [float32, int32] "
            "that don't all match."
        ),
    ),
    (lambda t: tf.unstack(t.p), ValueError, "Cannot infer num from shape (?, 3)"),
    (lambda t: tf.unstack(t.q), ValueError, "Cannot infer num from shape <unknown>"),
    (lambda t: tf.unstack(t.i, axis=2), ValueError, "axis = 2 not in [-2, 2)"),
    (
        lambda t: tf.unstack(t.i, num=3),
        ValueError,
        ("Dimension must be 3 but is 2 for 'unstack' (op: 'Unpack') with input shapes: [2,3]."),
    ),
    (lambda t: tf.unstack(3), ValueError, "axis = 0 not in [0, 0)"),
]

FAILING = [
    (
        lambda t: tf.stack([t.q, t.r]),
        {"r": [1.0]},
        ("Shapes of all inputs must match: values[0].shape = [1,4] != values[1].shape = [1]"),
    ),
    (lambda t: tf.stack([t.q, t.r], axis=3), {"r": [[1, 2, 3, 4]]}, "axis = 3 not in [-3, 3)"),
    (lambda t: tf.stack([t.q, t.r], axis=-4), {"r": [[1, 2, 3, 4]]}, "axis = -4 not in [-3, 3)"),
    (lambda t: tf.unstack(t.q, num=2), {}, "Input shape axis 0 must equal 2, got shape [1,4]"),
    (lambda t: tf.unstack(t.q, num=2, axis=5), {}, "axis = 5 not in [-2, 2)"),
]


@pytest.mark.parametrize("make, error, text", REFUSED)
def test_is_refused(make, error, text):
    refused(make, error, text)


@pytest.mark.parametrize("make, feed, text", FAILING)
def test_fails_when_run(make, feed, text):
    fails(make, feed, text)


def test_lists_become_one_pack(graph):
    one = tf.constant(1)
    with tf.name_scope("outer"):
        tensor = tf.convert_to_tensor([[one, 2], [3, 4]])
    assert tensor.name == "outer/packed:0"
    made = [(op.name, op.type) for op in graph.get_operations()[1:]]
    assert made == [
        ("outer/packed/0/1", "Const"),
        ("outer/packed/0", "Pack"),
        ("outer/packed/1_1", "Const"),
        ("outer/packed", "Pack"),
    ]
    with tf.Session() as session:
        assert session.run(tensor).tolist() == [[1, 2], [3, 4]]


CONVERSIONS = [
    (
        lambda: [tf.constant(1), tf.constant(2.0)],
        "Cannot convert a list containing a tensor of dtype <dtype: 'float32'> to <dtype: 'int32'> "
        "(Tensor is: <tf.Tensor 'Const_1:0' shape=() dtype=float32>)",
    ),
    (
        lambda: [tf.constant(1), 2.5],
        "Expected int32, got 2.5 of type 'float' instead.",
    ),
    (
        lambda: [tf.constant(1), "x"],
        "Expected int32, got 'x' of type 'str' instead.",
    ),
]


@pytest.mark.parametrize("make, text", CONVERSIONS)
def test_lists_of_mixed_kinds(make, text):
    with pytest.raises(TypeError) as caught:
        tf.convert_to_tensor(make())
    assert str(caught.value) == text


def test_asked_for_dtype_casts_the_tensors(graph):
    tensor = tf.convert_to_tensor([tf.constant(1), tf.constant(2)], dtype=tf.float32)
    assert [op.type for op in graph.get_operations()[2:]] == ["Cast", "Cast", "Pack"]
    assert tensor.dtype == tf.float32
