"""tf.data: elements of many structures through each transformation: tuples, dicts, named tuples, sparse tensors."""

import collections

import numpy as np

from tests.conformance.recorded_programs.data.data_basic import read_all

Point = collections.namedtuple("Point", ["x", "y"])


def build(tf):
    D = tf.data.Dataset
    rows = np.arange(12.0).reshape(6, 2)
    deep = D.from_tensor_slices({"p": Point(rows, np.arange(6)), "q": ((np.arange(6) * 2,), rows)})
    sparse = D.from_tensor_slices(
        tf.SparseTensor([[0, 0], [1, 1], [3, 0]], tf.constant([1.0, 2.0, 3.0]), [4, 2])
    )
    datasets = [
        deep.map(lambda e: Point(e["p"].y, e["q"])).batch(4),
        deep.filter(lambda e: e["p"].y > 2).map(lambda e: e["q"][0]),
        deep.padded_batch(4, {"p": Point([3], []), "q": (([],), [2])}),
        deep.take(2).concatenate(deep.skip(4)).map(lambda e: e["p"]),
        deep.flat_map(lambda e: D.from_tensor_slices(e["p"].x)).batch(5),
        deep.cache().shuffle(3, seed=1).map(lambda e: e["p"].y).repeat(2),
        deep.batch(3).unbatch().map(lambda e: e["p"]),
        sparse.batch(3).map(lambda s: tf.sparse.to_dense(s)),
        sparse.map(lambda s: (s, tf.sparse.reduce_sum(s))).repeat(2).skip(3),
        D.zip((sparse, D.range(4))).filter(lambda s, n: n > 1).map(lambda s, n: s.values),
        sparse.prefetch(1).enumerate().map(lambda n, s: tf.sparse.to_dense(s)),
        D.from_tensors({"a": [1, 2], "b": ("x", [[3.5]])}).repeat(2).batch(2, drop_remainder=True),
        D.from_tensor_slices((["a", "b"], [True, False])).map(
            lambda s, b: {"s": s, "not": tf.logical_not(b)}
        ),
    ]
    return {"steps": read_all(tf, datasets), "facts": {"reprs": [repr(d) for d in datasets]}}
