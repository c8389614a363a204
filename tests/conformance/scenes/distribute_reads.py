"""Strategies on two CPUs: gathered and scattered rows of a mirrored variable, rejected reductions."""

import numpy as np

from tests.conformance.scenes.distribute_strategies import _session, _strategy


def rows_of_a_variable(tf, stage):
    strategy = _strategy(tf)
    with tf.Graph().as_default(), _session(tf) as session:
        with strategy.scope():
            v = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], name="v")
        reads = []
        for read in (lambda: v.sparse_read([2, 0]),):
            for where in ("/cpu:0", "/cpu:1"):
                with stage.failing(), tf.device(where):
                    found = read()
                    stage.say(found.name, found.shape, found.op.type)
                    reads.append(found)
        session.run(tf.global_variables_initializer())
        stage.say(session.run(reads))
        for write in (
            lambda: v.scatter_nd_add([[0, 1]], [10.0]),
            lambda: v.scatter_nd_sub([[2]], [[1.0, 2.0]]),
            lambda: v.scatter_nd_update([[1, 0]], [-1.0], name="mine"),
            lambda: v.scatter_add(tf.IndexedSlices([[1.0, 1.0]], [1])),
            lambda: v.scatter_sub(tf.IndexedSlices([[2.0, 1.0]], [0])),
            lambda: v.scatter_update(tf.IndexedSlices([[8.0, 9.0]], [2]), name="up"),
        ):
            with stage.failing():
                done = write()
                stage.say(type(done).__name__, getattr(done, "name", None))
                session.run(done)
            stage.say(session.run([copy.read_value() for copy in v.values]))


def refused_reductions(tf, stage):
    op = tf.distribute.ReduceOp
    strategy = _strategy(tf)
    with strategy.scope():
        v = tf.Variable([1.0, 2.0], name="v")

        def replica():
            n = tf.distribute.get_replica_context().replica_id_in_sync_group
            return tf.cast(n, tf.float32) + v, tf.cast(n, tf.float32)

        rows, number = strategy.experimental_run_v2(replica)
        cross = tf.distribute.ReductionToOneDevice()
        stage.attempts(
            lambda: strategy.reduce(op.MEAN, rows, axis="0"),
            lambda: strategy.reduce(op.MEAN, rows, axis=1.0),
            lambda: strategy.reduce("OTHER", rows, axis=0),
            lambda: cross.batch_reduce(op.SUM, [(rows, v, v)]),
            lambda: cross.batch_reduce(op.SUM, [(rows, 3)]),
            lambda: tf.distribute.CrossDeviceOps().reduce(op.SUM, rows, v),
        )
        for axis in (1, -2, 5):
            stage.attempt(lambda axis=axis: strategy.reduce(op.MEAN, rows, axis=axis))


def means_of_unknown_lengths(tf, stage):
    op = tf.distribute.ReduceOp
    for shape, axis in (([None], 0), ([None], -1), ([None, 2], 0), ([None, 2], 1), (None, -1)):
        with tf.Graph().as_default(), _session(tf) as session:
            fed = tf.placeholder(tf.float32, shape)
            strategy = _strategy(tf)
            with stage.failing(), strategy.scope():

                def replica(fed=fed):
                    n = tf.distribute.get_replica_context().replica_id_in_sync_group
                    return fed * (1.0 + tf.cast(n, tf.float32))

                each = strategy.experimental_run_v2(replica)
                means = [strategy.reduce(kind, each, axis=axis) for kind in (op.MEAN, op.SUM)]
                stage.brief_graph()
                value = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 9.0]], np.float32)
                value = value if shape is None or len(shape) == 2 else value[:, 0]
                stage.say(session.run(means, {fed: value}))
