"""An LSTM encoder and decoder with states: trained by teacher forcing, run through models of their parts."""

import numpy as np

from tests.conformance.recorded_programs.keras._keras import functions_of, trained

TOLERANCE = 5e-4  # for trained weights


def build(tf):
    keras, layers = tf.keras, tf.keras.layers
    source = keras.Input(shape=(None, 4))
    _, state_h, state_c = layers.LSTM(5, return_state=True)(source)
    states = [state_h, state_c]
    target = keras.Input(shape=(None, 3))
    decoder = layers.LSTM(5, return_sequences=True, return_state=True)
    outputs, _, _ = decoder(target, initial_state=states)
    dense = layers.Dense(3, activation="softmax")
    model = keras.Model([source, target], dense(outputs))
    model.compile(optimizer="rmsprop", loss="categorical_crossentropy", metrics=["acc"])
    functions_of(model)
    encoder = keras.Model(source, states)
    given = [keras.Input(shape=(5,)), keras.Input(shape=(5,))]
    again, *after = decoder(target, initial_state=given)
    asked = keras.Model([target] + given, [dense(again)] + after)
    encoder._make_predict_function()
    asked._make_predict_function()
    draw = np.random.RandomState(1)
    texts = np.eye(4)[draw.randint(0, 4, (10, 6))]
    wanted = np.eye(3)[draw.randint(0, 3, (10, 5))]
    shifted = np.concatenate([np.zeros((10, 1, 3)), wanted[:, :-1]], axis=1)

    def decoded(session):
        states = encoder.predict(texts[:2])
        token, made = np.zeros((2, 1, 3)), []
        for _ in range(4):
            odds, *states = asked.predict([token] + states)
            token = np.eye(3)[odds.argmax(-1)]
            made.append(odds)
        return made

    fit = trained(model, [texts, shifted], wanted, validation_split=0.2)
    facts = {"names": [w.name for w in model.weights], "config": model.to_json()}
    return {"facts": facts, "steps": [("training", fit), ("decoded", decoded)]}
