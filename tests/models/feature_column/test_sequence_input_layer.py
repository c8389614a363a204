"""The inputs of recurrent networks."""

import pytest

import tfmini as tf
from tfmini._src.models.feature_column.sequence_input_layer import concatenate_context_input


def test_context_is_concatenated_to_each_step():
    sequence = tf.constant([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]])
    with tf.Session() as session:
        result = session.run(concatenate_context_input(tf.constant([[10.0], [20.0]]), sequence))
    assert result.tolist() == [[[1, 2, 10], [3, 4, 10]], [[5, 6, 20], [7, 8, 20]]]


@pytest.mark.parametrize(
    "context, sequence, error, message",
    [
        (
            [[1]],
            [[[1.0]]],
            TypeError,
            "context_input must have dtype float32; got <dtype: 'int32'>",
        ),
    ],
)
def test_other_ranks_and_dtypes_are_refused(context, sequence, error, message):
    with pytest.raises(error, match=message):
        concatenate_context_input(tf.constant(context), tf.constant(sequence))
