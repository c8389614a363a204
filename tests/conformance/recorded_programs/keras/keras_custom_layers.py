"""Custom layers and cells: weights, losses, metrics, masks, configurations; a model from its JSON."""

import numpy as np

from tests.conformance.recorded_programs.keras._keras import functions_of, trained

TOLERANCE = 5e-4  # for trained weights


def build(tf):
    keras, layers, K = tf.keras, tf.keras.layers, tf.keras.backend

    class Scaled(layers.Layer):
        def __init__(self, units, **kwargs):
            super().__init__(**kwargs)
            self.units = units
            self.supports_masking = True

        def build(self, input_shape):
            shape = (int(input_shape[-1]), self.units)
            self.kernel = self.add_weight("kernel", shape, initializer="glorot_uniform")
            self.scale = self.add_weight(
                name="scale", shape=(self.units,), initializer="ones", regularizer="l2"
            )
            self.seen = self.add_weight("seen", (), initializer="zeros", trainable=False)
            super().build(input_shape)

        def call(self, inputs, mask=None):
            out = K.dot(inputs, self.kernel) * self.scale
            self.add_loss(1e-3 * tf.reduce_sum(out**2), inputs=True)
            self.add_metric(tf.reduce_mean(out), name="level", aggregation="mean")
            self.add_update(K.update_add(self.seen, 1.0), inputs=True)
            return out

        def compute_output_shape(self, input_shape):
            return tuple(input_shape[:-1]) + (self.units,)

        def get_config(self):
            return dict(super().get_config(), units=self.units)

    class Attended(layers.Layer):
        def build(self, input_shape):
            self.query = self.add_weight("query", (int(input_shape[-1]), 1))
            self.built = True

        def call(self, x, mask=None):
            energy = K.squeeze(K.dot(x, self.query), -1)
            weights = K.exp(K.tanh(energy))
            if mask is not None:
                weights *= K.cast(mask, K.floatx())
            weights /= K.sum(weights, axis=1, keepdims=True) + K.epsilon()
            return K.sum(x * K.expand_dims(weights), axis=1)

        def compute_mask(self, inputs, mask=None):
            return None

    class Cell(layers.Layer):
        def __init__(self, units, **kwargs):
            self.units = self.state_size = self.output_size = units
            super().__init__(**kwargs)

        def build(self, input_shape):
            self.kernel = self.add_weight("kernel", (input_shape[-1], self.units))
            self.recurrent = self.add_weight("recurrent", (self.units, self.units))
            self.built = True

        def call(self, inputs, states):
            out = K.tanh(K.dot(inputs, self.kernel) + K.dot(states[0], self.recurrent))
            return out, [out]

    keras.backend.manual_variable_initialization(True)
    text = keras.Input((6,), dtype="int32")
    words = layers.Embedding(9, 4, mask_zero=True)(text)
    scaled = Scaled(5, name="scaled")(words)
    seen = Attended()(scaled)
    last = layers.RNN([Cell(3), Cell(2)])(scaled)
    out = layers.Dense(1, "sigmoid")(layers.concatenate([seen, last]))
    model = keras.Model(text, out)
    model.compile("nadam", "binary_crossentropy", metrics=["binary_accuracy"])
    functions_of(model)
    keras.backend.manual_variable_initialization(False)
    draw = np.random.RandomState(4)
    x, y = draw.randint(0, 9, (16, 6)), draw.randint(0, 2, 16)
    again = keras.Sequential.from_config(
        keras.Sequential([Scaled(2, input_shape=(3,), name="twice")], name="copied").get_config(),
        custom_objects={"Scaled": Scaled},
    )
    facts = {
        "names": [w.name for w in model.weights],
        "updates": [u.name for u in model.updates],
        "losses": [loss.name for loss in model.losses],
        "metrics": model.metrics_names,
        "masks": [str(layer.output_mask) for layer in model.layers],
        "again": [again.name, [w.name for w in again.weights], again.get_config()["layers"][0]],
    }
    return {"facts": facts, "steps": [("training", trained(model, x, y))]}
