"""The largest elements of rows with NaN, which the steps of a heap and of a sort leave where they come upon it."""

import numpy as np


def build(tf):
    random = np.random.RandomState(5)
    steps = []
    for columns in (3, 5, 9, 20, 60):
        rows = random.normal(size=[12, columns]).astype("float32").round(1)
        rows[random.uniform(size=rows.shape) < 0.3] = np.nan
        rows[random.uniform(size=rows.shape) < 0.05] = np.inf
        rows[0] = np.nan
        rows[1] = -np.inf
        rows[1, 0] = np.nan
        for k in sorted({1, 2, columns // 2, columns - 1, columns}):
            found = tf.nn.top_k(rows, k)
            left = tf.nn.top_k(rows, k, sorted=False)
            steps.append((f"{k} of {columns}", [found.indices, found.values, left.indices]))
    doubles = tf.nn.top_k(np.array([1.0, np.nan, np.inf]), 2)
    halves = tf.nn.top_k(np.array([1.0, np.nan, np.inf], "float16"), 2)
    steps.append(("other dtypes", [tuple(doubles), tuple(halves)]))
    return {"steps": steps}
