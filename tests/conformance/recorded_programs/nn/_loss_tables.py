"""A loss with every reduction and all valid weight shapes, and its gradients."""

import numpy as np


def numbers(seed, *shape):
    """Floats from -1 to 1, rounded."""
    return (np.random.RandomState(seed).rand(*shape) * 2 - 1).round(2).astype(np.float32)


def weights_for(tf, rows, columns):
    """A scalar, a column of zeros, a whole matrix, and weights of unknown shape."""
    column = np.abs(numbers(5, rows, 1))
    whole = np.abs(numbers(6, rows, columns))
    whole[0] = 0
    return [0.5, np.zeros_like(column), whole, tf.placeholder_with_default(column, None)]


# A weight of all elements, and one for each example, each row and each element of [4, 3].
OLDER_WEIGHTS = [1.0, 0.0, 0.5, *(np.abs(numbers(3, *shape)) for shape in ((4,), (4, 1), (4, 3)))]


def of_loss(tf, loss, values, weights):
    """The steps and facts of `loss(*values, weights=..., reduction=...)`, `values[-1]` trained."""
    x = tf.get_variable("x", initializer=values[-1])
    given = [tf.constant(value) for value in values[:-1]]
    made = []
    for reduction in tf.losses.Reduction.all():
        for number, weight in enumerate(weights):
            apart = number % 2 or reduction == tf.losses.Reduction.NONE
            collection = "kept" if apart else tf.GraphKeys.LOSSES
            made.append(
                loss(*given, x, weights=weight, reduction=reduction, loss_collection=collection)
            )
    total = tf.losses.get_total_loss()
    gradients = tf.gradients(total, [x])
    return {
        "facts": {
            "losses": [v.name for v in tf.losses.get_losses()],
            "kept": [v.name for v in tf.get_collection("kept")],
        },
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("losses", made),
            ("gradients", gradients),
        ],
    }, total


def of_older_loss(tf, loss, values, weights):
    """The same for a loss of tf.contrib.losses, `loss(*values, weights=...)`, `values[0]` trained."""
    x = tf.get_variable("x", initializer=values[0])
    given = [tf.constant(value) for value in values[1:]]
    made = [loss(x, *given, weights=weight) for weight in weights]
    total = tf.contrib.losses.get_total_loss()
    return {
        "facts": {"losses": [v.name for v in tf.contrib.losses.get_losses()]},
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("losses", [*made, total]),
            ("gradients", tf.gradients(total, [x])),
        ],
    }
