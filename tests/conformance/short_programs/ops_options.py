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

    def with_scope(make):
        with make() as scope:
            return [
                tf.constant(str(getattr(scope, "name", scope))),
                tf.get_variable("v", [2]),
                tf.constant(1),
            ]

    def placed(make):
        with tf.device("/cpu:1"):
            return make().device

    def slope(function, *values):
        values = list(map(tf.constant, values))
        return tf.gradients(function(*values), values)

    def at(file, *args, **options):
        file.seek(*args, **options)
        return [file.tell(), file.read(3)]

    def frozen(*args, **options):
        v, w = tf.get_variable("v", [2]), tf.get_variable("w", [2], use_resource=True)
        tf.add(v, w, name="b")
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            call = tf.graph_util.convert_variables_to_constants
            made = call(session, session.graph_def, *args, **options)
        return [[n.name, n.op, list(n.input)] for n in made.node]

    class Operator(tf.linalg.LinearOperator):
        def _shape(self):
            return tf.TensorShape([2, 2])

        _matmul = _shape_tensor = None

    def sparse(values=(1, 2)):
        return tf.SparseTensor([[0, 0], [1, 1]], list(values), [2, 2])

    def shared(kind, put, size, **options):
        """Sizes of resources of one name in two containers, after something is put into the first."""
        make = getattr(tf.raw_ops, kind)
        made = [make(container=c, shared_name="s", **options) for c in ("", "c", "")]
        with tf.control_dependencies([put(made[0])]):
            return [size(each) for each in made]

    return rows(
        table_of(__file__), shared=shared, raw=tf.raw_ops,
        tf=tf, np=np, A=tf.constant, I=tf.image, R=random.randn(2, 3).astype("f"), X3=random.randn(2, 2, 2).astype("f"),
        X4=random.randn(2, 6, 6, 4).astype("f"), F4=random.rand(1, 4, 4, 3).astype("f"),
        BIG=random.rand(1, 24, 24, 1).astype("f"),
        PICTURE=(np.arange(48) * 5).reshape(4, 4, 3).astype("u1"), SPARSE=sparse, FLOATS=lambda: sparse([1.5, 2.5]),
        RAGGED=lambda: tf.ragged.constant([[1, 2], [3]]), GRAPH=graph, scoped=scoped,
        with_scope=with_scope, at=at, slope=slope, frozen=frozen, placed=placed, OPERATOR=Operator,
        GETTER=lambda getter, *args, **options: tf.identity(getter(*args, **options)),
        UNSORTED=lambda: tf.SparseTensor([[1, 0], [0, 1], [0, 0]], [3, 3, 1], [2, 2]),
        TYPE=lambda n: tf.AttrValue(type=n), ONES=tf.ones_initializer(),
        BOXES=np.array([[0, 0, 1, 1], [0, 0, 1, 0.9], [0, 0.8, 1, 2]], "f"),
    )  # fmt: skip
