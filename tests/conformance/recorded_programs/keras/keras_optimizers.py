"""Each Keras optimizer on one model, with dense and sparse gradients."""

import numpy as np

from tests.conformance.recorded_programs.keras._keras import functions_of, trained

TOLERANCE = 5e-4  # for trained weights


def build(tf):
    optimizers = tf.keras.optimizers
    made = [
        optimizers.SGD(0.1),
        optimizers.SGD(0.1, momentum=0.9),
        optimizers.RMSprop(0.01, momentum=0.5, centered=True),
        optimizers.RMSprop(0.01, centered=True, clipvalue=0.5),
        optimizers.Adagrad(0.1),
        optimizers.Adadelta(1.0, rho=0.9),
        optimizers.Adam(0.01, amsgrad=True, decay=0.1),
        optimizers.Adam(lr=0.01),
        optimizers.Adamax(0.01),
        optimizers.Nadam(0.01),
        optimizers.Ftrl(0.1, l1_regularization_strength=0.01),
        tf.train.AdamOptimizer(0.01),
    ]
    x = np.arange(12).reshape(6, 2) % 5
    y = np.random.RandomState(2).rand(6, 1)
    steps, facts = [], {}
    for number, optimizer in enumerate(made):
        model = tf.keras.Sequential(
            [
                tf.keras.layers.Embedding(5, 3, input_length=2),
                tf.keras.layers.Flatten(),
                tf.keras.layers.Dense(1),
            ]
        )
        model.compile(optimizer, "mse")
        functions_of(model)
        facts[str(number)] = [w.name for w in getattr(optimizer, "_weights", [])]
        steps.append((str(number), trained(model, x, y, batch_size=3)))
    return {"facts": facts, "steps": steps}
