"""`tensorflow.python.ops.list_ops`, `cond_v2` and `while_v2`; the values are TensorFlow 1.15.5's."""

import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("tensorflow")


def run(fetches, **feeds):
    with tf.Session() as session:
        return session.run(fetches, feeds.get("feed_dict"))


def test_lists_push_pop_and_stack():
    from tensorflow.python.ops import gen_list_ops, list_ops

    with tf.Graph().as_default():
        handle = list_ops.empty_tensor_list([], tf.float32)
        for value in (1.0, 2.0, 3.0):
            handle = gen_list_ops.tensor_list_push_back(handle, value)
        rest, last = list_ops.tensor_list_pop_back(handle, tf.float32)
        longer = list_ops.tensor_list_set_item(rest, 3, 7.0, resize_if_index_out_of_bounds=True)
        result = [
            last,
            list_ops.tensor_list_stack(rest, tf.float32),
            list_ops.tensor_list_gather(handle, [2, 0], tf.float32),
            list_ops.tensor_list_get_item(longer, 3, tf.float32),
            gen_list_ops.tensor_list_length(longer),
        ]
        values = run(result)
    assert [np.asarray(value).tolist() for value in values] == [3.0, [1.0, 2.0], [3.0, 1.0], 7.0, 4]


def test_lists_from_rows():
    from tensorflow.python.ops import list_ops

    with tf.Graph().as_default():
        rows = list_ops.tensor_list_from_tensor([[1, 2], [3, 4]], [2])
        parts = list_ops.tensor_list_split([[1], [2], [3]], [None, 1], [2, 1])
        scattered = list_ops.tensor_list_scatter([[5, 6]], [1], [2])
        result = [
            list_ops.tensor_list_concat(parts, tf.int32),
            list_ops.tensor_list_get_item(rows, 1, tf.int32),
            list_ops.tensor_list_get_item(scattered, 1, tf.int32),
            list_ops.tensor_list_stack(
                list_ops.tensor_list_scatter([[9, 9]], [0], [2], input_handle=rows), tf.int32
            ),
            list_ops.tensor_list_stack(
                list_ops.tensor_list_reserve([2], 1, tf.int32), tf.int32, element_shape=[2]
            ),
        ]
        values = run(result)
    expected = [[[1], [2], [3]], [3, 4], [5, 6], [[9, 9], [3, 4]], [[0, 0]]]
    assert [value.tolist() for value in values] == expected


def test_cond_and_while_call_functions_in_any_graph():
    from tensorflow.python.ops import cond_v2, while_v2

    with tf.Graph().as_default() as graph:
        pred = tf.placeholder(tf.bool)  # [1, 1] is accepted
        x = tf.constant(3)
        chosen = cond_v2.cond_v2(pred, lambda: x * 2, lambda: x, name="choice")
        repeated = while_v2.while_loop(lambda i: i < 10, lambda i: i * 2, [1], name="loop")
        types = {op.name: op.type for op in graph.get_operations()}
        assert (types["choice"], types["loop"]) == ("StatelessIf", "While")
        assert run([chosen, repeated], feed_dict={pred: [[True]]}) == [6, [16]]
