"""The number of batches Keras takes from a dataset, and the nodes it adds to determine it."""

import numpy as np

TOLERANCE = 1e-5


def build(tf):
    def outcome(call):
        """The dataset nodes added by a call, and its result or error."""
        tf.keras.backend.clear_session()
        with tf.Graph().as_default() as graph:
            layer = tf.keras.layers.Dense(1, input_shape=[3], kernel_initializer="zeros")
            model = tf.keras.Sequential([layer])
            model.compile(tf.keras.optimizers.SGD(0.125), "mse", ["mae"])
            x, y = np.ones([10, 3], np.float32), np.ones([10, 1], np.float32)
            rows = tf.data.Dataset.from_tensor_slices((x, y)).batch(4)
            try:
                result = call(model, rows)
            except ValueError as error:
                result = str(error)
            if hasattr(result, "history"):
                result = [(k, [float(v) for v in vs]) for k, vs in sorted(result.history.items())]
            nodes = [op for op in graph.get_operations() if "Dataset" in op.type]
            return [(op.name, op.type) for op in nodes], result

    def fit(**settings):
        return outcome(lambda model, rows: model.fit(rows, verbose=0, **settings))

    def unknown(rows):
        return rows.filter(lambda x, y: tf.equal(1, 1))

    facts = {
        "fit": fit(),
        "epochs": fit(epochs=2),
        "steps": fit(epochs=3, steps_per_epoch=1),
        "as many steps as there are": fit(epochs=2, steps_per_epoch=3),
        "too many steps": fit(epochs=2, steps_per_epoch=5),
        "validation": outcome(
            lambda model, rows: model.fit(rows, epochs=2, validation_data=rows.take(1), verbose=0)
        ),
        "unknown": outcome(lambda model, rows: model.fit(unknown(rows), epochs=2, verbose=0)),
        "endless": outcome(lambda model, rows: model.fit(rows.repeat(), verbose=0)),
        "endless validation": outcome(
            lambda model, rows: model.fit(rows, validation_data=rows.repeat(), verbose=0)
        ),
        "empty": outcome(lambda model, rows: model.fit(rows.take(0), epochs=2, verbose=0)),
        "evaluate": outcome(lambda model, rows: model.evaluate(rows, verbose=0)),
        "predict": outcome(lambda model, rows: model.predict(rows).tolist()),
    }
    return {"steps": [("one", tf.constant(1), None)], "facts": facts}
