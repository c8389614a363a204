"""Keras and `tf.layers` layers: shapes, configurations, invalid calls."""

import numpy as np

from tests.conformance.short_programs import rows, table_of

X = np.random.RandomState(4).randn(2, 3, 4).astype(np.float32)


def programs(tf):

    L = tf.keras.layers

    def x(*shape):
        return tf.constant(np.resize(X, shape or X.shape))

    def shape(layer, *sizes):
        return str(layer.compute_output_shape(tuple(sizes)))

    def again(kind, layer):
        return kind.from_config(layer.get_config()).get_config()

    def named(config):
        return {key: str(value) for key, value in config.items() if key != "name"}

    def merged(kind, inputs, mask=None, **options):
        return kind(**options).compute_mask(inputs, mask)

    def inputs(*shape, **options):
        return L.Input(shape, **options)

    def twice(layer):
        layer(x(2, 3))
        layer(x(4, 3))
        return layer

    class Cell(L.Layer):
        state_size = 4

        def call(self, inputs, states):
            return inputs + states[0], [inputs]

    class Constant(L.Layer):
        state_size = 4

        def call(self, inputs, states, constants=None):
            return inputs + constants[0], [inputs + states[0]]

    class Masked(L.Layer):
        def call(self, inputs, mask):
            return inputs

    class Named(L.Layer):
        def __init__(self):
            super().__init__()
            self.part = L.Dense(2)
            del self.part

    def lstm(**options):
        return L.LSTM(4, kernel_initializer="ones", **options)

    def both(layer=None, **options):
        return L.Bidirectional(layer or lstm(), **options)

    def metric_twice(value, **options):
        layer = L.Layer()
        layer.add_metric(value, **options)
        layer.add_metric(value, **options)
        return [m.name for m in layer.metrics]

    ones = tf.keras.initializers.Ones()
    init = {"kernel_initializer": "ones"}
    return rows(
        table_of(__file__),
        tf=tf, Cell=Cell, Constant=Constant, L=L, Masked=Masked, Named=Named, again=again, both=both, init=init,
        inputs=inputs, lstm=lstm, merged=merged, metric_twice=metric_twice, named=named, np=np, ones=ones,
        shape=shape, twice=twice, x=x,
    )  # fmt: skip
