"""Dataset functions that return no dataset: TensorFlow 1.15.5's errors."""

import pytest

import tfmini as tf
from tfmini.compat.python.framework.function import Defun


def number(x):
    return x + 1


def two_numbers(x):
    return x, x


def a_list(x):
    return tf.raw_ops.EmptyTensorList(
        element_shape=tf.constant([], tf.int32), max_num_elements=3, element_dtype=tf.float32
    )


@pytest.mark.parametrize(
    "function, message",
    [
        (number, "Function must return a single scalar of dtype DT_VARIANT."),
        (two_numbers, "Function must return a single scalar of dtype DT_VARIANT."),
        (a_list, "Tensor must be a Dataset object."),
    ],
)
def test_function_returning_no_dataset_is_refused(session, function, message):
    elements = {"output_types": [tf.int64], "output_shapes": [[]]}
    mapped = tf.raw_ops.FlatMapDataset(
        input_dataset=tf.data.Dataset.range(2)._variant_tensor,
        other_arguments=[],
        f=Defun(tf.int64)(function),
        **elements,
    )
    iterator = tf.raw_ops.Iterator(shared_name="", container="", **elements)
    session.run(tf.raw_ops.MakeIterator(dataset=mapped, iterator=iterator))
    with pytest.raises(tf.errors.InvalidArgumentError, match=f"^{message}"):
        session.run(tf.raw_ops.IteratorGetNext(iterator=iterator, **elements))
