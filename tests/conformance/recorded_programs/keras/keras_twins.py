"""Twin networks with a distance between them: a shared model, Lambda layers, a loss and a metric by the backend."""

import numpy as np

from tests.conformance.recorded_programs.keras._keras import functions_of, trained

TOLERANCE = 5e-4  # of trained weights


def build(tf):
    keras, layers, K = tf.keras, tf.keras.layers, tf.keras.backend

    def distance(pair):
        squares = K.sum(K.square(pair[0] - pair[1]), axis=1, keepdims=True)
        return K.sqrt(K.maximum(squares, K.epsilon()))

    def distance_shape(shapes):
        return (shapes[0][0], 1)

    def contrastive(y_true, y_pred):
        near = K.square(y_pred)
        far = K.square(K.maximum(1 - y_pred, 0))
        return K.mean(y_true * near + (1 - y_true) * far)

    def alike(y_true, y_pred):
        return K.mean(K.equal(y_true, K.cast(y_pred < 0.5, y_true.dtype)))

    entry = keras.Input(shape=(5,))
    encoded = layers.Dense(6, activation="relu")(entry)
    encoded = layers.Dropout(0.1, seed=1)(encoded)
    encoder = keras.Model(entry, layers.Dense(4, activation="relu")(encoded), name="encoder")
    a, b = keras.Input(shape=(5,)), keras.Input(shape=(5,))
    apart = layers.Lambda(distance, output_shape=distance_shape)([encoder(a), encoder(b)])
    model = keras.Model([a, b], apart)
    model.compile(loss=contrastive, optimizer=keras.optimizers.RMSprop(), metrics=[alike])
    functions_of(model)
    hidden = K.function([entry, K.learning_phase()], [encoder.layers[1].output])
    draw = np.random.RandomState(2)
    x = [draw.rand(20, 5), draw.rand(20, 5)]
    y = draw.randint(0, 2, (20, 1)).astype(np.float32)
    facts = {
        "names": [w.name for w in model.weights],
        "inputs": [t.name for t in model.inputs] + [t.name for t in encoder.inputs],
        "outputs": [t.name for t in model.outputs],
        "shapes": str([encoder.get_output_shape_at(i) for i in range(3)]),
    }
    steps = [
        ("training", trained(model, x, y, validation_split=0.25)),
        ("hidden", lambda session: hidden([x[0][:4], 0])[0]),
    ]
    return {"facts": facts, "steps": steps}
