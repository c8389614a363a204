"""Helpers of the Keras programs: the graph of all functions, training as a step."""

import numpy as np


def functions_of(model):
    """Creates the training, evaluation and prediction functions of a model."""
    model._make_train_function()
    model._make_test_function()
    model._make_predict_function()
    return model


def trained(model, x, y, **how):
    """A step: trains for 3 epochs; the history, the weights, and predictions."""

    def step(session):
        operations = session.graph.get_operations()
        session.run([op for op in operations if op.name.endswith("/Assign")])
        np.random.seed(11)
        history = model.fit(x, y, **{"epochs": 3, "verbose": 0, "batch_size": 8, **how}).history
        return {
            "history": {name: np.array(values) for name, values in history.items()},
            "weights": model.get_weights(),
            "predictions": model.predict(x),
        }

    return step


def data(rows=20, inputs=4, classes=3, seed=0):
    """Inputs and class indices."""
    draw = np.random.RandomState(seed)
    return draw.rand(rows, inputs).astype(np.float32), draw.randint(0, classes, rows)
