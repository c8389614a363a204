"""tf.keras models that are invalid, used too early, or compiled with unknown names."""

import os
import tempfile


def _layers(tf, name="layers"):
    tf.keras.backend.clear_session()
    return getattr(tf.keras, name)


def _model(tf, compiled=True, **how):
    layers = _layers(tf)
    model = tf.keras.Sequential(
        [
            layers.Dense(5, activation="relu", input_shape=(4,), name="one"),
            layers.Dense(3, name="two"),
        ]
    )
    if compiled:
        model.compile(**dict({"optimizer": "sgd", "loss": "mse"}, **how))
    return model


def a_summary_of_an_unbuilt_model(tf):
    layers = _layers(tf)
    tf.keras.Sequential([layers.Dense(3)]).summary()


def inputs_of_an_unbuilt_model(tf):
    layers = _layers(tf)
    return tf.keras.Sequential([layers.Dense(3)]).layers[0].input


def layers_that_are_none(tf):
    _layers(tf)
    tf.keras.Sequential().add("dense")


def two_layers_of_one_name(tf):
    layers = _layers(tf)
    x = tf.keras.Input([3])
    tf.keras.Model(x, layers.Dense(2, name="a")(layers.Dense(2, name="a")(x)))


def an_input_that_no_layer_made(tf):
    layers = _layers(tf)
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    tf.keras.Model(x, layers.Dense(2)(x))


def one_input_twice(tf):
    layers = _layers(tf)
    x = tf.keras.Input([3], name="x")
    tf.keras.Model([x, x], layers.Dense(2)(x))


def another_input_than_it_was_built_for(tf):
    layers = _layers(tf)
    layer = layers.Dense(3, name="d")
    layer(tf.keras.Input([4]))
    layer(tf.keras.Input([5]))


def sums_of_unequal_shapes(tf):
    layers = _layers(tf)
    layers.add([tf.keras.Input([3]), tf.keras.Input([4])])


def joining_unequal_shapes(tf):
    layers = _layers(tf)
    layers.concatenate([tf.keras.Input([3, 2]), tf.keras.Input([4, 2])])


def weights_of_a_checkpoint_by_name(tf):
    model = _model(tf)
    path = os.path.join(tempfile.mkdtemp(), "weights")
    model.save_weights(path)
    model.load_weights(path, by_name=True)


def the_configuration_of_a_subclassed_model(tf):
    _layers(tf)

    class Own(tf.keras.Model):
        pass

    Own().to_json()


def a_model_of_an_unknown_layer(tf):
    layers = _layers(tf)

    class Mine(layers.Dense):
        pass

    model = tf.keras.Sequential([Mine(3, input_shape=(4,))])
    tf.keras.models.model_from_json(model.to_json())


def a_model_file_that_is_not_there(tf):
    _layers(tf)
    tf.keras.models.load_model("nowhere.h5")
