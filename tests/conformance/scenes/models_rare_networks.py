"""Keras networks with removed layers, from handwritten configs, and with wrapped optimizers; image axes."""

import numpy as np

from tests.conformance.scenes import in_own_graph
from tests.conformance.scenes.models_data import _X, _Y, _constant, _one


@in_own_graph
def layers_taken_away(tf, stage):
    model = tf.keras.Sequential(
        [_constant(tf, 2, "a", input_shape=(2,)), _constant(tf, 3, "b"), _constant(tf, 1, "c")]
    )
    stage.say(model.predict(_X), [layer.name for layer in model.layers])
    model.pop()
    stage.attempts(
        lambda: (model.output_shape, len(model.layers[-1]._outbound_nodes), model.built),
        lambda: model.predict(_X),
        lambda: [w.name for w in model.weights],
        lambda: model.add(_constant(tf, 2, "d")),
        lambda: (model.output_shape, model.get_config()["layers"][-1]["class_name"]),
        lambda: model.predict(_X),
        model.build,
        lambda: (model.output_shape, model.built),
        lambda: model.predict(_X[:1]),
        model.pop,
        model.pop,
        lambda: (model.output_shape, model.built),
        model.pop,
        lambda: (model.outputs, model.inputs, model.built, model.layers),
        model.pop,
        lambda: model.output_shape,
    )
    stage.attempts(
        lambda: model.add(_constant(tf, 1, "e", input_shape=(2,))),
        lambda: (model.predict(_X), model.built),
    )
    waiting = tf.keras.Sequential([_constant(tf, 2, "f"), _constant(tf, 1, "g")])
    waiting.pop()
    stage.say(waiting.built, [layer.name for layer in waiting.layers])
    stage.say(waiting.predict(_X))
    two = tf.keras.layers.Lambda(lambda x: [x, x])
    stage.attempts(
        lambda: tf.keras.Sequential([_constant(tf, 1, "h", input_shape=(2,)), two]),
        lambda: tf.keras.Sequential([tf.keras.layers.Lambda(lambda x: [x, x], input_shape=(2,))]),
    )
    wide = tf.keras.Sequential([tf.keras.layers.Activation("linear", input_shape=(2,))])
    narrow = tf.keras.Sequential([tf.keras.layers.Activation("linear", input_shape=(1,))])
    above = tf.constant([[0.25, 0.5], [0.75, 1.5]])
    with tf.Session() as session:
        above = session.run(above)
    stage.say(wide.predict_classes(above), wide.predict_proba(above))
    stage.say(narrow.predict_classes(above[:, 1:]), narrow.predict_proba(-above[:, 1:]))


@in_own_graph
def described_by_hand(tf, stage):
    keras = tf.keras

    def dense(name, *calls):
        config = {"name": name, "units": 1, "kernel_initializer": "ones"}
        return {
            "class_name": "Dense",
            "name": name,
            "config": config,
            "inbound_nodes": [[[*call, {}]] for call in calls],
        }

    start = {
        "class_name": "InputLayer",
        "name": "x",
        "config": {"batch_input_shape": [None, 2], "name": "x", "dtype": "float32"},
        "inbound_nodes": [],
    }

    def made(*layers, outputs=(("b", 0, 0),), **more):
        config = {
            "name": "described",
            "layers": list(layers),
            "input_layers": [["x", 0, 0]],
            "output_layers": [list(row) for row in outputs],
            **more,
        }
        model = keras.Model.from_config(config)
        stage.say([layer.name for layer in model.layers], model.predict(_X))
        return model

    a, b = dense("a", ("x", 0, 0)), dense("b", ("a", 0, 0))
    stage.attempts(
        lambda: made(b, a, start).count_params(),
        lambda: made(start, dense("b", ("x", 0, 0)), dense("unused", ("b", 0, 0))).count_params(),
    )
    x = keras.Input((2,), name="x")
    scale = np.array([1.0, 2.0], np.float32)
    for more in (scale, tf.constant(scale), 2.0, [1.0, 2.0], object()):
        with stage.failing():
            model = keras.Model(x, _add(tf, x, more))
            stage.say(model.get_config()["layers"][1]["inbound_nodes"])


def _add(tf, x, more):
    class Added(tf.keras.layers.Layer):
        def call(self, x, more=None):
            return x + more if isinstance(more, (np.ndarray, float, tf.Tensor)) else x * 1.0

    return Added(name="added")(x, more=more)


@in_own_graph
def wrapped_optimizers(tf, stage):
    model = tf.keras.Sequential([_constant(tf, 1, "d", input_shape=(2,))])
    model.compile(tf.train.GradientDescentOptimizer(0.1), "mse", metrics=["mse", "mse"])
    stage.say(model.metrics_names, type(model.optimizer).__name__)
    stage.say(model.train_on_batch(_X, _Y), model.train_on_batch(_X, _Y))
    wrapped = model.optimizer
    stage.attempts(
        lambda: wrapped.weights,
        lambda: wrapped.get_config(),
        lambda: wrapped.from_config({}),
        lambda: [g.shape.as_list() for g, _ in wrapped.get_grads(model.total_loss, model.weights)],
        lambda: wrapped.get_updates(model.total_loss, [])[0].op.type,
    )
    model.layers[0].trainable = False
    model.compile(tf.train.MomentumOptimizer(0.1, 0.9), "mse")
    schedules = tf.keras.optimizers.schedules
    stage.attempts(
        lambda: (
            tf.keras.optimizers.SGD.from_config(
                tf.keras.optimizers.SGD(schedules.ExponentialDecay(0.1, 2, 0.5)).get_config()
            )
            .learning_rate(2)
            .name
        ),
        lambda: _one(tf, optimizer=["sgd"]),
        lambda: _one(tf, optimizer=[tf.train.GradientDescentOptimizer(0.1)]).train_on_batch(_X, _Y),
        lambda: _one(tf, loss=3),
        lambda: _one(tf, loss_weights=3.0),
        lambda: _one(tf, loss=None).train_on_batch(_X, _Y),
    )


@in_own_graph
def zoomed_and_turned(tf, stage):
    image = tf.keras.preprocessing.image
    x = np.arange(12, dtype=np.float32).reshape(2, 3, 2)
    for axes in ((0, 1, 2), (1, 2, 0), (0, 3, 2), (-4, 1, 2), (-3, -2, -1)):
        rows, columns, channels = axes
        stage.attempts(
            lambda r=rows, c=columns, k=channels: image.random_zoom(x, (1, 1), r, c, k),
            lambda r=rows, c=columns, k=channels: image.random_rotation(x, 0, r, c, k),
            lambda r=rows, c=columns, k=channels: image.random_shift(x, 0, 0, r, c, k),
            lambda r=rows, c=columns, k=channels: image.random_shear(x, 0, r, c, k),
        )
    stage.attempts(
        lambda: image.random_zoom(x, 2),
        lambda: image.random_zoom(x, (1, 1, 1)),
        lambda: image.ImageDataGenerator().flow_from_directory(stage.folder, color_mode="other"),
        lambda: image.ImageDataGenerator().flow_from_directory(stage.folder, subset="other"),
        lambda: image.ImageDataGenerator().flow(x),
    )
