"""Layers: mismatched inputs, invalid arguments, attributes unavailable before the first call."""


def x(tf, shape=(None, 3), dtype="float32"):
    return tf.placeholder(dtype, shape, name="x")


def other_depth_at_the_second_call(tf):
    layer = tf.layers.Dense(2, name="layer")
    layer(x(tf))
    return layer(tf.ones([2, 4]))


def call_that_returns_nothing(tf):
    class Layer(tf.layers.Layer):
        def call(self, inputs):
            tf.identity(inputs)

    return Layer(name="empty")(x(tf))


def complex_weight_without_initializer(tf):
    layer = tf.layers.Layer(name="layer")
    return layer.add_weight("w", [2], tf.complex64)


def trained_and_synchronized_on_reading(tf):
    on_read = tf.VariableSynchronization.ON_READ
    return tf.layers.Layer().add_weight("w", [2], trainable=True, synchronization=on_read)


def input_spec_that_is_none(tf):
    tf.layers.Layer().input_spec = [3]


def into(tf, shape, dtype="float32", **spec):
    class Layer(tf.layers.Layer):
        def call(self, inputs):
            return inputs

    layer = Layer(name="strict")
    layer.input_spec = tf.layers.InputSpec(**spec)
    return layer(x(tf, shape, dtype))


def input_of_a_layer(tf):
    layer = tf.layers.Dense(2, name="layer")
    layer(x(tf))
    return layer.input


def configuration_that_nobody_says(tf):
    class Layer(tf.layers.Layer):
        def __init__(self, size, shape):
            super().__init__()

    return Layer(3, 4).get_config()


def dependence_on_no_tensor(tf):
    layer = tf.layers.Layer()
    layer.add_loss(tf.ones([]), inputs=True)
    return layer.get_losses_for([3])


def keras_style_with_scope(tf):
    with tf.layers.experimental.keras_style_scope():
        return tf.layers.Dense(2)(x(tf), scope="scope")


def keras_style_with_reuse(tf):
    with tf.layers.experimental.keras_style_scope():
        return tf.layers.dense(x(tf), 2, reuse=True)


def keras_style_with_a_name(tf):
    with tf.layers.experimental.keras_style_scope():
        return tf.layers.dense(x(tf), 2, name="named")
