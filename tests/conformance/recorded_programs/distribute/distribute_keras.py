"""Keras models under MirroredStrategy on two CPUs: training, evaluation and prediction, with TensorFlow's splits."""

import numpy as np

REPLAYABLE = False  # requires two CPUs
TOLERANCE = 1e-4  # for trained weights


def build(tf):
    keras, layers = tf.keras, tf.keras.layers
    strategy = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
    draw = np.random.RandomState(3)
    x = draw.randn(24, 4).astype(np.float32)
    y, classes = x[:, :1] * 2 + 1, (x[:, 0] > 0).astype(np.int32)
    weights = np.abs(draw.randn(24)).astype(np.float32)
    tenth = keras.initializers.Constant(0.1)
    with strategy.scope():
        dense = keras.Sequential(
            [
                layers.Dense(3, "relu", input_shape=(4,), kernel_initializer=tenth),
                layers.BatchNormalization(momentum=0.5),
                layers.Dense(1, kernel_initializer="ones", kernel_regularizer="l2"),
            ]
        )
        dense.compile(keras.optimizers.SGD(0.05, momentum=0.9), "mse", metrics=["mae"])
        first, second = layers.Input([4], name="first"), layers.Input([4], name="second")
        shared = layers.Dense(2, kernel_initializer="ones")
        both = layers.concatenate([shared(first), shared(second)])
        number = layers.Dense(1, kernel_initializer="ones", name="number")(both)
        kind = layers.Dense(2, "softmax", kernel_initializer="ones", name="kind")(both)
        model = keras.Model([first, second], [number, kind])
        model.compile(
            keras.optimizers.Adam(0.01, clipnorm=1.0),
            {"number": keras.losses.Huber(), "kind": "sparse_categorical_crossentropy"},
            loss_weights={"number": 1.0, "kind": 0.5},
            metrics={"number": "mse", "kind": ["accuracy"]},
        )
        summed = keras.Sequential(
            [
                layers.Dense(
                    1, input_shape=(4,), kernel_initializer="ones", kernel_constraint="nonneg"
                )
            ]
        )
        summed.compile(
            keras.optimizers.Adagrad(0.01, decay=0.1),
            keras.losses.MeanSquaredError(reduction="sum"),
            metrics=[keras.metrics.RootMeanSquaredError()],
        )

    def trained(model, *given, **how):
        """A step: the results of a model on data, and the calls of callbacks."""
        heard = []

        def hear(batch, logs):
            heard.append([float(logs[name]) for name in sorted(logs)])

        def step(session):
            heard[:] = []
            listener = keras.callbacks.LambdaCallback(on_batch_end=hear)
            how.update(verbose=0, shuffle=False, callbacks=[listener])
            history = model.fit(*given, **how).history
            return {
                "history": {name: np.array(values) for name, values in history.items()},
                "batches": np.array(heard),
                "weights": model.get_weights(),
                "slots": model.optimizer.get_weights(),
                "variables": [v.name for v in model.weights],
            }

        return step

    def asked(session):
        data = tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True)
        pairs = [x, x * 2], [y, classes]
        return {
            "arrays": np.array(dense.evaluate(x, y, batch_size=6, verbose=0)),
            "weighted": np.array(summed.evaluate(x, y, 8, 0, sample_weight=weights)),
            "dataset": np.array(dense.evaluate(data, verbose=0)),
            "outputs": np.array(model.evaluate(*pairs, batch_size=12, verbose=0)),
            "predictions": dense.predict(x, batch_size=8),
            "both": model.predict(pairs[0], batch_size=8),
            "of_dataset": dense.predict(data.map(lambda x, y: x)),
        }

    held = (x[:16], y[:16])
    data = tf.data.Dataset.from_tensor_slices((x, y, weights)).batch(8)
    steps = [
        ("start", lambda session: session.run(tf.global_variables_initializer()) and None),
        ("arrays", trained(dense, x, y, batch_size=8, epochs=2, validation_data=held)),
        ("again", trained(dense, x, y, batch_size=12)),
        ("uneven", trained(summed, x, y, batch_size=9, epochs=2)),
        ("weights", trained(summed, x, y, batch_size=8, sample_weight=weights)),
        ("outputs", trained(model, [x, x * 2], [y, classes], batch_size=8, epochs=2)),
        ("dataset", trained(summed, data, epochs=2)),
        ("repeated", trained(summed, data.repeat(), epochs=2, steps_per_epoch=2)),
        ("asked", asked),
    ]
    facts = {
        "metrics": [dense.metrics_names, model.metrics_names, summed.metrics_names],
        "variables": [v.name for v in tf.global_variables()],
        "trainable": [v.name for v in tf.trainable_variables()],
    }
    return {"facts": facts, "steps": steps, "config": tf.ConfigProto(device_count={"CPU": 2})}
