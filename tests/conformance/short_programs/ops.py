"""Array, math, string and image functions, each with non-default options."""

import numpy as np

from tests.conformance.short_programs import rows, table_of

X = np.random.RandomState(2).randn(3, 4).astype(np.float32)
PICTURE = (np.arange(11 * 12 * 3) % 251).reshape(11, 12, 3).astype(np.uint8)


def programs(tf):
    found = {}

    def add(name, *calls):
        for number, call in enumerate(calls):
            found[f"{name}_{number}"] = call

    def x():
        return tf.constant(X)

    def picture(dtype=None):
        made = tf.constant(PICTURE)
        return made if dtype is None else tf.image.convert_image_dtype(made, dtype)

    i32, i64, f64 = tf.int32, tf.int64, tf.float64
    m, s, image, L = tf.math, tf.strings, tf.image, tf.linalg
    sparse = tf.SparseTensor([[0, 1], [1, 0], [1, 2]], [1.0, 2.0, 3.0], [2, 3])
    words = ["b,c d", " a", ""]
    reductions = (
        "sum",
        "mean",
        "max",
        "min",
        "prod",
        "logsumexp",
        "euclidean_norm",
        "std",
        "variance",
    )
    add(
        "reduced",
        *[lambda f=f: getattr(m, "reduce_" + f)(x(), [0], keepdims=True) for f in reductions],
        *[lambda f=f: getattr(m, "reduce_" + f)(x(), -1) for f in reductions],
    )
    boxes = [[0.1, 0.2, 0.6, 0.9], [0.1, 0.2, 0.6, 0.8], [0.5, 0.5, 0.9, 1.0]]
    add(
        "pictures",
        *[
            lambda k=k, o=o: image.resize_images(picture(), [5, 7], k, **o)
            for k in range(4)
            for o in ({}, {"align_corners": True}, {"preserve_aspect_ratio": True})
        ],
    )
    matrix = X[:, :3] @ X[:, :3].T + np.eye(3, dtype=np.float32)
    r = tf.random
    written = rows(
        table_of(__file__),
        tf=tf, L=L, X=X, boxes=boxes, f64=f64, i32=i32, i64=i64, image=image, m=m, matrix=matrix, np=np,
        picture=picture, r=r, s=s, sparse=sparse, words=words, x=x,
    )  # fmt: skip
    return {**found, **written}
