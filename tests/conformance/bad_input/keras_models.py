"""Models of tf.keras that cannot be, that are used too early, and compiled with what there is not."""

import os
import tempfile

import numpy as np


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


def a_loss_that_is_none(tf):
    model = _model(tf, loss=None)
    model.fit(np.ones([4, 4]), np.ones([4, 3]), verbose=0)


def weights_of_an_unbuilt_model(tf):
    layers = _layers(tf)
    return tf.keras.Sequential([layers.Dense(3)]).weights


def a_summary_of_an_unbuilt_model(tf):
    layers = _layers(tf)
    tf.keras.Sequential([layers.Dense(3)]).summary()


def inputs_of_an_unbuilt_model(tf):
    layers = _layers(tf)
    return tf.keras.Sequential([layers.Dense(3)]).layers[0].input


def layers_that_are_none(tf):
    _layers(tf)
    tf.keras.Sequential().add("dense")


def popping_from_nothing(tf):
    _layers(tf)
    tf.keras.Sequential().pop()


def two_layers_of_one_name(tf):
    layers = _layers(tf)
    x = tf.keras.Input([3])
    tf.keras.Model(x, layers.Dense(2, name="a")(layers.Dense(2, name="a")(x)))


def a_graph_that_is_not_connected(tf):
    layers = _layers(tf)
    x, y = tf.keras.Input([3], name="x"), tf.keras.Input([3], name="y")
    tf.keras.Model(x, layers.add([x, y]))


def an_input_that_no_layer_made(tf):
    layers = _layers(tf)
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    tf.keras.Model(x, layers.Dense(2)(x))


def one_input_twice(tf):
    layers = _layers(tf)
    x = tf.keras.Input([3], name="x")
    tf.keras.Model([x, x], layers.Dense(2)(x))


def a_layer_of_another_rank(tf):
    layers = _layers(tf)
    layers.Conv2D(3, 3)(tf.keras.Input([8, 8]))


def a_recurrent_layer_of_another_rank(tf):
    layers = _layers(tf)
    layers.LSTM(3)(tf.keras.Input([8]))


def a_convolution_larger_than_its_image(tf):
    layers = _layers(tf)
    layers.Conv2D(3, 5)(tf.keras.Input([4, 4, 1]))


def a_flattening_of_unknown_places(tf):
    layers = _layers(tf)
    layers.Dense(3)(layers.Flatten()(tf.keras.Input([None, None, 3])))


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


def merging_one(tf):
    layers = _layers(tf)
    layers.Add()(tf.keras.Input([3]))


def a_negative_number_of_units(tf):
    layers = _layers(tf)
    layers.Dense(-3)(tf.keras.Input([4]))


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


CASES = {
    "an_unknown_loss": lambda tf: _model(tf, loss="mean_square"),
    "an_unknown_optimizer": lambda tf: _model(tf, optimizer="sdg"),
    "an_unknown_metric": lambda tf: _model(tf, metrics=["acuracy"]),
    "an_unknown_activation": lambda tf: _layers(tf).Dense(3, activation="rellu"),
    "an_unknown_initializer": lambda tf: _layers(tf).Dense(3, kernel_initializer="golort"),
    "an_unknown_regularizer": lambda tf: _layers(tf).Dense(3, kernel_regularizer="l3"),
    "an_unknown_constraint": lambda tf: _layers(tf).Dense(3, kernel_constraint="positive"),
    "an_optimizer_that_is_none": lambda tf: _model(tf, optimizer=3),
    "losses_of_the_wrong_count": lambda tf: _model(tf, loss=["mse", "mse"]),
    "losses_of_unknown_outputs": lambda tf: _model(tf, loss={"three": "mse"}),
    "loss_weights_of_unknown_outputs": lambda tf: _model(tf, loss_weights={"three": 1.0}),
    "metrics_of_unknown_outputs": lambda tf: _model(tf, metrics={"three": "mae"}),
    "metrics_of_the_wrong_count": lambda tf: _model(tf, metrics=[["mae"], ["mae"]]),
    "an_unknown_sample_weight_mode": lambda tf: _model(
        tf, sample_weight_mode={"three": "temporal"}
    ),
    "training_uncompiled": lambda tf: _model(tf, compiled=False).fit(
        np.ones([4, 4]), np.ones([4, 3])
    ),
    "evaluating_uncompiled": lambda tf: _model(tf, compiled=False).evaluate(
        np.ones([4, 4]), np.ones([4, 3])
    ),
    "a_generator_uncompiled": lambda tf: _model(tf, compiled=False).fit_generator(
        (b for b in [(np.ones([4, 4]), np.ones([4, 3]))]), steps_per_epoch=1
    ),
    "a_layer_by_an_unknown_name": lambda tf: _model(tf).get_layer("three"),
    "a_layer_by_too_large_a_number": lambda tf: _model(tf).get_layer(index=5),
    "a_layer_by_nothing": lambda tf: _model(tf).get_layer(),
    "an_unknown_argument_of_a_layer": lambda tf: _layers(tf).Dense(3, activations="relu"),
    "weights_of_the_wrong_count": lambda tf: _model(tf).set_weights([np.ones([4, 5])]),
    "weights_of_the_wrong_shape": lambda tf: (
        _model(tf).layers[0].set_weights([np.ones([5, 4]), np.ones([5])])
    ),
    "weights_in_an_unknown_format": lambda tf: _model(tf).save_weights(
        "weights", save_format="zip"
    ),
}
