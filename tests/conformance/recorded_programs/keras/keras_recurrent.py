"""Recurrent layers: a text classifier with Embedding and LSTM, trained; GRU, SimpleRNN and stacked cells."""

import numpy as np

from tests.conformance.recorded_programs.keras._keras import functions_of, trained

TOLERANCE = 2e-4  # for trained weights


def build(tf):
    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [
            layers.Embedding(12, 4, mask_zero=True, input_length=6),
            layers.LSTM(5, kernel_regularizer="l2"),
            layers.Dense(3, activation="softmax"),
        ]
    )
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    functions_of(model)
    draw = np.random.RandomState(1)
    x, y = draw.randint(0, 12, (20, 6)), draw.randint(0, 3, 20)

    np.random.seed(5)  # dropout draws seeds from it
    series = tf.keras.Input((5, 3))
    start = layers.Dense(4, name="start")(tf.keras.Input((2,)))
    masked = layers.Masking()(series)
    outputs = [
        layers.GRU(4, return_sequences=True, go_backwards=True)(masked),
        layers.GRU(4, reset_after=True, implementation=2, return_state=True)(series)[1],
        layers.SimpleRNN(4, unroll=True, recurrent_dropout=0.3)(series, initial_state=start),
        layers.LSTM(3, implementation=2, unroll=True, return_sequences=True)(masked),
        layers.RNN([layers.LSTMCell(3, dropout=0.5), layers.GRUCell(2)])(series),
    ]
    several = tf.keras.Model([series, start._keras_history[0].input], outputs)
    for output in outputs:
        tf.gradients(output, series)
    values = draw.rand(7, 5, 3).astype(np.float32)
    values[2:5, 3:] = 0
    first = draw.rand(7, 2).astype(np.float32)
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
