"""Shapes that Keras's layers foretell for sizes known in part, and the attributes that they keep of their options."""

import numpy as np

from tests.conformance.scenes import in_own_graph

_PLAIN = (int, float, str, bool, tuple, list, type(None))


def _attributes(layer):
    """What a layer keeps, as far as it is plain."""
    found = {n: v for n, v in vars(layer).items() if n[0] != "_" and isinstance(v, _PLAIN)}
    return {n: found[n] for n in sorted(found) if n != "support_masking"}


def _shapes(tf, stage, cases, rank):
    """Says of each layer its attributes, and the shapes for inputs of that rank, more and more unknown."""
    sizes = (2, 9, 8, 7, 6)[: rank - 1] + (4,)
    shapes = [sizes, (None, *sizes[1:]), (*sizes[:1], None, *sizes[2:]), (*sizes[:-1], None)]
    shapes.append((None,) * rank)
    for name, make in cases.items():
        with stage.failing():
            layer = make()
            stage.say(name, _attributes(layer), layer.input_spec)
            for given in (*shapes, tf.TensorShape(shapes[1]), list(shapes[0])):
                stage.attempt(lambda: str(layer.compute_output_shape(given)))  # noqa: B023  called here


@in_own_graph
def of_sequences(tf, stage):
    k = tf.keras.layers
    _shapes(
        tf,
        stage,
        {
            "conv": lambda: k.Conv1D(3, 2, 2),
            "conv same": lambda: k.Conv1D(3, 2, 2, "same", dilation_rate=1, use_bias=False),
            "conv causal": lambda: k.Conv1D(3, 3, padding="causal", dilation_rate=2),
            "conv first": lambda: k.Conv1D(3, 2, data_format="channels_first"),
            "apart": lambda: k.SeparableConv1D(3, 2, 2, depth_multiplier=2),
            "local": lambda: k.LocallyConnected1D(3, 2, 2),
            "local same": lambda: k.LocallyConnected1D(3, 2, 2, "same", implementation=3),
            "pool": lambda: k.MaxPooling1D(),
            "pool same": lambda: k.AveragePooling1D(3, 2, "same"),
            "pool first": lambda: k.MaxPooling1D(2, data_format="channels_first"),
            "all": lambda: k.GlobalMaxPooling1D(),
            "all first": lambda: k.GlobalAveragePooling1D("channels_first"),
            "up": lambda: k.UpSampling1D(3),
            "padding": lambda: k.ZeroPadding1D((1, 2)),
            "padding text": lambda: k.ZeroPadding1D("a"),
            "cropping": lambda: k.Cropping1D((1, 2)),
            "cropping much": lambda: k.Cropping1D(9),
            "repeat": lambda: k.RepeatVector(3),
            "repeat none": lambda: k.RepeatVector(None),
            "reshape": lambda: k.Reshape((6, -1)),
            "reshape known": lambda: k.Reshape([36]),
            "reshape two": lambda: k.Reshape((-1, -1)),
            "permute": lambda: k.Permute((2, 1)),
            "permute zero": lambda: k.Permute((0, 1)),
            "flatten": lambda: k.Flatten(),
            "flatten first": lambda: k.Flatten("channels_first"),
            "masking": lambda: k.Masking(),
            "dense": lambda: k.Dense(3),
            "embedding": lambda: k.Embedding(3, 2),
            "embedding length": lambda: k.Embedding(3, 2, input_length=9),
            "embedding lengths": lambda: k.Embedding(3, 2, input_length=(9, None)),
            "rnn": lambda: k.LSTM(3, return_state=True),
            "rnn sequences": lambda: k.GRU(3, return_sequences=True, go_backwards=True),
            "rnn major": lambda: k.SimpleRNN(3, return_sequences=True, time_major=True),
            "both": lambda: k.Bidirectional(k.LSTM(3, return_sequences=True)),
            "each": lambda: k.TimeDistributed(k.Dense(3)),
            "softmax": lambda: k.Softmax(1),
            "prelu": lambda: k.PReLU(shared_axes=[1]),
            "norm": lambda: k.BatchNormalization(1),
            "layer norm": lambda: k.LayerNormalization(),
            "spatial": lambda: k.SpatialDropout1D(0.25),
            "activity": lambda: k.ActivityRegularization(0.5),
            "leaky": lambda: k.LeakyReLU(0.25),
            "elu": lambda: k.ELU(0.5),
            "relu": lambda: k.ReLU(3.0, 0.5, 1.0),
            "threshold": lambda: k.ThresholdedReLU(0.5),
        },
        3,
    )


