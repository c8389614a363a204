"""tf.contrib.factorization: matrix factors, mixtures; shards, weights, observed entries, errors."""

import functools
import os

import numpy as np

_MATRIX = np.float32([[1.0, 0, 2.0, 0], [0, 3.0, 0, 0.5], [1.5, 0, 0, 2.5]])
_ROWS = np.float32([[0.5, 0.1], [0.2, 0.8], [-0.3, 0.4]])
_COLUMNS = np.float32([[0.3, 0.7], [0.9, -0.2], [0.1, 0.4], [0.6, 0.5]])
_GIVEN = {"row_init": _ROWS, "col_init": _COLUMNS}
_POINTS = np.float32([[0, 0], [1, 0.3], [0.2, -1], [4, 1], [5, 3.9], [3.1, 2.4], [0.3, 1.2]])


def _sparse(tf, matrix, rows=None):
    places = np.argwhere(matrix)
    if rows is not None:
        places = np.array([p for p in places if p[0] in rows]).reshape([-1, 2])
    return tf.SparseTensor(places, matrix[places[:, 0], places[:, 1]], matrix.shape)


def _model(tf, stage, **options):
    """Records a model's steps on all and on some rows and columns, transposed or not."""
    with tf.Graph().as_default(), tf.Session() as session, stage.failing():
        tf.set_random_seed(3)
        stage.say(sorted(options))
        model = tf.contrib.factorization.WALSModel(3, 4, 2, **options)
        given = _sparse(tf, _MATRIX)
        some = _sparse(tf, _MATRIX, [0, 2])
        turned = _sparse(tf, _MATRIX.T.copy())
        first_of = _sparse(tf, _MATRIX * np.float32([0, 1, 0, 1]))
        rows = model.update_row_factors(given)
        rows_turned = model.update_row_factors(sp_input=turned, transpose_input=True)
        part = model.update_row_factors(some)
        columns = model.update_col_factors(given)
        columns_turned = model.update_col_factors(turned, True)
        part_columns = model.update_col_factors(first_of)
        projected = [
            model.project_row_factors(some),
            model.project_row_factors(some, projection_weights=0.5),
            model.project_row_factors(turned, True, [1.0, 2.0, 0.0]),
            model.project_col_factors(given),
            model.project_col_factors(first_of, False, [2.0, 1.0]),
            model.project_col_factors(turned, transpose_input=True, projection_weights=3),
        ]
        stage.say([v.name for v in model.row_factors + model.col_factors])
        stage.say(model.row_weights, model.col_weights)
        stage.say([t.shape for t in [*rows[:1], *rows[2:], *projected]])
        session.run(model.initialize_op)
        session.run(model.worker_init)
        for _ in range(1):
            session.run(model.row_update_prep_gramian_op)
            session.run(model.initialize_row_update_op)
            stage.say(session.run([part[0], *part[2:]]))
            stage.say(session.run([rows_turned[0], *rows_turned[2:]]))
            stage.say(session.run([rows[0], *rows[2:], *projected[:3]]))
            session.run(part[1])
            stage.say(session.run(model.row_factors))
            session.run(rows[1])
            session.run(model.col_update_prep_gramian_op)
            session.run(model.initialize_col_update_op)
            stage.say(session.run([part_columns[0], *part_columns[2:]]))
            stage.say(session.run([columns_turned[0], *columns_turned[2:]]))
            stage.say(session.run([columns[0], *columns[2:], *projected[3:]]))
            session.run(columns_turned[1])
            stage.say(session.run(model.row_factors + model.col_factors))
        stage.say([v.name for v in tf.local_variables()], session.run(tf.local_variables()))
        stage.say([(v.name, v.trainable) for v in tf.global_variables()])
        stage.brief_graph(names=False)


def weighted_models(tf, stage):
    _model(tf, stage, **_GIVEN, unobserved_weight=0.0, regularization=0.5)
    _model(tf, stage, **_GIVEN, row_weights=[1.0, 2.0, 0.5], col_weights=np.float32([[1, 0, 2, 3]]))


def unweighted_models(tf, stage):
    none = {"row_weights": None, "col_weights": None}
    _model(tf, stage, **_GIVEN, **none, regularization=0.5, use_factors_weights_cache=False)


