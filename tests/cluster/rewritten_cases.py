"""Graphs that TensorFlow's optimizer rewrites before they reach a worker, and their values.

As a program, `KIND TARGET DEVICE` with KIND tensorflow or tfmini, it prints the values as JSON.
"""

import json
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
if sys.argv[1] == "tensorflow":
    import tensorflow as tf
else:
    import tfmini as tf
import numpy as np


def numbers(*shape):
    return np.cos(np.arange(np.prod(shape)) * 0.7).astype("f").reshape(shape)


def fed(*shape):
    return tf.placeholder_with_default(numbers(*shape), [None, *shape[1:]])


def weights(*shape):
    return tf.get_variable(f"w{len(tf.global_variables())}", initializer=numbers(*shape))


ACTIVATIONS = [tf.identity, tf.nn.relu, tf.nn.relu6, tf.nn.elu]


def dense():
    x, w, b = fed(4, 8), weights(8, 6) * 3.0, weights(6)
    transposed = tf.matmul(x, fed(6, 8), transpose_b=True)
    return [act(tf.nn.bias_add(tf.matmul(x, w), b)) for act in ACTIVATIONS] + [
        tf.nn.bias_add(transposed, b)
    ]


def conv():
    x, w, b = fed(2, 8, 8, 3), weights(3, 3, 3, 6) * 3.0, weights(6)
    strided = tf.nn.conv2d(x, w, 2, [[0, 0], [1, 2], [2, 1], [0, 0]])
    return [act(tf.nn.bias_add(tf.nn.conv2d(x, w, 1, "SAME"), b)) for act in ACTIVATIONS] + [
        tf.nn.bias_add(strided, b)
    ]


def normalized():
    x, w = fed(2, 8, 8, 3), weights(3, 3, 3, 6)
    scale, shift = tf.constant(numbers(6)), tf.constant(numbers(6) * 2.0)
    mean, variance = tf.constant(numbers(6) * 0.1), tf.constant(np.abs(numbers(6)))
    return [
        act(
            tf.nn.fused_batch_norm(
                tf.nn.conv2d(x, w, 1, "SAME"), scale, shift, mean, variance, 0.01, is_training=False
            )[0]
        )
        for act in ACTIVATIONS
    ]


def trained():
    y = tf.layers.dense(fed(4, 8), 5, tf.nn.relu, kernel_initializer=tf.ones_initializer())
    loss = tf.reduce_mean(
        tf.square(tf.layers.dense(y, 2, kernel_initializer=tf.ones_initializer()))
    )
    gradients = tf.gradients(loss, tf.trainable_variables()[-4:])
    return [loss, *gradients]


def unary():
    x = tf.abs(fed(4, 8)) + 0.1
    chain = tf.sqrt(tf.exp(tf.tanh(tf.abs(tf.sin(tf.cos(x))))))
    return [chain, tf.log(tf.exp(tf.rsqrt(x))), tf.sigmoid(tf.nn.elu(tf.nn.relu(-x)))]


def stacked():
    x = fed(3, 2)
    return [
        tf.parallel_stack([x[0] * 2.0, x[1], x[2]]),
        tf.parallel_stack([x[1] * 2.0]),
        tf.accumulate_n([x, x * x, x]),
    ]


def switched():
    x, values = tf.placeholder_with_default(3.0, []), []
    for number in (-1, 0, 1, 2, 7):
        index = tf.placeholder_with_default(number, [])
        branches = [
            lambda: x * 2.0,
            lambda: tf.square(x),
            lambda: tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * x), [0, x])[1],
        ]
        value = tf.switch_case(index, branches)
        values += [value, tf.gradients(value, x)[0]]
    return values


def called():
    @tf.contrib.eager.defun
    def of_both(x, w, b):
        return tf.sin(tf.cos(tf.nn.relu(tf.nn.bias_add(tf.matmul(x, w), b))))

    x, w, b = fed(4, 8), weights(8, 6), weights(6)
    values = tf.map_fn(lambda row: of_both(row[tf.newaxis], w, b), x)
    data = tf.data.Dataset.from_tensors(numbers(2, 8)).map(
        lambda x: tf.nn.elu(tf.nn.bias_add(tf.matmul(x, numbers(8, 6)), numbers(6)))
    )
    return [values, tf.data.experimental.get_single_element(data)]


def recurrent():
    cell = tf.nn.rnn_cell.LSTMCell(4, initializer=tf.ones_initializer())
    out, _ = tf.nn.dynamic_rnn(cell, fed(4, 5, 3), dtype=tf.float32)
    return [out, tf.gradients(out, tf.trainable_variables()[-2:])[0]]


CASES = [dense, conv, normalized, trained, unary, stacked, switched, called, recurrent]


def mismatch():
    """A failing node; when fused, it has the name of the activation."""
    w = tf.placeholder_with_default(numbers(7, 6), [None, None])
    product = tf.matmul(fed(4, 8), w, name="product")
    return tf.nn.relu(tf.nn.bias_add(product, numbers(6)), name="fused")


if __name__ == "__main__":
    tf.logging.set_verbosity(tf.logging.ERROR)
    with tf.device(sys.argv[3]):
        made = {case.__name__: case() for case in CASES}
        bad = mismatch()
    found = {}
    with tf.Session(sys.argv[2]) as session:
        session.run(tf.global_variables_initializer())
        for name, fetches in made.items():
            options = tf.RunOptions(timeout_in_ms=30000)
            found[name] = [value.tolist() for value in session.run(fetches, options=options)]
        try:
            session.run(bad)
        except tf.errors.InvalidArgumentError as error:
            found["error"] = ["[4,8], In[1]: [7,6]" in error.message, error.op.name]
    print(json.dumps(found))
