"""Convolutional LSTM cells: sequences, images and volumes, unrolled and in loops, trained."""

import numpy as np


def build(tf):
    rnn = tf.contrib.rnn
    steps = tf.placeholder(tf.float32, [2, 3, 5, 2], name="steps")
    videos = tf.placeholder(tf.float32, [2, 3, 4, 5, 2], name="videos")
    volumes = tf.placeholder(tf.float32, [2, 3, 3, 2], name="volumes")
    one = rnn.Conv1DLSTMCell(input_shape=[5, 2], output_channels=3, kernel_shape=[2])
    two = rnn.Conv2DLSTMCell(
        input_shape=[4, 5, 2],
        output_channels=2,
        kernel_shape=[3, 3],
        forget_bias=0.5,
        use_bias=False,
    )
    three = rnn.Conv3DLSTMCell(
        input_shape=[3, 3, 2, 1], output_channels=2, kernel_shape=[2, 1, 1], name="three"
    )
    skipping = rnn.Conv2DLSTMCell(
        input_shape=[3, 3, 2], output_channels=2, kernel_shape=[1, 2], skip_connection=True
    )
    outputs, state = tf.nn.dynamic_rnn(one, steps, dtype=tf.float32)
    unrolled, _ = tf.nn.static_rnn(two, tf.unstack(videos, axis=1), dtype=tf.float32)
    zeros = skipping.zero_state(2, tf.float32)
    skipped, _ = skipping(volumes, zeros, scope="skipping")
    deep, _ = three(volumes[..., tf.newaxis], three.zero_state(2, tf.float32))
    loss = tf.reduce_sum(outputs**2) + tf.add_n([tf.reduce_sum(y) for y in unrolled])
    loss += tf.reduce_sum(skipped) + tf.reduce_sum(deep)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    rng = np.random.RandomState(2)
    feed = {t: rng.randn(*t.shape.as_list()) for t in (steps, videos, volumes)}
    return {
        "facts": {
            "sizes": [
                [str(c.output_size), str(c.state_size.c)] for c in (one, two, skipping, three)
            ],
            "variables": [v.name for v in tf.global_variables()],
        },
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("outputs", [outputs, state, unrolled, skipped], feed),
            ("train", train, feed),
            ("after", [outputs, unrolled[-1]], feed),
        ],
    }