def models_of_shards(tf, stage):
    _model(
        tf,
        stage,
        row_init=[_ROWS[:2], _ROWS[2:]],
        col_init=lambda: [_COLUMNS[:2], _COLUMNS[2:3], _COLUMNS[3:]],
        num_row_shards=2,
        num_col_shards=3,
        row_weights=[[1.0, 2.0], [0.5]],
        col_weights=2,
        use_scoped_vars=True,
        use_gramian_cache=False,
    )


def refused_models(tf, stage):
    of = tf.contrib.factorization.WALSModel
    for options in (
        {"row_weights": -1},
        {"row_weights": "a", "col_weights": 1},
        {"row_weights": None},
        {"col_weights": [1.0, 2.0, 3.0]},
        {"row_weights": [[1.0]], "num_row_shards": 2},
        {"row_init": [_ROWS], "num_row_shards": 2},
        {"row_init": [_ROWS[:1], _ROWS[1:2], _ROWS[2:]], "num_row_shards": 3},
        {"row_init": "other"},
        {"num_row_shards": 5},
        {"col_weights": tf.float32},
    ):
        with tf.Graph().as_default(), stage.failing():
            model = of(3, 4, 2, **options)
            stage.say([(v.name, str(v.shape)) for v in tf.global_variables()], model.worker_init)
    with tf.Graph().as_default(), tf.Session() as session:
        model = of(3, 4, 2, row_init=_ROWS, col_init=_COLUMNS)
        stage.attempts(
            lambda: model.update_row_factors(),
            lambda: model.update_col_factors(sp_input=_MATRIX),
            lambda: model.project_row_factors(_sparse(tf, _MATRIX), projection_weights=[[1.0]]),
        )
        factor = [tf.Variable(tf.zeros([2, 1])), tf.Variable(tf.zeros([2, 1]))]
        by_two = lambda ids: (ids // 2, ids % 2)  # noqa: E731
        made = of.scatter_update(factor, tf.constant([3, 0]), [[5.0], [6.0]], by_two, name="set")
        alone = of.scatter_update(factor[:1], [1], [[7.0]], None, "alone")
        stage.say(made.name, made.type, alone.name, alone.type)
        session.run(tf.global_variables_initializer())
        session.run(made)
        stage.say(session.run(factor))
        session.run(alone)
        stage.say(session.run(factor))
        stage.attempt(of.scatter_update, factor[0], [1], [[7.0]], None)
        stage.attempt(of.scatter_update, factor, [1], [[7.0]], lambda ids: (None, ids))


def _fitted(tf, stage, name, **options):
    of = tf.contrib.factorization.WALSMatrixFactorization

    def given(is_row=None, weights=None):
        def input_fn():
            features = {
                of.INPUT_ROWS: _sparse(tf, _MATRIX),
                of.INPUT_COLS: _sparse(tf, _MATRIX.T.copy()),
            }
            if is_row is not None:
                features[of.PROJECT_ROW] = tf.constant(is_row)
            if weights is not None:
                features[of.PROJECTION_WEIGHTS] = tf.constant(weights)
            return features, None

        return input_fn

    config = tf.contrib.learn.RunConfig(tf_random_seed=2)
    model = of(3, 4, 2, model_dir=os.path.join(stage.folder, name), config=config, **options)
    return model, given


def estimated(tf, stage):
    tf.logging.set_verbosity(tf.logging.WARN)
    of = tf.contrib.factorization.WALSMatrixFactorization
    keys = ("INPUT_ROWS", "INPUT_COLS", "PROJECT_ROW", "PROJECTION_WEIGHTS", "PROJECTION_RESULT")
    stage.say([getattr(of, key) for key in (*keys, "COMPLETED_SWEEPS", "LOSS", "RWSE")])
    model, given = _fitted(
        tf,
        stage,
        "plain",
        row_init=_ROWS,
        col_init=[_COLUMNS[:2], _COLUMNS[2:]],
        num_col_shards=2,
        regularization_coeff=0.1,
        max_sweeps=2,
        use_gramian_cache_for_training=False,
    )
    stage.attempt(model.get_row_factors)
    model.fit(input_fn=given(), steps=9)
    stage.say(model.get_row_factors(), model.get_col_factors())
    stage.say([(n, model.get_variable_value(n)) for n in sorted(model.get_variable_names())])
    stage.say(list(model.get_projections(given(True))))
    stage.say(list(model.get_projections(given(False, 0.5))))
    for is_row in (True, False):
        found = model.evaluate(input_fn=given(is_row), steps=1)
        stage.say(sorted(found), found["loss"])
    model.fit(input_fn=given(), steps=1)
    stage.say(
        model.get_variable_value("global_step"), model.get_variable_value(of.COMPLETED_SWEEPS)
    )
    stage.attempt(model.evaluate, input_fn=given(), steps=1)


def mixtures(tf, stage):
    of = tf.contrib.factorization
    for options in (
        {},
        {"covariance_type": "diag"},
        {"params": "m"},
        {"params": "c", "covariance_type": "diag"},
        {"params": "", "random_seed": 5},
    ):
        for data in [[_POINTS[:3], _POINTS[3:]]] if options == {} else [[_POINTS]]:
            with tf.Graph().as_default(), tf.Session() as session, stage.failing():
                tf.set_random_seed(2)
                stage.say(sorted(options.items()), len(data))
                first = None if "random_seed" in options else tf.constant(_POINTS[[1, 4]])
                given = {"initial_means": first, **options}
                points = [tf.constant(d) for d in data]
                made = of.GmmAlgorithm(points, 2, **given)
                session.run(tf.global_variables_initializer())
                stage.say(session.run(made.is_initialized()))
                session.run(made.init_ops())
                told = [made.alphas(), made.clusters(), made.covariances(), made.is_initialized()]
                stage.say([v.name for v in told], session.run(told))
                for _ in range(2):
                    found = [made.log_likelihood_op(), made.assignments()]
                    stage.say(session.run(found + [made.scores()] * (len(data) == 1)))
                    session.run(made.training_ops())
                    stage.say(session.run(told))
                session.run(made.init_ops())
                stage.say(session.run(told))
                stage.say([t.shape for t in made.assignments()], made.scores().shape)
                stage.brief_graph(names=False)


def mixtures_as_functions(tf, stage):
    gmm = tf.contrib.factorization.gmm
    cases = {
        "given": lambda: gmm([tf.constant(_POINTS)], _POINTS[[0, 3]], 2, 4, "diag", "wm"),
        "of a tensor": lambda: gmm(tf.constant(_POINTS), tf.constant(_POINTS[[0, 3]]), 2, 4),
        "other covariances": lambda: gmm(tf.constant(_POINTS), "random", 2, 4, "other"),
    }
    for name, make in cases.items():
        with tf.Graph().as_default(), tf.Session() as session, stage.failing():
            tf.set_random_seed(2)
            stage.say(name)
            loss, scores, assigned, step, start, ready = make()
            session.run(tf.global_variables_initializer())
            session.run(start)
            stage.say(session.run([loss, scores, assigned, ready]))
            session.run(step)
            stage.say(session.run([loss, scores, assigned]))
            stage.say(session.run(tf.global_variables()))


def mixtures_estimated(tf, stage):
    tf.logging.set_verbosity(tf.logging.WARN)
    of = tf.contrib.factorization.GMM
    stage.say(of.SCORES, of.LOG_LIKELIHOOD, of.ASSIGNMENTS)
    columns = lambda: ({"y": tf.constant(_POINTS[:, 1:]), "x": tf.constant(_POINTS[:, :1])}, None)  # noqa: E731
    config = tf.contrib.learn.RunConfig(tf_random_seed=2)
    model = of(
        2,
        model_dir=os.path.join(stage.folder, "mixture"),
        params="wm",
        initial_clusters=_POINTS[[0, 3]],
        covariance_type="diag",
        config=config,
    )
    model.fit(input_fn=columns, steps=2)
    stage.say(model.weights(), model.clusters(), model.covariances())
    stage.say(list(model.predict_assignments(input_fn=columns)))
    stage.say(model.score(input_fn=columns, steps=1))
    stage.say(sorted(model.get_variable_names()), model.get_variable_value("global_step"))
    labelled = functools.partial(lambda: (tf.constant(_POINTS), tf.constant([1])))
    stage.attempt(model.fit, input_fn=labelled, steps=1)
