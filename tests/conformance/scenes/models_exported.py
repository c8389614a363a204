"""Keras models exported as SavedModels: options, custom classes and functions, signatures per mode, errors."""

import os

import numpy as np

from tests.conformance.scenes import in_own_graph

# Only in TensorFlow, which writes such operations as signatures; both read either form.
_OPS = "__saved_model_init_op", "__saved_model_train_op"
_X = np.arange(8, dtype=np.float32).reshape(4, 2) / 10


def _own(tf):
    """A custom layer, loss and metric, unknown to Keras."""

    class Plus(tf.keras.layers.Layer):
        def __init__(self, amount=1.0, **options):
            super().__init__(**options)
            self.amount = amount

        def call(self, x):
            return x + self.amount

        def get_config(self):
            return dict(super().get_config(), amount=self.amount)

    def cubed(wanted, found):
        return tf.reduce_mean(tf.abs(wanted - found) ** 3, axis=-1)

    def largest(wanted, found):
        return tf.reduce_max(tf.abs(wanted - found))

    return {"Plus": Plus, "cubed": cubed, "largest": largest}


def _model(tf, *more):
    ones = tf.keras.initializers.Constant(0.5)
    first = tf.keras.layers.Dense(
        1, kernel_initializer=ones, input_shape=(2,), name="first", activation="tanh"
    )
    return tf.keras.Sequential([first, *more])


def _signatures(tf, stage, folder):
    """Records the inputs and outputs of each graph of a SavedModel."""
    for tags in (["serve"], ["train"], ["eval"]):
        with tf.Graph().as_default(), tf.Session() as session, stage.failing():
            meta = tf.saved_model.load(session, tags, folder)
            for key in sorted({*meta.signature_def} - {*_OPS}):
                signature = meta.signature_def[key]
                stage.say(tags, key, signature.method_name)
                for part in (signature.inputs, signature.outputs):
                    for name in sorted(part):
                        dims = [d.size for d in part[name].tensor_shape.dim]
                        stage.say(name, part[name].dtype, dims)
            stage.say(sorted(v.name for v in tf.local_variables()), len(tf.global_variables()))


@in_own_graph
def own_classes_and_functions(tf, stage):
    export = tf.keras.experimental.export_saved_model
    load = tf.keras.experimental.load_from_saved_model
    own, folder = _own(tf), stage.folder + "/m"
    model = _model(tf, own["Plus"](2.0, name="plus"))
    model.compile("sgd", own["cubed"], metrics=[own["largest"], "mae"])
    expected = model.predict(_X)
    stage.attempt(export, model, folder, custom_objects=own)
    stage.say(sorted(os.listdir(folder)), sorted(os.listdir(folder + "/assets")))
    _signatures(tf, stage, folder)
    stage.attempt(load, folder)
    again = load(folder, own)
    stage.say(type(again).__name__, type(again.layers[1]).__name__, again.layers[1].amount)
    stage.say(bool(np.allclose(again.predict(_X), expected)), again.optimizer)
    with tf.keras.utils.custom_object_scope(own):
        stage.say(load(folder).layers[1].amount)
    stage.attempt(load, folder, custom_objects={"Plus": tf.keras.layers.Flatten})


@in_own_graph
def options(tf, stage):
    export = tf.keras.experimental.export_saved_model
    load = tf.keras.experimental.load_from_saved_model
    model = _model(tf)
    spec = tf.TensorSpec([3, 2], tf.float32, name="rows")
    for name, given in (
        ("text", {"as_text": True, "input_signature": [spec]}),
        ("other_signature", {"input_signature": [tf.TensorSpec([3, 5], tf.float32)]}),
        ("serving", {"serving_only": True, "input_signature": [spec]}),
    ):
        folder = os.path.join(stage.folder, name)
        stage.say(name)
        stage.attempt(export, model, folder, **given)
        if os.path.isdir(folder):
            stage.say(sorted(os.listdir(folder)))
            _signatures(tf, stage, folder)
    model.compile(tf.train.MomentumOptimizer(0.1, 0.5), "mse")
    folder = stage.folder + "/trained"
    model.fit(_X, _X[:, :1], epochs=1, verbose=0)
    export(model, folder)
    _signatures(tf, stage, folder)
    stage.say(load(folder).get_weights(), model.get_weights())
    stage.attempt(export, model, folder)


@in_own_graph
def refused(tf, stage):
    export = tf.keras.experimental.export_saved_model
    load = tf.keras.experimental.load_from_saved_model

    class Own(tf.keras.Model):
        def call(self, x):
            return x

    stage.attempt(load, stage.folder)
    stage.attempt(export, tf.keras.Sequential([tf.keras.layers.Dense(1)]), stage.folder + "/a")
    stage.attempt(export, Own(), stage.folder + "/b")
    stage.attempt(export, Own(), stage.folder + "/c", serving_only=True)
    export(_model(tf), stage.folder + "/d")
    os.remove(stage.folder + "/d/variables/variables.index")
    stage.attempt(load, stage.folder + "/d")
    with open(stage.folder + "/d/assets/saved_model.json", "w") as file:
        file.write("{}")
