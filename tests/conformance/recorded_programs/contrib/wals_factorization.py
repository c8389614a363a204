"""WALSModel: shards, weights, regularization, cached factors, subsets of rows, transposed inputs, projections."""

import numpy as np

TOLERANCE = 1e-3  # linear systems solved in sequence
RANDOM = np.random.RandomState(4)
MATRIX = RANDOM.rand(5, 7).astype("f") * (RANDOM.rand(5, 7) < 0.6)
ROWS, COLUMNS = RANDOM.rand(5, 2).astype("f"), RANDOM.rand(7, 2).astype("f")


def build(tf):
    model_of = tf.contrib.factorization.WALSModel
    kinds = {
        "plain": {"row_init": ROWS, "col_init": COLUMNS},
        "regular": {
            "row_init": [ROWS[:3], ROWS[3:]],
            "col_init": lambda: [COLUMNS[:3], COLUMNS[3:5], COLUMNS[5:]],
            "num_row_shards": 2,
            "num_col_shards": 3,
            "regularization": 0.1,
            "row_weights": [[1.0, 2.0, 0.5], [1.0, 1.0]],
            "col_weights": 0.5,
        },
        "equal": {
            "row_init": ROWS,
            "row_weights": None,
            "col_weights": None,
            "regularization": 0.01,
            "use_factors_weights_cache": False,
            "use_gramian_cache": False,
            "use_scoped_vars": True,
        },
    }
    steps, made = [], {}
    for kind, options in kinds.items():
        with tf.name_scope(kind):
            model = model_of(5, 7, 2, unobserved_weight=0.2, **options)
            given = tf.sparse_placeholder(tf.float32, name="given")
            turned = tf.sparse_placeholder(tf.float32, name="turned")
            made[kind] = [
                model,
                given,
                turned,
                model.update_row_factors(sp_input=given),
                model.update_col_factors(sp_input=turned, transpose_input=True),
                model.project_row_factors(sp_input=given, projection_weights=[1.0, 2.0]),
                model.project_col_factors(sp_input=given),
            ]
    for kind, (model, given, turned, rows, columns, row, column) in made.items():
        steps.append((kind + " init", model.initialize_op))
        steps.append((kind + " worker", model.worker_init))
        for _ in range(2):
            steps.append((kind + " rows", model.row_update_prep_gramian_op))
            steps.append((kind + " rows", model.initialize_row_update_op))
            for part in ([0, 2, 4], [1, 3]):
                fed = {given: sparse(tf, part, [])}
                steps.append((kind + " rows", [rows[0], rows[2], rows[3], rows[4]], fed))
                steps.append((kind + " rows", rows[1], fed))
            steps.append((kind + " columns", model.col_update_prep_gramian_op))
            steps.append((kind + " columns", model.initialize_col_update_op))
            fed = {turned: sparse(tf, [], range(7), True)}
            steps.append((kind + " columns", [columns[0], columns[2], columns[4]], fed))
            steps.append((kind + " columns", columns[1], fed))
        steps.append((kind + " worker", model.row_update_prep_gramian_op))
        steps.append((kind + " worker", model.initialize_row_update_op))
        steps.append((kind + " row", row, {given: sparse(tf, [1, 2], [])}))
        steps.append((kind + " worker", model.initialize_col_update_op))
        steps.append((kind + " column", column, {given: sparse(tf, [], [1, 2])}))
        steps.append((kind + " factors", model.row_factors + model.col_factors))
    facts = {"variables": [v.name for v in tf.global_variables() + tf.local_variables()]}
    try:
        model_of(2, 2, 1, row_weights=-1, col_weights=1)
    except (ValueError, AssertionError) as error:
        facts["wrong"] = [type(error).__name__, str(error)]
    return {"steps": steps, "facts": facts}


def sparse(tf, rows, columns, is_turned=False):
    """Some rows or columns of the matrix."""
    places = np.array([p for p in np.argwhere(MATRIX) if p[0] in rows or p[1] in columns])
    values = MATRIX[places[:, 0], places[:, 1]]
    if is_turned:
        return tf.SparseTensorValue(places[:, ::-1].copy(), values, [7, 5])
    return tf.SparseTensorValue(places, values, [5, 7])
