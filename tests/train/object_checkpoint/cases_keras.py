"""Keras layers, models, optimizers and metrics."""

import numpy as np

from tests.train.object_checkpoint.held_values import module_of, variable

# Keras -------------------------------------------------------------------------------------------


def _own_layer(tf):
    class Own(tf.keras.layers.Layer):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            self._parts = [tf.keras.layers.Dense(2), tf.keras.layers.Dense(2)]
            self.by_name = {"one": tf.keras.layers.Dense(1)}
            self.module = module_of(tf, v=variable(tf))
            self.pair = (tf.keras.layers.Dense(1, name="in_pair"),)
            self.sizes = [1, 2]

        def build(self, shape):
            self.factor = self.add_weight("scale", shape=[2], initializer="ones")
            self.rest = (self.add_weight("first", shape=[1]), self.add_weight("a/b.c", shape=[1]))
            self.own = variable(tf, "own")
            super().build(shape)

        def call(self, x):
            for part in self._parts:
                x = part(x)
            return self.by_name["one"](x * self.factor + self.own)

    return Own


def keras_own_layer(tf):
    layer = _own_layer(tf)()
    layer(tf.ones([1, 2]))
    return layer


def keras_own_layer_unbuilt(tf):
    return _own_layer(tf)()


def keras_sequential(tf):
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [
            layers.Flatten(input_shape=(2, 2)),
            _own_layer(tf)(name="own"),
            layers.BatchNormalization(),
            layers.Dropout(0.5),
            layers.Dense(1),
        ]
    )


def keras_sequential_without_shape(tf):
    model = tf.keras.Sequential([tf.keras.layers.Dense(2), tf.keras.layers.Dense(1)])
    model.extra = variable(tf)
    model.build((None, 3))
    model.add(tf.keras.layers.Dense(4))
    return model


def keras_functional(tf):
    a, b = tf.keras.Input((2,), name="a"), tf.keras.Input((2,), name="b")
    shared = tf.keras.layers.Dense(2)
    inner = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(2,))])
    y = tf.keras.layers.add([shared(a), inner(shared(b))])
    model = tf.keras.Model([a, b], tf.keras.layers.Dense(1)(tf.tanh(y)))
    model.extra = variable(tf)
    return model


def _compiled(tf, optimizer, **kwargs):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    model.compile(optimizer, "mse", metrics=["mae"], **kwargs)
    model.train_on_batch(np.ones([1, 2]), np.ones([1, 1]))
    return model


def keras_optimizers(tf):
    names = ["Adadelta", "Adagrad", "Adam", "Adamax", "Ftrl", "Nadam", "RMSprop", "SGD"]
    made = [getattr(tf.keras.optimizers, name)() for name in names]
    made.append(tf.keras.optimizers.SGD(0.1, momentum=0.9, decay=0.1))
    made.append(tf.keras.optimizers.RMSprop(0.1, momentum=0.9, centered=True))
    made.append(tf.keras.optimizers.Adam(amsgrad=True))
    schedule = tf.keras.optimizers.schedules.ExponentialDecay(0.1, 10, 0.5)
    made.append(tf.keras.optimizers.SGD(schedule))
    return [_compiled(tf, optimizer) for optimizer in made]


def keras_train_optimizer(tf):
    return _compiled(tf, tf.train.AdamOptimizer())


def keras_loss_scale(tf):
    scale = tf.train.experimental.DynamicLossScale()
    optimizer = tf.keras.optimizers.Adam()
    return _compiled(tf, tf.keras.mixed_precision.experimental.LossScaleOptimizer(optimizer, scale))


def keras_subclassed(tf):
    class Model(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.blocks = []
            for n in range(2):
                self.blocks.append(tf.keras.layers.Dense(2, name=f"block{n}"))
            self._head = tf.keras.layers.Dense(1)
            self.seen = tf.keras.metrics.Mean()
            self.v = variable(tf, trainable=False)
            self.table = tf.lookup.experimental.DenseHashTable(tf.int64, tf.int64, -1, -2, -3, 8)
            self.module = module_of(tf, w=variable(tf, "w"), layer=tf.keras.layers.Dense(1))

        def call(self, x):
            for block in self.blocks:
                x = block(x)
            return self.module.layer(self._head(x))

    model = Model()
    model.compile("sgd", "mse")
    model.train_on_batch(np.ones([1, 2]), np.ones([1, 1]))
    return model


def keras_layers(tf):
    layers = tf.keras.layers
    series, image, volume = tf.ones([1, 8, 3]), tf.ones([1, 8, 8, 3]), tf.ones([1, 4, 4, 4, 2])
    made = [
        (layers.LSTM(2), series),
        (layers.GRU(2, reset_after=True, return_sequences=True), series),
        (layers.SimpleRNN(2, stateful=True), series),
        (layers.RNN([layers.LSTMCell(2), layers.GRUCell(3)]), series),
        (
            layers.RNN(
                layers.PeepholeLSTMCell(2)
                if hasattr(layers, "PeepholeLSTMCell")
                else layers.LSTMCell(2)
            ),
            series,
        ),
        (layers.Bidirectional(layers.LSTM(2)), series),
        (layers.TimeDistributed(layers.Dense(2)), series),
        (layers.ConvLSTM2D(2, 3), tf.ones([1, 3, 8, 8, 2])),
        (layers.Conv1D(2, 3), series),
        (layers.Conv2D(2, 3), image),
        (layers.Conv3D(2, 3), volume),
        (layers.Conv2DTranspose(2, 3), image),
        (layers.SeparableConv2D(2, 3), image),
        (layers.DepthwiseConv2D(3), image),
        (layers.LocallyConnected2D(2, 3), image),
        (layers.LocallyConnected1D(2, 3, implementation=1), series),
        (layers.Embedding(4, 2), tf.ones([1, 2], tf.int32)),
        (layers.BatchNormalization(), image),
        (layers.LayerNormalization(), image),
        (layers.PReLU(), series),
        (layers.MaxPooling2D(), image),
        (layers.UpSampling2D(), image),
        (layers.ZeroPadding2D(), image),
        (layers.Cropping2D(), image),
        (layers.GlobalAveragePooling2D(), image),
        (layers.Lambda(lambda x: x), series),
        (layers.Reshape((24,)), series),
        (layers.Permute((2, 1)), series),
        (layers.ActivityRegularization(0.1), series),
        (layers.SpatialDropout1D(0.1), series),
        (layers.GaussianNoise(0.1), series),
        (layers.Attention(use_scale=True), [series, series]),
        (layers.AdditiveAttention(), [series, series]),
        (layers.Concatenate(), [series, series]),
        (layers.Dot(2), [series, series]),
        (layers.Maximum(), [series, series]),
        (layers.CuDNNLSTM(2), None),
    ]
    for layer, x in made:
        if x is not None:
            layer(x)
    return [layer for layer, _ in made]


def keras_metrics(tf):
    metrics = tf.keras.metrics
    made = [
        metrics.Mean(),
        metrics.Sum(),
        metrics.AUC(5),
        metrics.Precision(),
        metrics.Recall(thresholds=[0.1, 0.5]),
        metrics.Accuracy(),
        metrics.MeanIoU(2),
        metrics.MeanRelativeError([1.0]),
        metrics.SensitivityAtSpecificity(0.5, 3),
        metrics.TruePositives(),
        metrics.RootMeanSquaredError(),
        metrics.MeanTensor(),
        metrics.CosineSimilarity(),
    ]
    for metric in made:
        metric(tf.constant([1.0]), tf.constant([0.0])) if len(metric.weights) != 9 else None
    return made[:-2]
