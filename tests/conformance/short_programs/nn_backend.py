"""Functions of `tf.keras.backend`, each a line."""

import numpy as np

from tests.conformance.short_programs import rows, table_of

X = np.random.RandomState(3).randn(2, 3).astype(np.float32)


class Sparse:
    """An object with `tocoo()`, like scipy's matrices."""

    def __init__(self):
        self.row, self.col = np.array([0, 1]), np.array([2, 0])
        self.data, self.shape = np.array([1.0, 2.0], np.float32), (2, 3)

    def tocoo(self):
        return self


def programs(tf):
    found = {}

    def add(name, *calls):
        for number, call in enumerate(calls):
            found[f"{name}_{number}"] = call

    k = tf.keras.backend

    def x(*shape):
        return tf.constant(np.resize(X, shape or X.shape))

    def w(dtype="d", shape=(2, None)):
        return tf.placeholder_with_default(np.array([[1.0, -2.0], [3.0, 0.5]], dtype), shape)

    def unknown(value):
        return tf.placeholder_with_default(value, [None] * value.shape.ndims)

    def sparse():
        return tf.SparseTensor([[0, 1], [1, 0]], [1.0, 2.0], [2, 3])

    def variable(value=3.0):
        return k.variable(value)

    def after(update, value):
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(update(value))
            return session.run(value)

    def scoped(value):
        with k.learning_phase_scope(value):
            return k.learning_phase()

    def called(given, outputs, values, **options):
        session = tf.Session()
        k.set_session(session)
        try:
            return k.function(given, outputs, **options)(values)
        finally:
            k.set_session(None)

    def images(order, name="channels_last"):
        return getattr(k, order)(x(1, 2, 3, 4), 2, 2, name)

    add("attributes", k.backend, k.epsilon, k.floatx, k.image_data_format)
    unary = (
        "softplus softsign sigmoid max min prod sum mean std var any all argmax argmin square abs sqrt exp log "
        "round sign sin cos stop_gradient shape transpose flatten batch_flatten zeros_like ones_like "
        "cumsum cumprod relu elu softmax tanh hard_sigmoid int_shape ndim dtype eval get_value"
    )
    add("of_one", *[lambda f=f: getattr(k, f)(x()) for f in unary.split()])
    axes = "max min prod sum mean std var any all"
    add("of_axes", *[lambda f=f: getattr(k, f)(x(), axis=1, keepdims=True) for f in axes.split()])
    of_two = "equal not_equal greater greater_equal less less_equal maximum minimum"
    add("of_two", *[lambda f=f: getattr(k, f)(x(), -x()) for f in of_two.split()])
    found.update(rows(
        table_of(__file__),
        tf=tf, Sparse=Sparse, after=after, called=called, k=k, np=np, scoped=scoped, sparse=sparse, unknown=unknown,
        variable=variable, w=w, x=x,
    ))  # fmt: skip
    return found
