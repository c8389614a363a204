"""tf.contrib: one option of a function, layer or cell per program."""

import numpy as np

from tests.conformance.short_programs import rows, table_of


def programs(tf):
    C = tf.contrib
    random = np.random.RandomState(1)

    def trained(value):
        loss = tf.add_n([tf.reduce_sum(value), *tf.losses.get_regularization_losses()])
        if not tf.trainable_variables():
            return value
        with tf.control_dependencies([tf.train.GradientDescentOptimizer(0.1).minimize(loss)]):
            return [v.read_value() for v in tf.trainable_variables()]

    def told(cell, value):
        """A cell's outputs for zeros."""
        return cell(value, cell.zero_state(2, tf.float32))

    def attended(**options):
        attention = C.seq2seq.LuongAttention(2, tf.constant(arrays["X4"][:, 0, :, :2]))
        cell = C.seq2seq.AttentionWrapper(tf.nn.rnn_cell.BasicRNNCell(2), attention, **options)
        given, state = cell(tf.constant(arrays["R"]), cell.zero_state(2, tf.float32))
        return [given, state.attention, state.alignments, state.cell_state]

    def gone(optimizer):
        """A variable after two steps."""
        w = tf.get_variable("w", initializer=[1.0, -2.0])
        first = optimizer.minimize(tf.reduce_sum(w * w), global_step=step())
        with tf.control_dependencies([first]):
            return w.read_value()

    def step():
        return tf.train.get_or_create_global_step()

    def scaled(manager):
        with tf.control_dependencies([manager.update_loss_scale(tf.constant(True))]):
            better = tf.identity(manager.get_loss_scale())
        with tf.control_dependencies([better]):
            with tf.control_dependencies([manager.update_loss_scale(tf.constant(False))]):
                return [better, tf.identity(manager.get_loss_scale())]

    def updated(metric):
        return metric[1]

    def placed(chooser):
        found = []
        for number in range(3):
            with tf.device(chooser):
                found.append(tf.Variable(1.0, name=f"v{number}").device)
        return found

    arrays = {"R": random.randn(2, 3).astype("f"), "X4": random.randn(2, 6, 6, 4).astype("f")}
    names = {
        "L2": tf.keras.regularizers.l2(0.1),
        "ONES": tf.ones_initializer(),
        "BASIC": tf.nn.rnn_cell.BasicRNNCell,
        "SPARSE": lambda values=None: tf.SparseTensor(
            [[0, 0], [1, 1]], tf.constant([1, 0]) if values is None else values, [2, 2]
        ),
        "W": lambda: tf.reduce_sum(tf.square(tf.get_variable("w", initializer=[1.0, 2.0]))),
        "V": lambda name: tf.get_variable(name, initializer=1.0),
        "STEP": step,
        "SGD": lambda: tf.train.GradientDescentOptimizer(0.1),
        "OPERATOR": lambda: C.solvers.util.create_operator(
            tf.constant(np.diag([1.0, 2.0, 3.0]).astype("f"))
        ),
    }
    return rows(
        table_of(__file__),
        tf=tf, np=np, C=C, nn=tf.nn, A=tf.constant, F=tf.float32, trained=trained, told=told, updated=updated,
        attended=attended, gone=gone, scaled=scaled, placed=placed, **arrays, **names,
    )  # fmt: skip
