"""Class, sample and temporal weights on all kinds of outputs; losses by name, class and function."""

import numpy as np

from tests.conformance.recorded_programs.keras._keras import functions_of, trained

TOLERANCE = 5e-4  # for trained weights


def build(tf):
    keras, layers = tf.keras, tf.keras.layers
    draw = np.random.RandomState(8)
    x = draw.rand(12, 5, 3)
    series = layers.Input((5, 3))
    hidden = layers.SimpleRNN(4, return_sequences=True)(series)
    each = layers.TimeDistributed(layers.Dense(2, "softmax"), name="each")(hidden)
    one = layers.Dense(1, "sigmoid", name="one")(layers.GlobalAveragePooling1D()(hidden))
    model = keras.Model(series, [each, one])
    model.compile(
        "sgd",
        loss={"each": "sparse_categorical_crossentropy", "one": keras.losses.BinaryCrossentropy()},
        metrics={"one": [keras.metrics.AUC(num_thresholds=5), keras.metrics.Precision()]},
        weighted_metrics={"each": ["accuracy"], "one": ["mse"]},
        sample_weight_mode={"each": "temporal", "one": None},
    )
    functions_of(model)
    targets = [draw.randint(0, 2, (12, 5, 1)), draw.randint(0, 2, (12, 1))]
    weights = [draw.rand(12, 5), draw.rand(12)]
    held = (x[:4], [target[:4] for target in targets], [w[:4] for w in weights])
    temporal = trained(model, x, targets, sample_weight=weights, validation_data=held, batch_size=4)
    plain = keras.Sequential([layers.Dense(3, "softmax", input_shape=(4,))])
    plain.compile(
        keras.optimizers.Adadelta(0.5),
        lambda y_true, y_pred: keras.losses.categorical_crossentropy(y_true, y_pred, False, 0.1),
        metrics=["categorical_accuracy", keras.metrics.TopKCategoricalAccuracy(2, name="two")],
    )
    functions_of(plain)
    rows, classes = draw.rand(20, 4), np.eye(3)[draw.randint(0, 3, 20)]
    classed = trained(plain, rows, classes, class_weight={0: 0.5, 1: 2.0, 2: 1.0}, shuffle=False)
    both = trained(
        plain,
        rows,
        classes,
        class_weight={0: 0.5, 1: 2.0, 2: 1.0},
        sample_weight=np.linspace(0, 1, 20),
        validation_split=0.3,
    )

    def batches(session):
        weighted = plain.train_on_batch(rows[:5], classes[:5], class_weight={0: 2.0, 1: 1, 2: 3})
        tested = plain.test_on_batch(rows[:5], classes[:5], sample_weight=np.arange(5.0))
        apart = plain.evaluate(rows, classes, sample_weight=np.arange(20.0), verbose=0)
        return [np.array(weighted), np.array(tested), np.array(apart)]

    facts = {"metrics": [model.metrics_names, plain.metrics_names]}
    steps = [("temporal", temporal), ("classes", classed), ("both", both), ("batches", batches)]
    return {"facts": facts, "steps": steps}
