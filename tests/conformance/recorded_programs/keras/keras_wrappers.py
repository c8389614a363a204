"""Bidirectional in its merge modes and TimeDistributed: trained, with masks, states, nested layers."""

import numpy as np

from tests.conformance.recorded_programs.keras._keras import functions_of, trained

TOLERANCE = 2e-4  # for trained weights


def build(tf):
    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [
            layers.Embedding(12, 4, mask_zero=True),
            layers.Bidirectional(layers.LSTM(3, return_sequences=True), merge_mode="ave"),
            layers.TimeDistributed(layers.Dense(4, activation="relu")),
            layers.Bidirectional(layers.GRU(3)),
            layers.Dense(3, activation="softmax"),
        ]
    )
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    functions_of(model)
    draw = np.random.RandomState(1)
    x, y = draw.randint(0, 12, (20, 6)), draw.randint(0, 3, 20)

    series = tf.keras.Input((5, 3))
    start = tf.keras.Input((4,))
    outputs = [
        *layers.Bidirectional(layers.GRU(4), merge_mode=None)(series),
        *layers.Bidirectional(layers.SimpleRNN(4, return_state=True), merge_mode="sum")(
            series, initial_state=[start, start]
        ),
        layers.Bidirectional(
            layers.RNN([layers.LSTMCell(3), layers.GRUCell(2)]),
            merge_mode="mul",
            backward_layer=layers.GRU(2, go_backwards=True),
        )(series),
    ]
    several = tf.keras.Model([series, start], outputs)
    values = draw.rand(7, 5, 3).astype(np.float32)
    first = draw.rand(7, 4).astype(np.float32)
    return {
        "facts": {
            "names": [w.name for w in model.weights + several.weights],
            "config": model.to_json(),
            "configs": several.to_json(),
            "shapes": [str(output.shape) for output in outputs],
        },
        "steps": [
            ("training", trained(model, x, y, validation_split=0.2)),
            ("values", lambda session: several.predict([values, first])),
        ],
    }
