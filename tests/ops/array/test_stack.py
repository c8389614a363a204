"""Pack and Unpack: TensorFlow's errors for invalid calls."""

import pytest

import tfmini as tf


def test_nested_lists_become_one_pack(graph):
    one = tf.constant(1)
    with tf.name_scope("outer"):
        tensor = tf.convert_to_tensor([[one, 2], [3, 4]])
    assert tensor.name == "outer/packed:0"
    created = [(op.name, op.type) for op in graph.get_operations()[1:]]
    assert created == [
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
def test_lists_of_mixed_types_are_refused(make, text):
    with pytest.raises(TypeError) as caught:
        tf.convert_to_tensor(make())
    assert str(caught.value) == text


def test_requested_dtype_casts_tensors(graph):
    tensor = tf.convert_to_tensor([tf.constant(1), tf.constant(2)], dtype=tf.float32)
    assert [op.type for op in graph.get_operations()[2:]] == ["Cast", "Cast", "Pack"]
    assert tensor.dtype == tf.float32
