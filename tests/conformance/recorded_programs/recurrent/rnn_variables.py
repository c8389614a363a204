"""Variables of cells in loops and unrolled: of resources, in parts, regularized, from getters, of float64, trained."""

import numpy as np

TOLERANCE = 2e-5  # float32; the furthest value was off by less than 5e-6


def build(tf):
    cells = tf.nn.rnn_cell
    x = tf.placeholder(tf.float32, [2, None, 3], name="x")
    lengths = tf.constant([3, 2])
    settings = {
        "resources": {"use_resource": True},
        "parts": {"partitioner": tf.fixed_size_partitioner(2)},
        "regularized": {"regularizer": tf.contrib.layers.l2_regularizer(0.1)},
        "initialized": {"initializer": tf.orthogonal_initializer(0.5, seed=3)},
        "gotten": {"custom_getter": lambda getter, **kwargs: getter(**kwargs) * 0.5},
    }
    results, losses = {}, []
    for name, setting in sorted(settings.items()):
        with tf.variable_scope(name, **setting):
            outputs, state = tf.nn.dynamic_rnn(cells.BasicLSTMCell(2), x, lengths, dtype=tf.float32)
            steps = [x[:, 0], x[:, 1]]
            unrolled, _ = tf.nn.static_rnn(cells.GRUCell(2), steps, dtype=tf.float32, scope="rnn2")
        results[name] = [outputs, state, unrolled]
        losses.append(tf.reduce_sum(tf.square(outputs)) + tf.reduce_sum(unrolled[-1]))
    losses += tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
    loss = tf.add_n(losses)
    train = tf.train.MomentumOptimizer(0.05, 0.9).minimize(loss)
    wide = tf.nn.dynamic_rnn(
        cells.LSTMCell(2, use_peepholes=True),
        tf.cast(x, tf.float64),
        dtype=np.float64,
        scope="wide",
    )
    wide_gradients = tf.gradients(wide[0], tf.trainable_variables("wide"))
    for _ in range(2):
        with tf.variable_scope("again", reuse=tf.AUTO_REUSE):
            again = tf.nn.dynamic_rnn(cells.GRUCell(2), x, dtype=tf.float32)
    feed = {x: np.sin(np.arange(18, dtype=np.float32)).reshape(2, 3, 3)}
    steps = [
        ("init", tf.global_variables_initializer()),
        ("results", results, feed),
        ("wide", [wide, wide_gradients], feed),
        ("again", again, feed),
    ]
    for number in range(3):
        steps += [(f"loss {number}", loss, feed), (f"train {number}", train, feed)]
    steps += [("trained", results, feed)]
    return {"facts": {"variables": [v.name for v in tf.global_variables()]}, "steps": steps}
