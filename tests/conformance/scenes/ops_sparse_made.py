"""Sparse tensors by raw ops: static shapes, gradients, validity of components; serialized, stored, crossed."""

import importlib

import numpy as np

from tests.conformance.scenes import unknown, with_gradients

PLACES = np.array([[0, 0], [0, 2], [1, 1]], "i8")
VALUES = np.array([1.0, 2.0, 3.0], "f")
SHAPE = np.array([2, 3], "i8")


def _parts(prefix, names, parts):
    """The components by op argument name."""
    keys = (prefix + names.get(key, key) for key in ("indices", "values", "shape"))
    return dict(zip(keys, parts))


def _wrong(tf):
    """Components of invalid sparse tensors, with unknown static shapes."""
    fed = unknown(tf)
    of = lambda p=PLACES, v=VALUES, s=SHAPE: (fed(p), fed(v), fed(s))  # noqa: E731
    return {
        "vector_of_places": of(p=PLACES[:, 0]),
        "matrix_of_values": of(v=VALUES[:, None]),
        "few_values": of(v=VALUES[:2]),
        "matrix_of_shape": of(s=SHAPE[None]),
        "rank": of(s=np.array([2, 3, 1], "i8")),
        "outside": of(s=np.array([2, 2], "i8")),
        "negative": of(p=PLACES - np.array([[0, 1]])),
        "unsorted": of(p=PLACES[::-1]),
        "repeated": of(p=PLACES[[0, 1, 1]]),
        "none": of(p=PLACES[:0], v=VALUES[:0]),
    }


def _made(tf):
    """Functions of (indices, values, shape), by op."""
    raw = tf.raw_ops
    b = {"b_indices": PLACES[:1], "b_values": VALUES[:1], "b_shape": SHAPE}
    dense = np.arange(6, dtype="f").reshape(2, 3)

    def of(kind, prefix="", names=None, **given):
        return lambda *parts: getattr(raw, kind)(**_parts(prefix, names or {}, parts), **given)

    inputs = {"indices": "input_indices", "values": "input_values", "shape": "input_shape"}
    return {
        "reorder": of("SparseReorder", names=inputs),
        "add": of("SparseAdd", "a_", thresh=0.0, **b),
        "add_dense": of("SparseTensorDenseAdd", "a_", b=dense),
        "maximum": of("SparseSparseMaximum", "a_", **b),
        "minimum": of("SparseSparseMinimum", "a_", **b),
        "softmax": of("SparseSoftmax", "sp_"),
        "times": of("SparseDenseCwiseMul", "sp_", dense=dense),
        "over": of("SparseDenseCwiseDiv", "sp_", dense=dense + 1),
        "plus": of("SparseDenseCwiseAdd", "sp_", dense=dense[0]),
        "sum": of("SparseReduceSum", names=inputs, reduction_axes=[1]),
        "sum_sparse": of("SparseReduceSumSparse", names=inputs, reduction_axes=[0], keep_dims=True),
        "max": of("SparseReduceMax", names=inputs, reduction_axes=-1, keep_dims=True),
        "max_sparse": of("SparseReduceMaxSparse", names=inputs, reduction_axes=[0, 1]),
        "split": of("SparseSplit", split_dim=1, num_split=2),
        "slice": of("SparseSlice", start=[0, 1], size=[2, 1]),
        "filled": of("SparseFillEmptyRows", names={"shape": "dense_shape"}, default_value=9.0),
        "matmul": of("SparseTensorDenseMatMul", "a_", b=dense.T),
        "serialized": of("SerializeSparse", "sparse_"),
        "serialized_many": of("SerializeManySparse", "sparse_"),
        "kept": of("AddSparseToTensorsMap", "sparse_"),
        "kept_many": of("AddManySparseToTensorsMap", "sparse_"),
    }


# Cases in which TensorFlow crashes or reads invalid memory.
_FATAL = {
    ("add_dense", "few_values"),
    ("times", "few_values"),
    ("over", "few_values"),
    ("plus", "few_values"),
    ("split", "outside"),
    ("split", "negative"),
    ("add", "outside"),
    ("add", "rank"),
    ("maximum", "rank"),
    ("minimum", "rank"),
    ("filled", "few_values"),
    ("softmax", "rank"),
    ("sum", "outside"),
    ("sum", "negative"),
    ("max", "outside"),
    ("max", "negative"),
    ("sum", "rank"),
    ("max", "rank"),
    ("sum_sparse", "rank"),
    ("max_sparse", "rank"),
}


def _each(tf, stage, cases):
    """Records shapes and values of each in a shared graph and session."""
    with tf.Graph().as_default(), tf.Session() as session:
        for name, function in cases.items():
            stage.say(name)
            with stage.failing():
                made = function()
                tensors = tf.nest.flatten(made)
                stage.say([t.shape for t in tensors if isinstance(t, tf.Tensor)])
                stage.say(session.run(made))


