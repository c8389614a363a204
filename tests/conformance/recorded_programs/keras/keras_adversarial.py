"""Adversarial training of two models, one frozen within the other, batch by batch."""

import numpy as np

from tests.conformance.recorded_programs.keras._keras import functions_of

TOLERANCE = 5e-4  # for trained weights


def build(tf):
    keras, layers = tf.keras, tf.keras.layers
    critic = keras.Sequential(name="critic")
    critic.add(layers.Dense(8, input_shape=(6,)))
    critic.add(layers.LeakyReLU(alpha=0.2))
    critic.add(layers.Dropout(0.3, seed=2))
    critic.add(layers.Dense(1, activation="sigmoid"))
    critic.compile(
        loss="binary_crossentropy",
        optimizer=keras.optimizers.Adam(0.002, 0.5),
        metrics=["accuracy"],
    )
    maker = keras.Sequential(name="maker")
    maker.add(layers.Dense(8, input_dim=3, use_bias=False))
    maker.add(layers.BatchNormalization(momentum=0.8))
    maker.add(layers.Activation("relu"))
    maker.add(layers.Dense(6, activation="tanh"))
    noise = keras.Input(shape=(3,))
    critic.trainable = False
    both = keras.Model(noise, critic(maker(noise)))
    both.compile(loss="binary_crossentropy", optimizer=keras.optimizers.Adam(0.002, 0.5))
    for model in (critic, both):
        functions_of(model)
    maker._make_predict_function()
    draw = np.random.RandomState(0)
    real = draw.rand(16, 6)

    def trained(session):
        operations = session.graph.get_operations()
        session.run([op for op in operations if op.name.endswith("/Assign")])
        draw = np.random.RandomState(1)
        losses = []
        for _ in range(4):
            noises = draw.normal(0, 1, (8, 3))
            made = maker.predict(noises)
            on_real = critic.train_on_batch(real[draw.randint(0, 16, 8)], np.ones((8, 1)))
            on_made = critic.train_on_batch(made, np.zeros((8, 1)))
            losses.append([on_real, on_made, both.train_on_batch(noises, np.ones((8, 1)))])
        return [np.array(str_free(losses)), critic.get_weights(), maker.get_weights()]

    facts = {
        "trained": [w.name for w in both.trainable_weights],
        "fixed": [w.name for w in both.non_trainable_weights],
        "critic's": [w.name for w in critic._collected_trainable_weights],
        "config": both.to_json(),
    }
    return {"facts": facts, "steps": [("training", trained)]}


def str_free(losses):
    """The losses of each round in one row."""
    return [np.concatenate([np.ravel(part) for part in row]) for row in losses]