@in_own_graph
def of_images(tf, stage):
    k = tf.keras.layers
    first = {"data_format": "channels_first"}
    _shapes(
        tf,
        stage,
        {
            "conv": lambda: k.Conv2D(3, (2, 3), (2, 1)),
            "conv same": lambda: k.Conv2D(3, 2, 2, "same"),
            "conv dilated": lambda: k.Conv2D(3, 2, dilation_rate=(2, 3)),
            "conv first": lambda: k.Conv2D(3, 2, **first),
            "turned": lambda: k.Conv2DTranspose(3, (2, 3), (2, 1)),
            "turned same": lambda: k.Conv2DTranspose(3, 2, 2, "same"),
            "turned more": lambda: k.Conv2DTranspose(3, 3, 2, output_padding=1),
            "turned same more": lambda: k.Conv2DTranspose(3, 3, 2, "same", output_padding=(1, 0)),
            "turned dilated": lambda: k.Conv2DTranspose(3, 2, dilation_rate=2),
            "turned first": lambda: k.Conv2DTranspose(3, 2, 2, **first),
            "apart": lambda: k.SeparableConv2D(3, 2, (2, 1)),
            "apart first": lambda: k.SeparableConv2D(3, 2, **first),
            "by depth": lambda: k.DepthwiseConv2D(2, depth_multiplier=2),
            "by depth same": lambda: k.DepthwiseConv2D((2, 3), (2, 1), "same"),
            "by depth first": lambda: k.DepthwiseConv2D(2, **first),
            "local": lambda: k.LocallyConnected2D(3, 2, (2, 1)),
            "local first": lambda: k.LocallyConnected2D(3, 2, **first),
            "pool": lambda: k.MaxPooling2D(),
            "pool same": lambda: k.AveragePooling2D((3, 2), (2, 1), "same"),
            "pool first": lambda: k.MaxPooling2D(2, **first),
            "all": lambda: k.GlobalMaxPooling2D(),
            "all first": lambda: k.GlobalAveragePooling2D("channels_first"),
            "up": lambda: k.UpSampling2D((3, 2)),
            "up first": lambda: k.UpSampling2D(2, "channels_first", "bilinear"),
            "padding": lambda: k.ZeroPadding2D(((1, 2), (3, 4))),
            "padding first": lambda: k.ZeroPadding2D((1, 2), "channels_first"),
            "cropping": lambda: k.Cropping2D(((1, 2), (3, 1))),
            "cropping first": lambda: k.Cropping2D((1, 2), "channels_first"),
            "flatten": lambda: k.Flatten(),
            "spatial": lambda: k.SpatialDropout2D(0.25),
            "norm": lambda: k.BatchNormalization(),
        },
        4,
    )


@in_own_graph
def of_volumes(tf, stage):
    k = tf.keras.layers
    first = {"data_format": "channels_first"}
    _shapes(
        tf,
        stage,
        {
            "conv": lambda: k.Conv3D(3, 2, (2, 1, 3)),
            "conv same first": lambda: k.Conv3D(3, (2, 3, 1), 2, "same", **first),
            "turned": lambda: k.Conv3DTranspose(3, (2, 3, 1), (2, 1, 2)),
            "turned same": lambda: k.Conv3DTranspose(3, 2, 2, "same"),
            "turned more": lambda: k.Conv3DTranspose(3, 3, 2, output_padding=1),
            "turned first": lambda: k.Conv3DTranspose(3, 2, 2, **first),
            "pool": lambda: k.MaxPooling3D((2, 3, 1)),
            "pool same first": lambda: k.AveragePooling3D(3, 2, "same", **first),
            "all": lambda: k.GlobalMaxPooling3D(),
            "all first": lambda: k.GlobalAveragePooling3D("channels_first"),
            "up": lambda: k.UpSampling3D((3, 2, 1)),
            "up first": lambda: k.UpSampling3D(2, "channels_first"),
            "padding": lambda: k.ZeroPadding3D(((1, 2), (3, 4), (0, 1))),
            "padding first": lambda: k.ZeroPadding3D((1, 2, 3), "channels_first"),
            "padding text": lambda: k.ZeroPadding3D(((1, 2), 3)),
            "cropping": lambda: k.Cropping3D(((1, 2), (3, 1), (0, 1))),
            "cropping first": lambda: k.Cropping3D((1, 2, 1), "channels_first"),
            "cropping wrong": lambda: k.Cropping3D((1, 2)),
            "images": lambda: k.ConvLSTM2D(3, 2, 2, return_sequences=True, return_state=True),
            "images first": lambda: k.ConvLSTM2D(3, 2, padding="same", **first),
            "spatial": lambda: k.SpatialDropout3D(0.25),
        },
        5,
    )


