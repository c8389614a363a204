"""Layers of Keras and `tf.layers`: shapes, configurations, calls that are refused."""

import numpy as np

X = np.random.RandomState(4).randn(2, 3, 4).astype(np.float32)


def programs(tf):
    found = {}

    def add(name, *calls):
        for number, call in enumerate(calls):
            found[f"{name}_{number}"] = call

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
    add(
        "shapes",
        lambda: shape(L.Activation("relu"), None, 3),
        lambda: shape(L.ActivityRegularization(), None, 3),
        lambda: shape(L.BatchNormalization(), None, 3),
        lambda: shape(L.LayerNormalization(), None, 3),
        lambda: shape(L.Embedding(5, 2), None, 3),
        lambda: shape(L.Embedding(5, 2, input_length=3), None, 3),
        lambda: shape(L.Embedding(5, 2, input_length=4), None, 3),
        lambda: shape(L.Embedding(5, 2, input_length=[3, 4]), None, 3),
        lambda: shape(L.Embedding(5, 2, input_length=[None, 4]), None, 3, 4),
        lambda: shape(L.GlobalAveragePooling2D(), None, 3, 4, 5),
        lambda: shape(L.GlobalMaxPooling2D("channels_first"), None, 3, 4, 5),
        lambda: shape(L.GlobalMaxPooling3D(), None, 3, 4, 5, 6),
        lambda: shape(L.GlobalMaxPooling1D(), None, 3, 4),
        lambda: shape(L.Reshape((2, -1)), None, 3, 4),
        lambda: shape(L.Reshape((2, -1)), None, None, 4),
        lambda: shape(L.Reshape((-1, -1)), None, 3, 4),
        lambda: shape(L.Reshape((5, -1)), None, 3, 4),
        lambda: shape(L.Reshape((5,)), None, 3, 4),
        lambda: shape(L.Permute((2, 1)), None, 3, 4),
        lambda: shape(L.RepeatVector(3), None, 4),
        lambda: shape(L.Masking(), None, 3, 4),
        lambda: shape(L.Lambda(lambda v: v, output_shape=lambda s: s[:2]), None, 3, 4),
        lambda: shape(L.Lambda(lambda v: v, output_shape=(5,)), None, 3, 4),
        lambda: shape(L.Lambda(lambda v: v + "a"), None, 3, 4),
        lambda: shape(L.Lambda(lambda v: v[:, 0]), None, 3, 4),
        lambda: str(L.Concatenate().compute_output_shape([(None, 3), (None, 4)])),
        lambda: str(L.Concatenate().compute_output_shape([(None, 3), (None, None)])),
        lambda: str(L.Add().compute_output_shape([(None, 3, 4), (None, 4)])),
        lambda: str(L.Add().compute_output_shape([(None, 3, 4), (None, 3, None)])),
        lambda: str(L.Dot(1).compute_output_shape([(None, 3, 4), (None, 3, 5)])),
        lambda: shape(both(), None, 3, 4),
        lambda: shape(both(lstm(return_sequences=True), merge_mode=None), None, 3, 4),
        lambda: shape(lstm(return_state=True), None, 3, 4),
        lambda: shape(lstm(return_sequences=True, time_major=True), 5, 3, 4),
        lambda: shape(L.TimeDistributed(L.Dense(2)), None, 3, 4),
        lambda: shape(L.TimeDistributed(L.Dense(2)), None, 3),
        lambda: shape(L.Conv2DTranspose(2, 3, padding="same", strides=2), None, 3, 4, 5),
        lambda: shape(L.Dense(2), None, None),
        lambda: shape(Masked(), None, 3),
        lambda: str(L.Layer().compute_output_shape([(None, 3), (None, 4)])),
        lambda: L.Dense(2).input_shape,
        lambda: twice(L.Dense(2)).input_shape,
        lambda: twice(L.Dense(2)).output_shape,
        lambda: (lambda d: [d(inputs(3)), d(inputs(4))] and d.input_shape)(L.Flatten()),
        lambda: (lambda d: [d(inputs(3)), d(inputs(4))] and d.output_shape)(L.Flatten()),
        lambda: (lambda d: [d(inputs(3)), d(inputs(4))] and str(d.get_input_shape_at(1)))(
            L.Flatten()
        ),
        lambda: (lambda d: [d(inputs(3)), d(inputs(4))] and str(d.get_output_shape_at(1)))(
            L.Flatten()
        ),
        lambda: (lambda d: [d(inputs(3))] and d.get_input_at(1))(L.Flatten()),
        lambda: (lambda d: [d(inputs(3))] and str(d.get_input_at(0).shape))(L.Flatten()),
        lambda: (lambda d: [d(inputs(3))] and d.get_input_mask_at(0))(L.Flatten()),
        lambda: (lambda d: [d(inputs(3))] and d.get_output_mask_at(0))(L.Flatten()),
        lambda: L.Flatten().get_output_mask_at(0),
    )
    add(
        "configured",
        lambda: named(again(L.BatchNormalization, L.BatchNormalization(axis=[1]))),
        lambda: named(
            again(
                L.BatchNormalization,
                L.BatchNormalization(renorm=True, renorm_clipping={"rmin": 0.5}),
            )
        ),
        lambda: named(L.BatchNormalization(virtual_batch_size=2).get_config()),
        lambda: named(again(L.LayerNormalization, L.LayerNormalization(axis=1))),
        lambda: named(again(L.Embedding, L.Embedding(5, 2, mask_zero=True))),
        lambda: named(again(L.Conv2D, L.Conv2D(2, 3, activation="relu", use_bias=False))),
        lambda: named(again(L.SeparableConv2D, L.SeparableConv2D(2, 3, depth_multiplier=2))),
        lambda: named(again(L.GRU, L.GRU(2, reset_after=True))),
        lambda: named(again(L.RNN, L.RNN([L.LSTMCell(2), L.GRUCell(3)], return_state=True))),
        lambda: named(again(L.RNN, L.RNN(L.SimpleRNNCell(2), zero_output_for_mask=True))),
        lambda: named(
            again(
                L.RNN,
                L.RNN.from_config(
                    {"cell": {"class_name": "GRUCell", "config": {"units": 2}}, "num_constants": 1}
                ),
            )
        ),
        lambda: named(again(L.StackedRNNCells, L.StackedRNNCells([L.LSTMCell(2)]))),
        lambda: L.StackedRNNCells([L.LSTMCell(2), L.GRUCell(3)]).output_size,
        lambda: str(L.StackedRNNCells([L.LSTMCell(2), L.GRUCell(3)]).state_size),
        lambda: str(
            L.StackedRNNCells([L.LSTMCell(2), L.GRUCell(3)], reverse_state_order=True).state_size
        ),
        lambda: named(
            L.LSTM.from_config(dict(L.LSTM(2).get_config(), implementation=0)).get_config()
        ),
        lambda: L.LSTM(2, implementation=0).implementation,
        lambda: L.GRU(2, implementation=0).implementation,
        lambda: L.SimpleRNN(2, implementation=1).units,
        lambda: named(again(L.Bidirectional, both(merge_mode="ave"))),
        lambda: both().constraints,
        lambda: L.TimeDistributed(
            L.Dense(2, activity_regularizer="l2")
        ).activity_regularizer.get_config(),
        lambda: named(L.Layer(dynamic=True).get_config()),
        lambda: L.Lambda(lambda v: v, mask=lambda v, m: m).supports_masking,
        lambda: named(L.Lambda(abs).get_config()),
        lambda: L.Lambda(3).get_config(),
        lambda: named(L.Lambda(abs, mask=abs, output_shape=(2,)).get_config()),
        lambda: L.Lambda.from_config(dict(L.Lambda(abs).get_config(), function_type="some")),
        lambda: (
            L.Lambda.from_config(
                dict(
                    L.Lambda(abs).get_config(),
                    arguments={"a": {"type": "ndarray", "value": [1]}},
                    function="relu",
                ),
                {"relu": tf.nn.relu},
            )
            .arguments["a"]
            .tolist()
        ),
        lambda: tf.keras.activations.deserialize("relu").__name__,
        lambda: tf.keras.activations.deserialize("some"),
        lambda: tf.keras.activations.get({"class_name": "relu", "config": {}}),
        lambda: tf.keras.activations.get(3),
        lambda: tf.keras.activations.serialize(3),
        lambda: tf.keras.constraints.serialize(tf.keras.constraints.MaxNorm(3)),
        lambda: tf.keras.constraints.deserialize("NonNeg").get_config(),
        lambda: (
            tf.keras.constraints.deserialize(
                {"class_name": "MaxNorm", "config": {"max_value": 3}}
            ).max_value
        ),
        lambda: tf.keras.constraints.deserialize("some"),
        lambda: tf.keras.constraints.Constraint()(x()),
        lambda: tf.keras.initializers.serialize(ones),
        lambda: tf.keras.initializers.deserialize("ones")([2]),
        lambda: tf.keras.initializers.deserialize({"class_name": "Zeros", "config": {}})([2]),
        lambda: tf.keras.regularizers.serialize(tf.keras.regularizers.l2(0.5)),
        lambda: tf.keras.regularizers.deserialize({"class_name": "L1L2", "config": {"l1": 2.0}})(
            x()
        ),
        lambda: tf.keras.regularizers.l1_l2(0.0, 0.0)(x()),
        lambda: tf.keras.regularizers.Regularizer()(x()),
        lambda: tf.keras.layers.deserialize({"class_name": "Dense", "config": {"units": 2}}).units,
        lambda: tf.keras.layers.deserialize({"class_name": "Some", "config": {}}),
        lambda: tf.keras.layers.deserialize({"config": {}}),
        lambda: tf.keras.layers.deserialize(3),
        lambda: (
            tf.keras.layers.deserialize({"class_name": "BatchNormalizationV1", "config": {}}).axis
        ),
        lambda: (
            tf.keras.utils.get_custom_objects().update(mine=tf.keras.initializers.Ones)
            or tf.keras.initializers.get("mine")([2])
        ),
    )
    add(
        "merged",
        lambda: L.subtract([x(), -x()]),
        lambda: L.multiply([x(), x(), x()]),
        lambda: L.average([x(), -x(), x()]),
        lambda: L.maximum([x(), -x()]),
        lambda: L.minimum([x(), -x()]),
        lambda: L.add([x(), -x()]),
        lambda: L.dot([x(), x()], 2, normalize=True),
        lambda: L.dot([x(), x()], 1),
        lambda: L.dot([x(), x()], (1, 1)),
        lambda: L.dot([x(), x()], "a"),
        lambda: L.dot([x(), x()], (1,)),
        lambda: L.dot([x(), x()], (1, "a")),
        lambda: L.dot([x(), x(), x()], 1),
        lambda: L.dot([x(2, 3), x(2, 4)], 1),
        lambda: L.concatenate([x(), x()], 1),
        lambda: L.concatenate([x()]),
        lambda: L.Add()([x(), x(2, 4)]),
        lambda: L.Add()([x(2, 4), x()]),
        lambda: L.Add()([x(), x(2, 3)]),
        lambda: L.Add()([x()]),
        lambda: L.Add()(x()),
        lambda: L.Add()([x(2, 3), x(3, 3)]),
        lambda: L.Add()([tf.placeholder(tf.float32), x()]).shape,
        lambda: L.Subtract()([x(), x(), x()]),
        lambda: merged(L.Add, [x(2, 3), x(2, 3)], [tf.constant([True, False]), None]),
        lambda: merged(L.Add, [x(2, 3), x(2, 3)], [tf.constant([True, False])]),
        lambda: merged(L.Add, [x(2, 3), x(2, 3)], tf.constant([True, False])),
        lambda: merged(L.Add, x(2, 3), [tf.constant([True, False])]),
        lambda: merged(
            L.Add, [x(2, 3)] * 2, [tf.constant([True, False]), tf.constant([True, True])]
        ),
        lambda: merged(L.Concatenate, [x()] * 2, [tf.constant([[True, False, True]] * 2), None]),
        lambda: merged(L.Concatenate, [x()] * 2, [None, None]),
        lambda: merged(L.Concatenate, [x()] * 2, tf.constant([True])),
        lambda: merged(L.Concatenate, x(), [tf.constant([True])]),
        lambda: merged(L.Concatenate, [x()] * 2, [None]),
        lambda: merged(L.Dot, [x()] * 2, [None, None], axes=1),
        lambda: merged(L.Masking, x() * [[[0.0], [1.0], [0.0]]]),
        lambda: L.Attention()(x()),
        lambda: L.Attention()([x()]),
        lambda: L.Attention()([x(), x()], mask=tf.constant([True])),
        lambda: L.Attention()([x(), x()], mask=[None]),
        lambda: L.Attention()([x(), x()], mask=[tf.constant([[True, False, True]] * 2), None]),
        lambda: L.AdditiveAttention(use_scale=False)([x(), x()]),
        lambda: L.Attention(causal=True)([x(), x()]),
        lambda: L.Masking(2.0).compute_mask(x()),
        lambda: L.Layer().compute_mask(x(), tf.constant([True])),
        lambda: L.Layer().compute_mask(x(), [None, None]),
    )
    add(
        "refused",
        lambda: L.BatchNormalization(axis=[0, 1], fused=True)(x(2, 3, 4, 5)),
        lambda: L.BatchNormalization(axis=7)(x()),
        lambda: L.BatchNormalization(axis="a"),
        lambda: L.BatchNormalization(axis=[2], fused=True)(x(1, 2, 3, 4)),
        lambda: L.LayerNormalization(axis="a"),
        lambda: L.LayerNormalization(axis=7)(x()),
        lambda: L.LayerNormalization(axis=[1, 1])(x()),
        lambda: L.Conv2DTranspose(2, 3).build((None, 3, 4)),
        lambda: L.Conv3DTranspose(2, 3).build((None, 3, 4)),
        lambda: L.Conv2DTranspose(2, 3).build((None, 3, 4, None)),
        lambda: L.DepthwiseConv2D(3).build((None, 3, 4)),
        lambda: L.DepthwiseConv2D(3).build((None, 3, 4, None)),
        lambda: L.LocallyConnected1D(2, 2)(inputs(3, None)),
        lambda: L.LocallyConnected1D(2, 2, implementation=4)(inputs(3, 4)),
        lambda: L.LocallyConnected2D(2, 2)(inputs(None, 4, 4)),
        lambda: L.MaxPooling1D(2, padding="some")(x()),
        lambda: L.MaxPooling2D(2, data_format="some"),
        lambda: L.Conv2D(2, 3, data_format="some"),
        lambda: L.Conv2D(2, 3, padding="some"),
        lambda: L.Conv2D(2, (3, 3, 3)),
        lambda: L.Conv1D(2, 3, padding="causal", data_format="channels_first")(x()),
        lambda: L.SpatialDropout2D(0.5, "some"),
        lambda: L.SpatialDropout1D(0.5)(x(2, 3)),
        lambda: L.GaussianNoise(1.0)(x(), training=False),
        lambda: L.GaussianDropout(0)(x(), training=True),
        lambda: L.GaussianDropout(1.5)(x(), training=True),
        lambda: L.AlphaDropout(0.0)(x(), training=True),
        lambda: L.AlphaDropout(1.0)(x(), training=True),
        lambda: inputs(2, sparse=True, ragged=True),
        lambda: inputs(2, some=3),
        lambda: L.Input(),
        lambda: L.Input(batch_shape=(2, 3)).shape,
        lambda: L.InputLayer((2,), batch_input_shape=(3, 2)),
        lambda: L.InputLayer((2,), some=3),
        lambda: L.InputLayer(tf.TensorShape([2])).input_spec,
        lambda: L.InputLayer(2).output_shape,
        lambda: L.InputLayer(input_tensor=3),
        lambda: L.InputLayer(input_tensor=x(), dtype="int32"),
        lambda: L.InputLayer((2,), sparse=True).output.shape,
        lambda: L.RNN(3),
        lambda: L.RNN(L.Dense(2)),
        lambda: L.RNN([L.Dense(2)]),
        lambda: L.StackedRNNCells([3]),
        lambda: L.RNN(Cell(), input_dim=4, input_length=3)._batch_input_shape,
        lambda: L.RNN(L.AbstractRNNCell() if hasattr(L, "AbstractRNNCell") else 3),
        lambda: L.LSTM(4)(x(), initial_state=[x(2, 4)]),
        lambda: L.LSTM(4)(x(), initial_state=[x(2, 3), x(2, 3)]),
        lambda: L.LSTM(4, unroll=True)(tf.placeholder(tf.float32, [2, None, 4])),
        lambda: L.LSTM(4, unroll=True)(x(2, 1, 4)).shape,
        lambda: L.LSTM(4).reset_states(),
        lambda: L.LSTM(4, stateful=True).reset_states(),
        lambda: L.ConvLSTM2D(2, 2)(x(2, 3, 4, 4, 1), initial_state=[x(2, 3, 3, 1)] * 2),
        lambda: L.ConvLSTM2D(2, 2).reset_states(),
        lambda: L.ConvLSTM2DCell(2, 2) if hasattr(L, "ConvLSTM2DCell") else 0,
        lambda: L.Bidirectional(3),
        lambda: both(backward_layer=3),
        lambda: both(backward_layer=lstm()),
        lambda: both(backward_layer=L.LSTM(4, go_backwards=True, return_sequences=True)),
        lambda: both(merge_mode="some"),
        lambda: both()(x(), initial_state=[x(2, 4)]),
        lambda: L.TimeDistributed(3),
        lambda: L.TimeDistributed(L.Dense(2)).build((None, 3)),
        lambda: L.Wrapper(3),
        lambda: L.Dense(2)(x().shape),
        lambda: L.Dense(2, input_spec=3),
        lambda: L.Layer().add_weight("a", [2], some=3),
        lambda: L.Layer().add_weight("a", [2], dtype="string", initializer=None),
        lambda: L.Layer().add_weight("a", [2], dtype="int32").dtype.name,
        lambda: L.Layer(name="a b")(x()),
        lambda: L.Embedding(5, 2)(x(2, 2) * 0),
        lambda: metric_twice(x()),
        lambda: metric_twice(x(), aggregation="mean", name="a"),
        lambda: metric_twice(x(), aggregation="some", name="a"),
        lambda: metric_twice(tf.keras.metrics.Mean(name="a")(1.0)),
        lambda: [p.name for p in Named().weights],
        lambda: L.InputSpec(dtype="int32", shape=(None, 3)),
        lambda: tf.keras.metrics.Metric().update_state(),
        lambda: L.Layer().add_loss(lambda: None),
        lambda: L.Layer().get_losses_for(None),
        lambda: tf.keras.Model().get_layer(),
        lambda: tf.layers.Dense(2, input_shape=(3,)).input_spec,
        lambda: tf.layers.dense(tf.placeholder(tf.float32, [2, None]), 3),
        lambda: tf.layers.dense(tf.placeholder(tf.float32), 3),
        lambda: tf.layers.conv2d(x(), 2, 2),
        lambda: tf.layers.batch_normalization(x(), renorm=True, renorm_clipping={"some": 1}),
        lambda: tf.layers.flatten(tf.placeholder(tf.float32, [None, 3, 4])).shape,
    )
    init = {"kernel_initializer": "ones"}
    add(
        "called",
        lambda: L.BatchNormalization(
            adjustment=lambda s: (tf.constant(2.0), tf.constant(1.0)), virtual_batch_size=1
        )(x(2, 4), training=True),
        lambda: L.BatchNormalization(
            renorm=True, renorm_clipping={"rmin": 0.5, "rmax": 2.0, "dmax": 1.0}
        )(x(2, 4), training=True),
        lambda: L.BatchNormalization(center=False, scale=False)(x(), training=True),
        lambda: L.BatchNormalization(dtype="float16")(tf.cast(x(), tf.float16)).dtype.name,
        lambda: L.LayerNormalization(axis=[1, 2])(x()),
        lambda: L.Conv1D(2, 2, data_format="channels_first", **init)(x()),
        lambda: (
            L.Conv2D(2, 2, data_format="channels_first", use_bias=True, **init)(x(1, 2, 3, 4)).shape
        ),
        lambda: L.Conv2DTranspose(2, 2, dilation_rate=2, **init)(x(1, 3, 3, 1)),
        lambda: L.Conv2DTranspose(1, 2, output_padding=0, strides=2, **init)(x(1, 3, 3, 1)),
        lambda: L.Conv2DTranspose(1, 2, output_padding=2, strides=2)(x(1, 3, 3, 1)),
        lambda: L.Conv2DTranspose(1, 3, padding="same", strides=2, **init)(x(1, 3, 3, 1)),
        lambda: L.SeparableConv1D(
            2, 2, padding="causal", depthwise_initializer="ones", pointwise_initializer="ones"
        )(x()),
        lambda: L.ZeroPadding1D(1)(x()),
        lambda: L.Cropping1D(1)(x()),
        lambda: L.UpSampling1D(2)(x()),
        lambda: L.Dense(2, activation="elu", **init)(x(2, 3)),
        lambda: L.Dense(2, activation={"class_name": "relu", "config": {}}, **init)(x(2, 3)),
        lambda: lstm(implementation=2, dropout=0.0)(x()),
        lambda: L.GRU(4, implementation=2, recurrent_initializer="zeros", **init)(x()),
        lambda: L.GRU(4, implementation=2, reset_after=True, recurrent_initializer="zeros", **init)(
            x()
        ),
        lambda: L.GRU(4, implementation=2, use_bias=False, recurrent_initializer="zeros", **init)(
            x()
        ),
        lambda: L.RNN(Cell(), return_state=True)(x()),
        lambda: L.RNN(Constant())(x(), constants=[x(2, 4)]),
        lambda: L.RNN(Constant())(x(), constants=[x(2, 4)], initial_state=[x(2, 4)]),
        lambda: L.RNN(Constant())([x(), x(2, 4), x(2, 4)]),
        lambda: L.RNN([Cell(), Cell()], go_backwards=True)(x()),
        lambda: L.RNN(Cell())(x(), mask=tf.constant([[True, False, True]] * 2)),
        lambda: L.RNN(Cell(), time_major=True)(x(), initial_state=[x(3, 4)]),
        lambda: both(merge_mode="sum")(x()).shape,
        lambda: both(merge_mode="ave")(x()).shape,
        lambda: both(merge_mode="mul")(x()).shape,
        lambda: [t.shape for t in both(merge_mode=None)(x())],
        lambda: [t.shape for t in both(lstm(return_state=True))(x())],
        lambda: both()(x(), initial_state=[x(2, 4)] * 4).shape,
        lambda: [int(s) for s in both()(inputs(3, 4), initial_state=[inputs(4)] * 4).shape[1:]],
        lambda: both(L.RNN(Constant()))(x(), constants=[x(2, 4)]).shape,
        lambda: both(weights=[np.zeros(s) for s in ((4, 16), (4, 16), (16,)) * 2])(x()),
        lambda: both(lstm(return_sequences=True)).compute_mask(x(), tf.constant([True])),
        lambda: both(lstm(return_sequences=True), merge_mode=None).compute_mask(
            x(), [tf.constant([True])]
        ),
        lambda: both().compute_mask(x(), tf.constant([True])),
        lambda: L.TimeDistributed(L.Dense(2, **init))(x()),
        lambda: L.TimeDistributed(L.Dense(2, **init))(
            tf.placeholder_with_default(x(), [None, None, 4])
        ),
        lambda: L.TimeDistributed(L.LSTM(2))(x(2, 3, 4, 1)).shape,
        lambda: L.Masking().compute_mask(x() * 0),
        lambda: Masked()(x(), tf.constant([True])),
        lambda: L.Lambda(lambda v, mask=None: v, mask=tf.constant([True]))(x()),
        lambda: [int(s) for s in L.Reshape((-1,))(inputs(3, 4)).shape[1:]],
        lambda: tf.layers.separable_conv1d(
            x(), 2, 2, depthwise_initializer=ones, pointwise_initializer=ones
        ),
        lambda: tf.layers.conv3d_transpose(x(1, 2, 2, 2, 1), 1, 2, kernel_initializer=ones),
        lambda: tf.layers.batch_normalization(x(), virtual_batch_size=1, training=True),
        lambda: tf.keras.experimental.PeepholeLSTMCell(2).get_config()["units"],
    )
    return found
