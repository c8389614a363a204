"""tf.keras: losses, metrics, layers, callbacks and utilities with non-default options."""

import numpy as np

from tests.conformance.short_programs import rows, table_of

X = np.random.RandomState(3).rand(4, 3).astype(np.float32)
Y = np.eye(3, dtype=np.float32)[[0, 2, 1, 1]]
STEPS = np.random.RandomState(4).randn(2, 3, 4).astype(np.float32)


def programs(tf):
    K = tf.keras
    L, losses, metrics, backend = K.layers, K.losses, K.metrics, K.backend
    found = {}

    def add(name, *calls):
        for number, call in enumerate(calls):
            found[f"{name}_{number}"] = call

    def metric(made, *args, **options):
        update = made.update_state(*args, **options)
        with tf.Session() as session:
            session.run([v.initializer for v in made.variables])
            session.run(update)
            session.run(update)
            return session.run(made.result())

    def config(layer):
        return {k: str(v) for k, v in layer.get_config().items() if k != "name"}

    def model():
        given = L.Input([3])
        left, right = L.Dense(2)(given), L.Dense(2, use_bias=False)(given)
        return K.Model(given, L.Add()([left, right]))

    def lines(made, **options):
        said = []
        made.summary(print_fn=said.append, **options)
        return said

    weights = [1.0, 0.0, 2.0, 0.5]
    kinds = (
        *("MeanSquaredError", "MeanAbsoluteError", "MeanAbsolutePercentageError", "Poisson"),
        *("MeanSquaredLogarithmicError", "KLDivergence", "CosineSimilarity", "LogCosh", "Huber"),
        *(
            "Hinge",
            "SquaredHinge",
            "CategoricalHinge",
            "BinaryCrossentropy",
            "CategoricalCrossentropy",
        ),
    )
    add(
        "losses",
        *[
            lambda k=k, r=r: getattr(losses, k)(reduction=r)(Y, X, weights)
            for k in kinds
            for r in ("sum", "none", "sum_over_batch_size")
        ],
    )
    add(
        "metrics",
        *[
            lambda k=k: metric(getattr(metrics, k)(), Y, X, sample_weight=weights)
            for k in (
                "MeanSquaredError",
                "MeanAbsoluteError",
                "RootMeanSquaredError",
                "CosineSimilarity",
                "LogCoshError",
                "Poisson",
                "KLDivergence",
                "Hinge",
                "CategoricalAccuracy",
                "CategoricalCrossentropy",
            )
        ],
    )
    add(
        "layers",
        *[
            lambda c=c, o=o: c(2, kernel_initializer="ones", recurrent_initializer="ones", **o)(
                tf.constant(STEPS)
            )
            for c in (L.SimpleRNN, L.GRU, L.LSTM)
            for o in (
                {"return_sequences": True, "go_backwards": True},
                {"activation": "relu", "use_bias": False},
                {"unroll": True, "bias_initializer": "ones"},
                {"return_state": True},
            )
        ],
    )
    add(
        "parts",
        *[
            lambda n=n: getattr(K.initializers, n)(seed=5)([3, 2], tf.float32)
            for n in (
                "he_normal",
                "he_uniform",
                "lecun_normal",
                "lecun_uniform",
                "glorot_normal",
                "glorot_uniform",
                "Orthogonal",
            )
        ],
    )
    written = rows(
        table_of(__file__),
        tf=tf, K=K, L=L, STEPS=STEPS, X=X, Y=Y, backend=backend, config=config, lines=lines, losses=losses,
        metric=metric, metrics=metrics, model=model, weights=weights,
    )  # fmt: skip
    return {**found, **written}
