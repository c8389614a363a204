"""tf.layers and tf.nn: one option per program, as it affects the graph, the training, a value."""

import numpy as np

from tests.conformance.short_programs import rows, table_of


def programs(tf):
    random = np.random.RandomState(1)
    images = random.randn(2, 6, 6, 4).astype("f")
    logits = random.randn(2, 3).astype("f")

    def trained(value):
        loss = tf.add_n([tf.reduce_sum(value), *tf.losses.get_regularization_losses()])
        with tf.control_dependencies([tf.train.GradientDescentOptimizer(0.1).minimize(loss)]):
            return [variable.read_value() for variable in tf.trainable_variables()]

    def both(make):
        return [make(None), make(True)]

    names = {
        "L2": tf.keras.regularizers.l2(0.1),
        "CLIP": tf.keras.constraints.NonNeg(),
        "ONES": tf.ones_initializer(),
        "HALF": tf.constant_initializer(0.5),
        "F": tf.float32,
        "CELL": tf.nn.rnn_cell.BasicRNNCell,
        "SPARSE": lambda values=None: tf.SparseTensor(
            [[0, 0], [1, 1]], tf.constant([1, 0]) if values is None else values, [2, 2]
        ),
    }
    arrays = {"R": logits, "P": abs(logits) / 3, "X3": images[:, 0], "X4": images}
    arrays.update(
        X5=images[:, None, :4] * np.ones([1, 4, 1, 1, 1], "f"), K4=random.randn(2, 2, 4, 2)
    )
    return rows(
        table_of(__file__),
        tf=tf, np=np, L=tf.layers, nn=tf.nn, losses=tf.losses, trained=trained, both=both, **names, **arrays,
    )  # fmt: skip
