"""tf.contrib: rare errors and options of layers, cells, decoders and optimizers."""

import numpy as np


def layers(tf, stage):
    of, utils = tf.contrib.layers, tf.contrib.slim.utils
    tf.add_to_collection("found", tf.constant(1.0, name="one"))
    loss = tf.get_variable("v", [2], initializer=tf.ones_initializer()) ** 2
    stage.attempts(
        lambda: utils.n_positive_integers(0, 1),
        lambda: utils.n_positive_integers(1.5, 1),
        lambda: utils.n_positive_integers(2, ["a", 1]),
        lambda: utils.n_positive_integers(2, [None, 1]),
        lambda: utils.convert_collection_to_dict("found", True),
        lambda: utils.static_cond(True, 1, lambda: "no"),
        lambda: utils.static_cond(True, lambda: "yes", 1),
        lambda: utils.constant_value(tf.constant(1.0), tf.int32),
        lambda: of.optimize_loss(
            loss, None, 0.1, "SGD", learning_rate_decay_fn=lambda rate, step: rate
        ),
        lambda: of.optimize_loss(
            tf.reduce_sum(loss), None, 0.1, "SGD", learning_rate_decay_fn=lambda rate, step: rate
        ),
    )
    stage.brief_graph(names=False)


def cells_and_decoders(tf, stage):
    of, seq = tf.contrib.rnn, tf.contrib.seq2seq
    some = lambda *shape: tf.placeholder(tf.float32, shape)  # noqa: E731
    x = lambda: np.linspace(-1.0, 1.0, 12, dtype=np.float32).reshape(3, 2, 2)  # noqa: E731

    class Plain(seq.Decoder):
        batch_size = output_size = output_dtype = None

        def initialize(self, name=None):
            return super().initialize(name)

        def step(self, time, inputs, state, name=None):
            return super().step(time, inputs, state, name)

    stage.attempts(
        lambda: Plain().initialize(),
        lambda: Plain().step(0, None, None),
        lambda: of.Conv1DLSTMCell(input_shape=[4, 2], output_channels=3, kernel_shape=[2])(
            some(1, 4, 2), tf.nn.rnn_cell.LSTMStateTuple(some(1, 4, 3), some(1, 4, 4, 3))
        ),
    )
    constant = tf.constant_initializer(0.1)

    def fused(listed):
        with tf.variable_scope("fused", reuse=tf.AUTO_REUSE, initializer=constant):
            given = [tf.constant(row) for row in x()] if listed else tf.constant(x())
            outputs, state = of.LSTMBlockFusedCell(3)(given, dtype=tf.float32)
            return (list(outputs) if listed else outputs), state

    stage.each({"listed": lambda: fused(True)}, graph="sum")


def optimizers(tf, stage):
    of = tf.contrib.opt
    sgd = tf.train.GradientDescentOptimizer
    getter = lambda: of.ElasticAverageCustomGetter(worker_device="/job:worker/task:0")  # noqa: E731

    def rows(make, resource=False):
        def run():
            with tf.Graph().as_default(), tf.Session() as session:
                with tf.variable_scope("", use_resource=resource):
                    v = tf.get_variable("v", initializer=[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
                train = make(v).minimize(tf.reduce_sum(tf.gather(v, [0, 2]) * [2.0, -1.0]))
                session.run(tf.global_variables_initializer())
                session.run(train)
                session.run(train)
                return session.run(v)

        return run

    none = lambda v: of.AdamWOptimizer(0.5, 0.1)  # noqa: E731
    a, b = tf.constant([3.0, 4.0]), tf.get_variable("b", [2])
    slices = tf.IndexedSlices(tf.constant([[6.0, 8.0]]), tf.constant([1]), tf.constant([2, 2]))
    wrapper = of.clip_gradients_by_global_norm
    stage.attempts(
        lambda: of.ElasticAverageOptimizer(sgd(0.1), 1, getter()).swapping_saver(),
        rows(lambda v: of.ShampooOptimizer(0, learning_rate=0.1, gbar_decay=0.5)),
        rows(lambda v: of.ShampooOptimizer(0, learning_rate=0.1, mat_gbar_decay=0.5)),
        rows(lambda v: of.ShampooOptimizer(0, max_matrix_size=1, gbar_decay=0.5)),
        rows(lambda v: of.ShampooOptimizer(0, max_matrix_size=1, gbar_decay=0.5), True),
        rows(none),
        rows(lambda v: of.MomentumWOptimizer(0.5, 0.1, 0.9), True),
        lambda: [g and g.op.type for g, _ in wrapper([(a, b), (None, b)], 1.0)],
        lambda: [type(g).__name__ for g, _ in wrapper([(slices, b), (None, b)], 1.0)],
    )
    for resource in (False, True):
        stage.attempt(
            lambda: rows(
                lambda v: _Undecayed(of.AdamWOptimizer(0.5, 0.1)),
                resource,  # noqa: B023
            )()
        )
    stage.brief_graph(names=False)


class _Undecayed:
    """An optimizer whose list of weights to decay is empty."""

    def __init__(self, inner):
        self._inner = inner

    def minimize(self, loss):
        other = self._inner
        pairs = other.compute_gradients(loss)
        return other.apply_gradients(pairs, decay_var_list=["none"])
