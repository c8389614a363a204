"""WALSMatrixFactorization: sweeps in turn till there are enough, the loss, projections."""

import tempfile

import numpy as np

from tests.support.models.estimator_runs import Graphs, lines

TOLERANCE = 1e-3  # systems of equations, solved one after the other
RANDOM = np.random.RandomState(4)
MATRIX = RANDOM.rand(5, 7).astype("f") * (RANDOM.rand(5, 7) < 0.6)
ROWS, COLUMNS = RANDOM.rand(5, 2).astype("f"), RANDOM.rand(7, 2).astype("f")


def build(tf):
    of = tf.contrib.factorization.WALSMatrixFactorization
    graphs, facts = Graphs(tf), {}

    def sparse(matrix):
        places = np.argwhere(matrix)
        values = matrix[places[:, 0], places[:, 1]]
        return tf.SparseTensor(places, values, matrix.shape)

    def rows(is_row=None, weights=None):
        def input_fn():
            features = {of.INPUT_ROWS: sparse(MATRIX), of.INPUT_COLS: sparse(MATRIX.T)}
            if is_row is not None:
                features[of.PROJECT_ROW] = tf.constant(is_row)
            if weights is not None:
                features[of.PROJECTION_WEIGHTS] = weights
            return features, None

        return input_fn

    with tempfile.TemporaryDirectory() as folder:
        config = tf.contrib.learn.RunConfig(tf_random_seed=2)
        model = of(
            5,
            7,
            2,
            unobserved_weight=0.2,
            regularization_coeff=0.05,
            row_init=ROWS,
            col_init=[COLUMNS[:4], COLUMNS[4:]],
            num_col_shards=2,
            col_weights=[[1.0] * 4, [0.5] * 3],
            row_weights=1.0,
            max_sweeps=3,
            model_dir=folder,
            config=config,
        )
        with lines(tf, ("SweepHook", "Next fit"), folder) as logged:
            model.fit(input_fn=rows(), steps=20, monitors=[graphs.hook])
        facts["logged"] = logged
        facts["step"] = int(model.get_variable_value("global_step"))
        facts["names"] = model.get_variable_names()
        found = model.evaluate(input_fn=rows(False), steps=1, hooks=[graphs.hook])["loss"]
        values = model.get_row_factors() + model.get_col_factors() + [found]
        values.append(list(model.get_projections(rows(False, 2.0))))
        values += [model.get_variable_value(name) for name in (of.LOSS, of.RWSE)]
    tf.summary.FileWriterCache.clear()  # which ends the threads that write
    facts["graphs"] = graphs.seen
    fed = [tf.placeholder(tf.float32) for _ in values]
    step = ("values", [tf.identity(t) for t in fed], dict(zip(fed, values)))
    return {"steps": [step], "facts": facts}
