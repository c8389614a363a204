"""Losses: weights of each form, each reduction, half and double precision, unknown and empty shapes."""

import numpy as np

from tests.conformance.scenes import unknown

_A = np.array([[0.5, 0.0, 1.0], [1.0, 0.25, 0.0]])
_B = np.array([[0.25, -1.0, 2.0], [0.5, 0.75, 0.0]])


def _losses(tf):
    of, one_hot = tf.losses, np.array([[0, 1, 0], [1, 0, 0]])
    return {
        "absolute": (lambda w, a, b, **k: of.absolute_difference(a, b, w, **k), 2),
        "cosine": (lambda w, a, b, **k: of.cosine_distance(a, b, 1, w, **k), 1),
        "hinge": (lambda w, a, b, **k: of.hinge_loss(one_hot, b, w, **k), 2),
        "huber": (lambda w, a, b, **k: of.huber_loss(a, b, w, 0.5, **k), 2),
        "log": (lambda w, a, b, **k: of.log_loss(a, abs(b), w, 0.01, **k), 2),
        "squared": (lambda w, a, b, **k: of.mean_squared_error(a, b, w, **k), 2),
        "sigmoid": (lambda w, a, b, **k: of.sigmoid_cross_entropy(one_hot, b, w, 0.1, **k), 2),
        "softmax": (lambda w, a, b, **k: of.softmax_cross_entropy(one_hot, b, w, 0.1, **k), 1),
        "sparse": (lambda w, a, b, **k: of.sparse_softmax_cross_entropy([1, 2], b, w, **k), 1),
    }


_WEIGHTS = {
    2: {
        "one": 0.5,
        "none": 0.0,
        "integer": 2,
        "rows": [[1.0], [0.5]],
        "columns": [[2.0, 0.0, 1.0]],
        "each": [[0.0, 1.0, 2.0], [0.0, 0.0, 4.0]],
        "one_of_rank_two": [[3.0]],
        "of_other_rank": [1.0, 2.0],
        "too_many": [[1.0], [1.0], [1.0]],
        "rank_three": [[[1.0]]],
        "bools": [[True], [False]],
        "nothing": None,
        "nan": float("nan"),
    },
    1: {
        "one": 0.5,
        "none": 0.0,
        "rows": [1.0, 0.5],
        "one_in_all": [2.0],
        "columns": [[1.0], [0.5]],
        "too_many": [1.0, 1.0, 1.0],
        "nothing": None,
    },
}


def _weighed(name):
    """A scene: one loss with all weights and reductions, and the gradient."""

    def scene(tf, stage):
        reductions = tf.losses.Reduction.all()
        loss, rank = _losses(tf)[name]
        with tf.Graph().as_default(), tf.Session() as session:

            def made(weights, reduction, form=tf.constant, dtype=np.float32, key="mine"):
                b = form(_B.astype(dtype))
                made = loss(
                    weights, a=_A, b=b, reduction=reduction, loss_collection=key, scope="in"
                )
                slope = tf.gradients(made, b)
                return made.shape, made.dtype, session.run([made, slope])

            for form, weights in _WEIGHTS[rank].items():
                for reduction in sorted(reductions) if form in ("one", "rows") else ["none"]:
                    stage.say(form, reduction)
                    stage.attempt(lambda: made(weights, reduction))  # noqa: B023  called here
            fed = unknown(tf)
            stage.attempts(
                lambda: made(1.0, "weighted_sum", fed),
                lambda: made(fed(np.float32(2.0)), "weighted_mean", fed),
                lambda: made(fed(np.float32(_WEIGHTS[rank]["rows"])), "none", unknown(tf, True)),
                lambda: made(1.0, "weighted_mean", tf.constant, np.float64),
                lambda: made(0.5, "weighted_sum", tf.constant, np.float16),
                lambda: made(1.0, "other"),
                lambda: made(1.0, None),
                lambda: made(1.0, "none", key=None),
            )
            stage.say(len(tf.get_collection("mine")), len(tf.get_collection("losses")))

    return scene


for _name in ("absolute cosine hinge huber log squared sigmoid softmax sparse").split():
    _made = _weighed(_name)
    _made.__module__ = __name__
    globals()[f"{_name}_weighed"] = _made
