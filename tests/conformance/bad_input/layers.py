"""Layers: inputs that do not fit, arguments that mean nothing, questions before the first call."""


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


CASES = {
    "integers_into_dense": lambda tf: tf.layers.dense(x(tf, [2, 2], "int32"), 2),
    "two_inputs_into_dense": lambda tf: tf.layers.dense([tf.ones([1, 2]), tf.ones([1, 2])], 2),
    "no_units": lambda tf: tf.layers.dense(x(tf), "many"),
    "unknown_initializer": lambda tf: tf.layers.dense(x(tf), 2, kernel_initializer="zeroes"),
    "regularizer_that_is_none": lambda tf: tf.layers.dense(x(tf), 2, kernel_regularizer=0.1),
    "constraint_that_is_none": lambda tf: tf.layers.dense(x(tf), 2, bias_constraint=1),
    "half_a_configuration": lambda tf: tf.layers.Dense(
        2, kernel_initializer={"class_name": "Zeros"}
    ),
    "unknown_argument_of_a_weight": lambda tf: tf.layers.Layer().add_weight("w", [2], size=3),
    "other_rank": lambda tf: into(tf, [2, None], ndim=3),
    "rank_too_high": lambda tf: into(tf, [2, 3, 4], max_ndim=2),
    "other_dtype": lambda tf: into(tf, [2], "int32", dtype=tf.float32),
    "other_size_of_an_axis": lambda tf: into(tf, [2, 3], axes={0: 4}),
    "scope_before_the_first_call": lambda tf: tf.layers.Dense(2, name="early").scope_name,
    "size_before_the_first_call": lambda tf: tf.layers.Dense(2, name="early").count_params(),
    "output_of_a_layer": lambda tf: tf.layers.Dense(2, name="layer").output,
    "mask_of_a_layer_without": lambda tf: tf.layers.Layer(name="plain").compute_mask(
        x(tf), [x(tf)]
    ),
    "output_shape_without_depth": lambda tf: tf.layers.Dense(2).compute_output_shape([2, None]),
    "metric_of_another_kind": lambda tf: tf.layers.Layer().add_metric(
        tf.ones([2]), "sum", "metric"
    ),
    "metric_that_is_no_mean": lambda tf: tf.layers.Layer().add_metric(tf.ones([]), name="metric"),
    "loss_of_no_number": lambda tf: tf.layers.Layer().add_loss("much"),
    "update_of_nothing": lambda tf: tf.layers.Layer().add_update(object()),
}
