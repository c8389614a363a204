"""tf.contrib.cudnn_rnn: cells with cuDNN's formulas, unrolled, with gradients; shared variables."""

import numpy as np


def build(tf):
    cudnn = tf.contrib.cudnn_rnn
    x = tf.placeholder(tf.float32, [2, 3, 4], name="x")
    start = tf.random_uniform_initializer(-0.5, 0.5, seed=3)
    with tf.variable_scope("net", initializer=start):
        gru = cudnn.CudnnCompatibleGRUCell(3)
        outputs, state = tf.nn.dynamic_rnn(gru, x, dtype=tf.float32, scope="gru")
        other = cudnn.CudnnCompatibleGRUCell(3, kernel_initializer=tf.ones_initializer())
        static, _ = tf.nn.static_rnn(other, tf.unstack(x, axis=1), dtype=tf.float32, scope="static")
        lstm = cudnn.CudnnCompatibleLSTMCell(3)
        more, last = tf.nn.dynamic_rnn(lstm, x, dtype=tf.float32, scope="lstm")
        again = cudnn.CudnnCompatibleLSTMCell(3, reuse=True)
        with tf.variable_scope("lstm"):
            shared, _ = again(x[:, 0], last)
    loss = tf.reduce_sum(outputs * more) + tf.reduce_sum(static[-1]) + tf.reduce_sum(shared)
    variables = tf.trainable_variables()
    feed = {x: np.random.RandomState(1).randn(2, 3, 4)}
    return {
        "facts": {"variables": [v.name for v in variables], "sizes": str(lstm.state_size)},
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("values", [outputs, state, static, more, last, shared], feed),
            ("gradients", tf.gradients(loss, [x] + variables), feed),
        ],
    }
