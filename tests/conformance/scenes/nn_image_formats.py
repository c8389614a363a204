"""Keras layers under both image formats of `set_image_data_format`, and with an explicit format."""

import inspect

_NEEDED = {"filters": 3, "kernel_size": 2, "rate": 0.5}


def _classes(tf):
    """Names of layers that take a format, with their numbers of axes."""
    for name in sorted(dir(tf.keras.layers)):
        kind = getattr(tf.keras.layers, name)
        if inspect.isclass(kind) and kind.__name__ == name:
            parameters = inspect.signature(kind.__init__).parameters
            if "data_format" in parameters:
                yield kind, {key: _NEEDED[key] for key in _NEEDED if key in parameters}


def _told(tf, stage, kind, options):
    """Records a layer's format, output shapes and nodes."""
    axes = 3 + ("2D" in kind.__name__) + 2 * ("3D" in kind.__name__)
    axes += kind.__name__ in ("Flatten", "ConvLSTM2D")
    with stage.failing():
        layer = kind(**options)
        formats = layer.data_format, layer.get_config().get("data_format")
        shape = [2, 4, 6, 8, 10][:axes]
        stage.say(kind.__name__, *formats, layer.compute_output_shape(shape))
        with tf.Graph().as_default() as graph:
            made = layer(tf.placeholder(tf.float32, [None, *shape[1:]]))
            if isinstance(made, tf.Tensor):
                stage.say(made.shape)
            stage.say(len(graph.get_operations()), [tuple(v.shape) for v in layer.weights])


def _all(tf, stage, **given):
    with tf.Graph().as_default():  # TensorFlow adds nodes when it first looks for GPUs in a process
        first = tf.keras.layers.Conv2DTranspose(1, 1, data_format="channels_first")
        first(tf.placeholder(tf.float32, [None, 1, 1, 1]))
    for kind, options in _classes(tf):
        _told(tf, stage, kind, {**options, **given})


def given(tf, stage):
    _all(tf, stage, data_format="channels_first")
    _all(tf, stage, data_format="Channels_Last")
    _all(tf, stage, data_format="NHWC")
