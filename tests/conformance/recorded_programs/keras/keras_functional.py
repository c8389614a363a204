"""A model with two inputs and outputs, shared layers, operations between layers, custom losses and metrics."""

from tests.conformance.recorded_programs.keras._keras import data, functions_of, trained

TOLERANCE = 2e-4  # for trained weights


def build(tf):
    layers = tf.keras.layers
    a = tf.keras.Input([4], name="a")
    b = tf.keras.Input([4], name="b")
    shared = layers.Dense(5, activation="tanh", activity_regularizer=tf.keras.regularizers.l1(0.01))
    left, right = shared(a), shared(b)
    tf.keras.backend.manual_variable_initialization(
        True
    )  # TensorFlow reads the variables in random order
    both = left * 2.0 + right
    first = layers.Dense(3, name="first")(both)
    second = layers.Dense(1, activation="sigmoid", name="second")(tf.abs(left))
    model = tf.keras.Model([a, b], [first, second])
    model.add_loss(tf.reduce_mean(both))
    model.add_metric(tf.reduce_sum(second), name="sum", aggregation="mean")
    model.compile(
        tf.keras.optimizers.SGD(0.1, momentum=0.9, nesterov=True, decay=0.01, clipnorm=1.0),
        {"first": tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), "second": "mse"},
        metrics={"first": ["acc"], "second": ["mae", tf.keras.metrics.BinaryAccuracy()]},
        loss_weights={"second": 0.5},
        weighted_metrics={"second": ["mse"]},
    )
    functions_of(model)
    tf.keras.backend.manual_variable_initialization(False)
    x, y = data()
    target = (y > 0).astype("float32")
    fit = trained(
        model,
        {"a": x, "b": x[::-1]},
        {"first": y, "second": target},
        sample_weight={"first": x[:, 0], "second": x[:, 1]},
    )
    return {
        "facts": {
            "names": [w.name for w in model.weights],
            "metrics": model.metrics_names,
            "losses": [loss.name for loss in model.losses],
            "layers": [layer.name for layer in model.layers],
            "shapes": str([model.input_shape, model.output_shape]),
        },
        "steps": [("training", fit)],
    }
