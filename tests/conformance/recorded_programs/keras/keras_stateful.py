"""Recurrent layers with state carried across batches, reset and set manually."""

import numpy as np

from tests.conformance.recorded_programs.keras._keras import functions_of

TOLERANCE = 2e-4  # for trained weights


def build(tf):
    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [
            layers.LSTM(4, stateful=True, return_sequences=True, batch_input_shape=(3, 5, 2)),
            layers.GRU(3, stateful=True, reset_after=True),
            layers.Dense(1),
        ]
    )
    model.compile("adam", "mse")
    functions_of(model)
    draw = np.random.RandomState(1)
    x, y = draw.rand(12, 5, 2), draw.rand(12, 1)

    def start(session):
        operations = session.graph.get_operations()
        session.run([op for op in operations if op.name.endswith("/Assign")])

    def trained(session):
        start(session)
        losses = []
        for _ in range(3):
            history = model.fit(x, y, batch_size=3, epochs=1, shuffle=False, verbose=0)
            losses.append(history.history["loss"][0])
            model.reset_states()
        return [np.array(losses), model.get_weights()]

    def asked(session):
        first = model.predict(x[:3])
        second = model.predict(x[:3])
        model.reset_states()
        third = model.predict_on_batch(x[:3])
        layer = model.layers[0]
        layer.reset_states([np.ones((3, 4)), np.zeros((3, 4))])
        fourth = model.predict_on_batch(x[:3])
        states = [tf.keras.backend.get_value(state) for state in layer.states]
        return [first, second, third, fourth, states, model.test_on_batch(x[:3], y[:3])]

    facts = {
        "names": [w.name for w in model.weights],
        "states": [state.name for layer in model.layers[:2] for state in layer.states],
        "updates": [update.name for update in model.updates],
        "state updates": [update.name for update in model.state_updates],
        "stateful": [model.stateful, [layer.stateful for layer in model.layers]],
    }
    return {"facts": facts, "steps": [("training", trained), ("asked", asked)]}
