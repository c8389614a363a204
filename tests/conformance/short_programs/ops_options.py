"""tf, tf.image, tf.math, tf.sparse, tf.strings, tf.ragged: one function option per program."""

import numpy as np

from tests.conformance.short_programs import rows, table_of


def programs(tf):
    random = np.random.RandomState(1)

    def graph():
        with tf.Graph().as_default() as made:
            tf.identity(tf.identity(tf.constant(1)))
        return made.as_graph_def()

    def scoped(*args, **options):
        with tf.variable_scope(*args, **options):
            return [tf.get_variable("v", [2]), tf.constant(1)]

    def sparse(values=(1, 2)):
        return tf.SparseTensor([[0, 0], [1, 1]], list(values), [2, 2])

    return rows(
        table_of(__file__),
        tf=tf, np=np, A=tf.constant, I=tf.image, R=random.randn(2, 3).astype("f"), X3=random.randn(2, 2, 2).astype("f"),
        X4=random.randn(2, 6, 6, 4).astype("f"), F4=random.rand(1, 4, 4, 3).astype("f"),
        BIG=random.rand(1, 24, 24, 1).astype("f"),
        PICTURE=(np.arange(48) * 5).reshape(4, 4, 3).astype("u1"), SPARSE=sparse, FLOATS=lambda: sparse([1.5, 2.5]),
        RAGGED=lambda: tf.ragged.constant([[1, 2], [3]]), GRAPH=graph, scoped=scoped, ONES=tf.ones_initializer(),
        BOXES=np.array([[0, 0, 1, 1], [0, 0, 1, 0.9], [0, 0.8, 1, 2]], "f"),
    )  # fmt: skip