def of_parts(tf, stage):
    for name, function in _made(tf).items():
        cases = {}
        cases[name] = lambda f=function: f(PLACES, VALUES, SHAPE)
        cases[f"{name}_fed"] = lambda f=function: f(
            *map(unknown(tf, True), (PLACES, VALUES, SHAPE))
        )
        for wrong in ("none", "matrix_of_values", "vector_of_places", "matrix_of_shape"):
            if wrong == "matrix_of_values" and name in ("split", "slice"):
                continue  # TensorFlow reports the shape of the indices
            cases[f"{name}_{wrong}"] = lambda f=function, w=wrong: f(*_wrong(tf)[w])
        cases[f"{name}_static_rank"] = lambda f=function: f(PLACES[:, 0], VALUES, SHAPE)
        if name not in ("split", "slice"):
            cases[f"{name}_static_values"] = lambda f=function: f(PLACES, VALUES[:, None], SHAPE)
        cases[f"{name}_static_shape"] = lambda f=function: f(PLACES, VALUES, SHAPE[None])
        _each(tf, stage, cases)


def of_places(tf, stage):
    for name, function in _made(tf).items():
        cases = {}
        for wrong in ("few_values", "rank", "outside", "negative", "unsorted", "repeated"):
            if (name, wrong) not in _FATAL:
                cases[f"{name}_{wrong}"] = lambda f=function, w=wrong: f(*_wrong(tf)[w])
        _each(tf, stage, cases)


def gradients(tf, stage):
    slopes = with_gradients(tf)
    s, c = tf.sparse, tf.constant
    of = lambda v, p=PLACES, n=SHAPE: tf.SparseTensor(p, v, n)  # noqa: E731
    dense = np.arange(1, 7, dtype="f").reshape(2, 3)
    one = lambda f: lambda: slopes(lambda v: f(of(v)).values, c(VALUES))  # noqa: E731
    stage.each(
        {
            "over_scalar": lambda: slopes(lambda v, d: (of(v) / d).values, c(VALUES), c(2.0)),
            "cwise_add": lambda: slopes(
                lambda v: tf.raw_ops.SparseDenseCwiseAdd(
                    sp_indices=PLACES, sp_values=v, sp_shape=SHAPE, dense=dense
                ),
                c(VALUES),
            ),
            "reorder": one(s.reorder),
            "softmax": one(s.softmax),
            "sums": lambda: slopes(lambda v: s.reduce_sum(of(v), 0), c(VALUES)),
            "sums_sparse": lambda: slopes(
                lambda v: s.reduce_sum_sparse(of(v), 0).values, c(VALUES)
            ),
            "most": lambda: slopes(lambda v: s.reduce_max(of(v), 0), c(VALUES)),
            "filled": lambda: slopes(
                lambda v, d: s.fill_empty_rows(of(v, n=[4, 3]), d)[0].values, c(VALUES), c(7.0)
            ),
            "matmul_complex": lambda: slopes(
                lambda v, d: s.sparse_dense_matmul(of(v), d, adjoint_a=True),
                c(VALUES * 1j + 1),
                c(dense[:, :2] - 2j),
            ),
            "split": lambda: slopes(
                lambda v: [t.values for t in s.split(sp_input=of(v), num_split=2, axis=1)],
                c(VALUES),
            ),
            "doubles": lambda: [
                of(tf.cast(VALUES, tf.float64)) * np.array(0.1),
                (of(c([1, 2, 3])) / 2).values,
                (of(c([7, -7, 3])).__div__(2)).values,
            ],
        },
        graph="sum",
    )


def segments(tf, stage):
    slopes = with_gradients(tf)
    data = np.arange(8, dtype="f").reshape(4, 2)
    fed = unknown(tf)
    kinds = {
        "sum": tf.sparse_segment_sum,
        "mean": tf.sparse_segment_mean,
        "sqrt": tf.sparse_segment_sqrt_n,
    }
    for name, go in kinds.items():
        cases = {}
        for what, given in {
            "plain": ([2, 0, 2], [0, 0, 2]),
            "none": (np.zeros([0], "i"), np.zeros([0], "i")),
            "wide": (np.array([2, 0], "i8"), [1, 1]),
            "unsorted": ([0, 1], [1, 0]),
            "far": ([0, 4], [0, 0]),
            "below": ([0, -1], [0, 0]),
            "negative": ([0, 1], [-1, 0]),
            "uneven": (fed([0, 1]), fed([0])),
            "matrix": (fed([[0, 1]]), fed([[0, 0]])),
        }.items():
            if what == "none":  # TensorFlow leaves its gradient unchanged
                cases[f"{name}_{what}"] = lambda go=go, g=given: go(data, *g)
            else:
                cases[f"{name}_{what}"] = lambda go=go, g=given: slopes(
                    lambda x: go(x, *g), tf.constant(data)
                )
            cases[f"{name}_{what}_of_3"] = lambda go=go, g=given: go(data, *g, num_segments=3)
        cases[f"{name}_double"] = lambda go=go: go(data.astype("d"), [1, 3], [0, 1], "own", 2)
        cases[f"{name}_of_few"] = lambda go=go: go(data, [1, 3], [0, 2], num_segments=2)
        cases[f"{name}_of_none"] = lambda go=go: go(data, [1, 3], [0, 2], num_segments=-1)
        cases[f"{name}_of_less"] = lambda go=go: go(
            data, fed([1, 3, 2]), fed([0, 2]), num_segments=fed(-1)
        )
        cases[f"{name}_of_vector"] = lambda go=go: go(data, [1, 3], [0, 2], num_segments=fed([3]))
        cases[f"{name}_gradient_of_3"] = lambda go=go: slopes(
            lambda x: go(x, [1, 1], [0, 1], num_segments=3), tf.constant(data)
        )
        cases[f"{name}_fed"] = lambda go=go: go(unknown(tf, True)(data), fed([0]), fed([0]))
        cases[f"{name}_ints"] = lambda go=go: go([[1], [2]], [0, 1], [0, 0])
        _each(tf, stage, cases)
    parts = {"grad": data, "indices": [1, 3], "segment_ids": [0, 2], "output_dim0": 0}
    raw = tf.raw_ops
    kinds = {"mean": raw.SparseSegmentMeanGrad, "sqrt": raw.SparseSegmentSqrtNGrad}
    _each(tf, stage, {name: lambda go=go: go(**parts) for name, go in kinds.items()})