@in_own_graph
def of_several(tf, stage):
    k = tf.keras.layers
    for make in (lambda: k.Add(),):
        layer = make()
        stage.say(_attributes(layer), layer.input_spec)
        for shapes in (
            [(2, 3), (2, 3)],
            [(None, 3), (2, 3)],
            [(None, 3), (None, 3), (4, 3)],
            [(2, None), (None, 3)],
            [(2, 3, 4), (2, 3, 1)],
            [(2, 3, 4), (2, 4)],
            [(2, 3, 4), (2, 4, 5)],
            [(2, 3), (3, 3)],
            [(2, 3)],
            (2, 3),
            [tf.TensorShape([2, 3]), tf.TensorShape([None, 1])],
            [],
        ):
            stage.attempt(lambda: str(layer.compute_output_shape(shapes)))  # noqa: B023
            with stage.failing():
                layer.build(shapes)
                stage.say("built", layer.built)


@in_own_graph
def windows_of_the_backend(tf, stage):
    k = tf.keras.backend
    rows = lambda *shape: tf.constant(  # noqa: E731
        ((np.arange(int(np.prod(shape))) * 5 % 9 - 4.0) / 4).astype(np.float32).reshape(shape)
    )
    seq, image, volume = rows(1, 5, 2), rows(1, 4, 3, 2), rows(1, 2, 3, 3, 1)
    fed = tf.placeholder_with_default(np.ones([1, 4, 3, 2], np.float32), [None, None, None, 2])
    first = {"data_format": "channels_first"}
    lengths = tf.constant([[4], [3]])
    scores = tf.nn.softmax(rows(2, 4, 3))
    cases = (
        lambda: k.conv1d(seq, rows(2, 2, 3), 2, "same"),
        lambda: k.conv1d(seq, rows(2, 2, 3), padding="causal", dilation_rate=2),
        lambda: k.conv1d(seq, rows(2, 2, 3), padding="half"),
        lambda: k.conv1d(seq, rows(2, 5, 1), **first),
        lambda: k.conv1d(seq, rows(2, 2, 3), data_format="NWC"),
        lambda: k.conv2d(image, rows(2, 3, 2, 2), (2, 1), "same"),
        lambda: k.conv2d(image, rows(2, 2, 2, 1), dilation_rate=(2, 1)),
        lambda: k.conv2d(image, rows(2, 2, 2, 1), data_format="NHWC"),
        lambda: k.conv2d(fed, rows(2, 2, 2, 1)),
        lambda: k.conv2d_transpose(image, rows(2, 2, 3, 2), (1, 8, 6, 3), (2, 2), "same"),
        lambda: k.conv2d_transpose(image, rows(2, 2, 1, 2), (1, 5, 4, 1)),
        lambda: k.conv2d_transpose(image, rows(2, 2, 1, 2), (1, 6, 5, 1), dilation_rate=(2, 2)),
        lambda: k.conv2d_transpose(image, rows(2, 2, 1, 2), (1, 6, 5, 1), dilation_rate=(2, 1)),
        lambda: k.conv2d_transpose(image, rows(2, 2, 1, 2), (1, 5, 4, 1), padding="half"),
        lambda: k.conv3d(volume, rows(1, 2, 2, 1, 2), (1, 2, 1), "same"),
        lambda: k.conv3d(volume, rows(1, 2, 2, 1, 1), dilation_rate=(1, 2, 1)),
        lambda: k.conv3d(volume, rows(1, 2, 2, 1, 1), data_format="NDHWC"),
        lambda: k.separable_conv2d(image, rows(2, 2, 2, 2), rows(1, 1, 4, 3), (2, 2), "same"),
        lambda: k.separable_conv2d(image, rows(2, 2, 2, 1), rows(1, 1, 2, 1), dilation_rate=(2, 2)),
        lambda: k.separable_conv2d(image, rows(2, 2, 2, 1), rows(1, 1, 2, 1), strides=3),
        lambda: k.separable_conv2d(image, rows(2, 2, 2, 1), rows(1, 1, 2, 1), strides=(1, 2, 1)),
        lambda: k.pool2d(image, (2, 3), (2, 1), "same", pool_mode="avg"),
        lambda: k.pool2d(image, (2, 2), **first),
        lambda: k.pool2d(image, 2),
        lambda: k.pool2d(image, (2, 2), strides=(1,)),
        lambda: k.pool2d(image, (2, 2), data_format="NHWC"),
        lambda: k.pool2d(image, (2, 2), pool_mode="sum"),
        lambda: k.pool3d(volume, (2, 2, 1), (1, 2, 3), "same"),
        lambda: k.pool3d(volume, (2, 2, 2), pool_mode="avg"),
        lambda: k.pool3d(volume, (2, 2, 2), pool_mode="sum"),
        lambda: k.pool3d(volume, (1, 1, 1), **first),
        lambda: k.local_conv1d(seq, rows(2, 4, 3), (2,), (2,)),
        lambda: k.local_conv2d(image, rows(4, 8, 3), (2, 2), (2, 1), (2, 2)),
        lambda: k.local_conv2d(image, rows(2, 8, 3), (1, 4), (1, 1), (2, 1), "channels_first"),
        lambda: k.local_conv2d(image, rows(4, 8, 3), (2, 2), (2, 1), (2, 2), "NHWC"),
        lambda: k.bias_add(image, rows(2)),
        lambda: k.bias_add(image, rows(4), "channels_first"),
        lambda: k.bias_add(image, rows(4, 3, 2)),
        lambda: k.bias_add(image, rows(3, 2, 4), "channels_first"),
        lambda: k.bias_add(seq, rows(5, 2)),
        lambda: k.bias_add(seq, rows(2, 5), "channels_first"),
        lambda: k.bias_add(volume, rows(2, 3, 3, 1)),
        lambda: k.bias_add(volume, rows(2), "channels_first"),
        lambda: k.bias_add(rows(2, 3), rows(3)),
        lambda: k.bias_add(image, rows(3, 2)),
        lambda: k.bias_add(image, rows(2), "NHWC"),
        lambda: k.spatial_3d_padding(volume, ((1, 0), (0, 1), (2, 0))),
        lambda: k.spatial_3d_padding(volume, **first),
        lambda: k.spatial_3d_padding(volume, data_format="NDHWC"),
        lambda: k.spatial_2d_padding(image, ((1, 0), (0, 2))),
        lambda: k.spatial_2d_padding(image, ((1, 0),)),
        lambda: k.temporal_padding(seq),
        lambda: k.resize_images(image, 2, 3, "channels_last", "bilinear"),
        lambda: k.resize_images(image, 1, 2, "channels_first"),
        lambda: k.resize_images(image, 1, 2, "channels_last", "cubic"),
        lambda: k.resize_images(fed, 2, 1, "channels_last"),
        lambda: k.resize_volumes(volume, 2, 1, 2, "channels_last"),
        lambda: k.resize_volumes(volume, 2, 1, 1, "channels_first"),
        lambda: k.resize_volumes(volume, 2, 1, 1, "NDHWC"),
        lambda: k.repeat_elements(fed, 2, 1),
        lambda: k.repeat_elements(image, 2, -1),
        lambda: k.ctc_batch_cost(
            tf.constant([[0, 1], [1, 0]]), scores, lengths, tf.constant([[2], [1]])
        ),
        lambda: k.ctc_decode(scores, lengths[:, 0])[0][0],
        lambda: k.ctc_decode(scores, lengths[:, 0])[1],
        lambda: k.ctc_decode(scores, lengths[:, 0], False, 3, 2)[0][1],
        lambda: k.ctc_decode(scores, lengths[:, 0], greedy=False, beam_width=2)[1],
        lambda: k.ctc_label_dense_to_sparse(
            tf.constant([[1, 2, 0], [3, 0, 0]]), tf.constant([2, 1])
        ),
        lambda: k.normalize_batch_in_training(image, rows(2), rows(2), [0, 1, 2], 0.5)[0],
        lambda: k.normalize_batch_in_training(image, None, rows(3), [0, 1, 3])[0],
        lambda: k.batch_normalization(image, rows(2), rows(2) ** 2, rows(2), None, epsilon=0.5),
        lambda: k.batch_dot(rows(2, 3), rows(2, 3, 2), (1, 1)),
        lambda: k.batch_dot(rows(2, 3, 2), rows(2, 2), (2, 1)),
        lambda: k.batch_dot(rows(2, 3, 2), rows(2, 2, 3)),
        lambda: k.batch_dot(rows(2, 3), rows(2, 3), (0, 1)),
        lambda: k.dot(tf.SparseTensor([[0, 1]], [2.0], [1, 2]), rows(2, 3)),
        lambda: k.concatenate([tf.SparseTensor([[0, 1]], [2.0], [1, 2])] * 2),
        lambda: k.concatenate([tf.SparseTensor([[0, 1]], [2.0], [1, 2]), rows(1, 2)], 0),
        lambda: k.sparse_categorical_crossentropy(tf.constant([[0.0, 2.0]]), scores[:1, :2]),
        lambda: k.sparse_categorical_crossentropy(tf.constant([[0, 1, 2, 0]]), scores[:1], axis=1),
        lambda: k.categorical_crossentropy(scores, scores, axis=1),
        lambda: k.binary_crossentropy(scores, scores),
        lambda: k.binary_crossentropy(scores, tf.sigmoid(rows(2, 4, 3))),
        lambda: k.moving_average_update(k.variable([1.0, 2.0]), tf.constant([3.0, 4.0]), 0.5).dtype,
    )
    with tf.Session() as session:
        for number, case in enumerate(cases):
            with stage.failing():
                made = case()
                stage.say(number, getattr(made, "name", type(made).__name__))
                if hasattr(made, "shape"):
                    stage.say(str(made.shape), session.run(made))
