"""Components of state space models: matrices, covariances, filters, transitions, generated series."""

import numpy as np

from tests.support.models.series_runs import internal, series

TOLERANCE = 1e-4  # inverses of matrices
SPACES = "state_space_models."


def build(tf):
    def of(module):
        return lambda name: internal(tf, module, name)

    maths, model = of("math_utils"), of(SPACES + "state_space_model")
    random = np.random.RandomState(2)
    steps = []

    def told(label, fetched):
        steps.append((label, fetched, {}))

    matrices = tf.constant(random.randn(3, 2, 2))
    unknown = tf.placeholder_with_default(random.randn(4, 3, 2), [None, None, None])
    one = tf.constant(random.randn(2, 2))
    powers = tf.constant([0, 1, 5])
    told("blocks", maths("block_diagonal")([matrices, matrices[:, :1]], tf.float64))
    told("powers", maths("batch_matrix_pow")(matrices, powers))
    told("of one", maths("matrix_to_powers")(one, powers))
    told("sums", maths("power_sums_tensor")(4, one, tf.matmul(one, one, transpose_b=True)))
    batch_times, times_batch = maths("batch_times_matrix"), maths("matrix_times_batch")
    told("products", [batch_times(matrices, one, True, True), times_batch(one, matrices)])
    wide = tf.placeholder_with_default(random.randn(2, 3), [None, None])
    told("of unknown shape", [batch_times(unknown, wide), batch_times(unknown, one, adj_y=True)])
    told("toeplitz", maths("make_toeplitz_matrix")(matrices))
    positive = maths("sign_magnitude_positive_definite")(
        matrices, 0.3, tf.constant([0.1, 0.2, 0.3], tf.float64)
    )
    told("positive", positive)
    told("clipped", maths("clip_covariance")(positive, 2.0, 0.5))
    told("prior", maths("log_noninformative_covariance_prior")(positive[0]))
    factor, points = tf.cholesky(positive), tf.constant(random.randn(3, 2))
    told("density", maths("mvn_tril_log_prob")(points, factor, points * 2))
    kalman = of(SPACES + "kalman_filter")("KalmanFilter")
    rows = tf.constant(random.randn(3, 1, 2))
    noise = tf.constant([[0.1]], tf.float64)
    for simplified in (False, True):
        kalman_filter = kalman(tf.float64, simplified)
        seen = kalman_filter.observed_from_state(points, positive, rows, noise)
        states = (points, positive, *seen)
        found = kalman_filter.do_filter(*states, tf.ones([3, 1], tf.float64), rows, noise)
        told(f"filtered {simplified}", list(found))

    layer = of("model_utils")("fully_connected")
    made = [layer(tf.ones([2, 3]), 3, 2, "one"), layer(tf.ones([2, 3]), 3, 2, "two", None)]
    ends = [maths("batch_start_time")(one), maths("batch_end_time")(one)]

    settings = model("StateSpaceModelConfiguration")
    of_one = settings(num_features=1, dtype=tf.float64, trainable_start_state=True)
    periodic, trend = of(SPACES + "periodic"), of(SPACES + "level_trend")
    varma = of(SPACES + "varma")("VARMA")
    ensemble = of(SPACES + "structural_ensemble")("StructuralEnsemble")
    models = {
        "cycle": lambda: periodic("CycleStateSpaceModel")(5, configuration=of_one),
        "resolution": lambda: periodic("ResolutionCycleModel")(3, 6, configuration=of_one),
        "trend": lambda: trend("AdderStateSpaceModel")(False, configuration=of_one),
        "varma": lambda: varma(2, 1, configuration=of_one),
        "structure": lambda: ensemble(3, 1, 1, configuration=of_one),
    }
    many, drawn = tf.constant([0, 1, 4, 7]), {}
    for name, make in models.items():
        with tf.variable_scope(name):
            space = make()
            space.initialize_graph()
            told(name, space.transition_to_powers(many))
            noise = space.transition_power_noise_accumulator(many)
            told(f"{name}: noise", noise)
            drawn[name] = space

    def generated(session):
        session.run(tf.global_variables_initializer())
        with session.as_default():
            return [
                each.generate(2, 4, each.random_model_parameters(seed=3), seed=4)["values"]
                for each in drawn.values()
            ]

    def losses():
        values = {key: tf.constant(value[None]) for key, value in series(9).items()}
        decreasing = settings(
            num_features=1,
            exogenous_noise_increases=False,
            exogenous_noise_decreases=True,
            exogenous_feature_columns=[tf.feature_column.numeric_column("level")],
            use_observation_noise=True,
        )
        values["level"] = tf.ones([1, 9, 1])
        with tf.variable_scope("decreasing"):
            space = trend("AdderStateSpaceModel")(configuration=decreasing)
            space.initialize_graph()
            return space.define_loss(values, tf.estimator.ModeKeys.TRAIN).loss

    loss = losses()
    start = tf.global_variables_initializer()
    return {
        "steps": [
            ("start", start, {}),
            *steps,
            ("loss", [loss, made, ends], {}),
            ("drawn", generated),
        ]
    }