def serialized(tf, stage):
    s, fed = tf.io, unknown(tf)
    one = lambda k=tf.float32: tf.SparseTensor(PLACES, tf.cast(VALUES, k), SHAPE)  # noqa: E731
    deep = tf.SparseTensor(
        [[0, 0, 1], [2, 1, 0]], np.array([b"a", b"\xff\x00b"], object), [3, 2, 2]
    )
    many = lambda t, **k: s.serialize_many_sparse(t, **k)  # noqa: E731
    back = lambda x, kind=tf.float32, **k: s.deserialize_many_sparse(x, kind, **k)  # noqa: E731
    raw = tf.raw_ops
    words = lambda x, kind=tf.float32: tuple(raw.DeserializeSparse(serialized_sparse=x, dtype=kind))  # noqa: E731

    stage.each(
        {
            "kinds": lambda: [
                s.serialize_sparse(one(k)) for k in (tf.float64, tf.int8, tf.bool, tf.complex64)
            ],
            "words": lambda: s.serialize_sparse(deep),
            "many_words": lambda: back(many(deep), tf.string, rank=3, name="own"),
            "other_dtype": lambda: back(many(one()), tf.int64),
            "no_dtype": lambda: s.serialize_sparse(one(), out_type=tf.int32),
            "rank": lambda: back(s.serialize_sparse(one())),
            "scalar": lambda: words(fed(np.array("a", object))),
            "of_none": lambda: words(np.zeros([0, 3], object)),
            "of_two": lambda: words(np.array(["a", "b"], object)),
        },
        graph="sum",
    )


def kept(tf, stage):
    its = tf.__name__ == "tensorflow"
    name = (
        "tensorflow.python.ops.sparse_ops" if its else "tfmini._src.ops.sparse.sparse_tensors_map"
    )
    module, private = importlib.import_module(name), "_" if its else ""
    one = tf.SparseTensor(PLACES, VALUES, SHAPE)
    add = getattr(module, private + "add_sparse_to_tensors_map")(one, name="one")
    many = getattr(module, private + "add_many_sparse_to_tensors_map")
    many = many(one, container="c", shared_name="s", name="many")
    take = getattr(module, private + "take_many_sparse_from_tensors_map")
    stage.attempts(lambda: take(3, add))
    a, b = take(add.op, tf.expand_dims(add, 0), 3, "a"), take(many.op, many)
    stage.say(add.shape, many.shape, a.shape, b.shape, a.indices.shape, b.dense_shape.shape)
    with tf.Session() as session:
        for fetch in (add, a, b, add, a, many, b):
            stage.attempt(session.run, fetch)
    stage.graph()


def crossed(tf, stage):
    s = tf.sparse
    raw = tf.raw_ops

    def cross(places=(), values=(), shapes=(), dense=(), **k):
        fed = unknown(tf)
        return tuple(
            raw.SparseCross(
                indices=[fed(np.array(p, "i8")) for p in places],
                values=[fed(np.array(v, "i8")) for v in values],
                shapes=[fed(np.array(z, "i8")) for z in shapes],
                dense_inputs=[fed(np.array(x, "i8")) for x in dense],
                hashed_output=True,
                num_buckets=k.get("buckets", 0),
                hash_key=k.get("key", 3),
                out_type=tf.int64,
                internal_type=tf.int64,
            )
        )

    one = ([[[0, 0], [1, 0]]], [[5, 6]], [[2, 1]])
    stage.each(
        {
            "nothing": lambda: s.cross([]),
            "rows": lambda: cross(*one, dense=[[[1]]]),
            "rows_of_sparse": lambda: cross(one[0] * 2, one[1] * 2, [[2, 1], [3, 1]]),
            "unsorted": lambda: cross([[[1, 0], [0, 0]]], [[5, 6]], [[2, 1]]),
        },
        graph="sum",
    )
