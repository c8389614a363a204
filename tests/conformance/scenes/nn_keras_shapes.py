"""Output shapes of Keras layers for partially known inputs, and attributes that hold their options."""

import numpy as np

from tests.conformance.scenes import in_own_graph

_PLAIN = (int, float, str, bool, tuple, list, type(None))


def _attributes(layer):
    """A layer's plain attributes."""
    found = {n: v for n, v in vars(layer).items() if n[0] != "_" and isinstance(v, _PLAIN)}
    return {n: found[n] for n in sorted(found) if n != "support_masking"}


def _shapes(tf, stage, cases, rank):
    """Records each layer's attributes, and its shapes for inputs of a rank with increasingly many unknown sizes."""
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
            "conv same": lambda: k.Conv1D(3, 2, 2, "same", dilation_rate=1, use_bias=False),
            "pool first": lambda: k.MaxPooling1D(2, data_format="channels_first"),
            "up": lambda: k.UpSampling1D(3),
            "padding": lambda: k.ZeroPadding1D((1, 2)),
            "padding text": lambda: k.ZeroPadding1D("a"),
            "cropping": lambda: k.Cropping1D((1, 2)),
            "flatten": lambda: k.Flatten(),
            "dense": lambda: k.Dense(3),
            "embedding length": lambda: k.Embedding(3, 2, input_length=9),
            "rnn major": lambda: k.SimpleRNN(3, return_sequences=True, time_major=True),
            "softmax": lambda: k.Softmax(1),
        },
        3,
    )


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
