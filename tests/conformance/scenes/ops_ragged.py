"""Ragged tensors gathered, masked, sliced, computed with; characters as rows: deep nesting and errors."""

import importlib

import numpy as np


def _internal(tf, name, own):
    """A TensorFlow module, or our equivalent."""
    its = tf.__name__ == "tensorflow"
    ragged = "tensorflow.python.ops.ragged." if its else "tfmini._src.ops.ragged."
    return importlib.import_module(ragged + (name if its else own))


def _each(tf, stage, cases, graph="sum"):
    """Records each result, with the components of ragged and sparse tensors."""
    flat = lambda f: tf.nest.flatten(f(), expand_composites=True)  # noqa: E731
    stage.each({name: lambda f=f: flat(f) for name, f in cases.items()}, graph=graph)


def _samples(tf):
    """Functions that create ragged tensors: of rows, deeply nested, of pairs, of words."""
    make = tf.ragged.constant
    return (
        lambda *rows: make(list(rows) or [[1, 2], [], [3]]),
        lambda: make([[[1], [2, 3]], [], [[4, 5, 6]]]),
        lambda: tf.RaggedTensor.from_row_splits([[1, 2], [3, 4], [5, 6]], [0, 2, 2, 3]),
        lambda: make([["a", "b"], [], ["c"]]),
    )


def gathered(tf, stage):
    ph, make, nd = tf.placeholder_with_default, tf.ragged.constant, tf.gather_nd
    rows, deep, pairs, _ = _samples(tf)
    raw = tf.raw_ops.RaggedGather

    def op(splits=((0, 2, 3),), values=(1, 2, 3), indices=(1, 0), rank=None):
        rank = len(splits) + np.ndim(indices) - 1 if rank is None else rank
        splits = [ph(np.array(s, np.int64), [None]) for s in splits]
        values = ph(np.array(values), [None] * np.ndim(values))
        given = ph(np.array(indices), [None] * np.ndim(indices))
        made = raw(
            params_nested_splits=splits,
            params_dense_values=values,
            indices=given,
            OUTPUT_RAGGED_RANK=rank,
        )
        return [*made[0], made[1]]

    def slope():
        values = tf.constant([1.0, 2.0, 3.0])
        ragged = tf.RaggedTensor.from_nested_row_splits(values, [[0, 2, 2], [0, 2, 3]])
        picked = tf.gather(ragged, tf.constant([[0, 0], [1, 0]])).flat_values
        slices = tf.gradients(picked * tf.range(1.0, 10.0), values)
        return slices[0].values, slices[0].indices, slices[0].dense_shape

    def slope_of_rows():
        values = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        ragged = tf.RaggedTensor.from_row_splits(values, [0, 1, 2])
        return tf.convert_to_tensor(
            tf.gradients(tf.gather(ragged, [1, 1, 0]).values ** 2, values)[0]
        )

    cases = {
        "one": lambda: tf.gather(rows(), 2),
        "matrix": lambda: tf.gather(deep(), [[2, 0], [1, 1]]),
        "cube": lambda: tf.gather(rows(), np.zeros([1, 2, 2], np.int64)),
        "of_nothing": lambda: tf.gather(rows(), np.zeros([0], np.int32)),
        "ragged": lambda: tf.gather(deep(), make([[2], [], [0, 1]])),
        "pairs": lambda: tf.gather(pairs(), [2, 0], name="own"),
        "unknown_rank": lambda: tf.gather(rows(), ph([0], None)),
        "axis": lambda: tf.gather(rows(), [0], axis=1),
        "axis_of_tensor": lambda: tf.gather(rows(), [0], axis=tf.constant(0)),
        "batch": lambda: tf.gather(rows(), [0], batch_dims=1),
        "splits_dtypes": lambda: tf.gather(rows(), make([[0]], row_splits_dtype=tf.int32)),
        "op": op,
        "op_scalar": lambda: op(values=[1.0, 2.0, 3.0], indices=1),
        "op_scalar_values": lambda: op(values=1),
        "op_far": lambda: op(indices=[[0], [2]]),
        "op_far_scalar": lambda: op(indices=2),
        "op_no_splits": lambda: op([[]], indices=np.zeros([0], np.int32)),
        "op_deep": lambda: op([[0, 1, 2], [0, 0, 3]], [[1, 2], [3, 4], [5, 6]], [1, 0, 1]),
        "op_rank": lambda: op(rank=2),
        "slope": slope,
        "slope_of_rows": slope_of_rows,
        "nd_elements": lambda: nd(deep(), [[0, 1, 1], [2, 0, 2]]),
        "nd_inside": lambda: nd(pairs(), [[0, 1, 0], [2, 0, 1]]),
        "nd_all": lambda: nd(rows(), np.zeros([2, 0], np.int64)),
        "nd_many": lambda: nd(rows(), [[[0], [2]], [[1], [1]]]),
        "nd_many_elements": lambda: nd(rows(), [[[0, 1]], [[2, 0]]]),
        "nd_ragged_inside": lambda: nd(rows(), make([[[0, 0]], [[2], [0, 1]]])),
        "nd_rank": lambda: nd(rows(), ph([[0]], None)),
        "nd_scalar": lambda: nd(rows(), 0),
        "nd_length": lambda: nd(rows(), ph([[0]], [None, None])),
        "nd_batch": lambda: nd(rows(), [[0]], batch_dims=1),
        "batch_ragged": lambda: tf.batch_gather(rows(), make([[1, 0, 1], [], [0]])),
        "batch_dense": lambda: tf.batch_gather(rows([1, 2], [3, 4]), [[1], [0]]),
        "batch_dense_one": lambda: tf.batch_gather(rows(), [2, 0]),
        "batch_dense_many": lambda: tf.batch_gather(rows(), [[[0]]]),
        "batch_of_dense": lambda: tf.batch_gather([[1, 2], [3, 4]], make([[1], [0, 0]])),
        "batch_of_dense_many": lambda: tf.batch_gather([[1, 2]], make([[[1]]])),
        "batch_of_vector": lambda: tf.batch_gather([1, 2], make([[1], [0]])),
        "batch_rank": lambda: tf.batch_gather(rows(), ph([0], None)),
        "batch_scalar": lambda: tf.batch_gather(rows(), 0),
    }
    _each(tf, stage, cases)


def masked_and_chosen(tf, stage):
    ph, make, mask = tf.placeholder_with_default, tf.ragged.constant, tf.ragged.boolean_mask
    rows, deep, pairs, words = _samples(tf)
    stack = _internal(tf, "ragged_array_ops", "ragged_selection").stack_dynamic_partitions
    flags = lambda: make([[True, False], [], [True]])  # noqa: E731
    deep_flags = lambda: make([[[True], [False, True]], [], [[True, False, True]]])  # noqa: E731
    cube = np.arange(12).reshape(2, 2, 3)
    cases = {
        "deep_rows": lambda: mask(deep(), flags()),
        "dense_mask_deep": lambda: mask(
            make([[[1, 2]], [[3, 4]]]), np.array([[[True, False]], [[True, True]]])
        ),
        "dense_mask_other": lambda: mask(rows(), [[True, False], [False, False], [True, True]]),
        "ragged_mask_of_dense": lambda: mask([[1, 2], [3, 4]], make([[True, False], [True, True]])),
        "cube": lambda: mask(cube, cube % 2 == 0),
        "hypercube": lambda: mask(cube[None], cube[None] % 5 > 1),
        "rank": lambda: mask(rows(), ph([True], None)),
        "places": lambda: [tf.where(deep_flags()), tf.where(make([[False], []], tf.bool))],
        "one_of_two": lambda: tf.where(flags(), rows()),
        "chosen_rows": lambda: tf.where([True, False, True], rows(), rows([7], [8, 9], [10])),
        "chosen_ragged": lambda: tf.where(flags(), rows(), [[1, 2], [3, 4], [5, 6]]),
        "chosen_others": lambda: tf.where(flags(), rows(), rows([7], [8, 9], [10])),
        "stacked_scalar": lambda: stack("a", 2, 4),
        "stacked_matrix": lambda: stack([["a", "b"], ["c", "d"]], [[1, 0], [1, 1]], 2),
        "stacked_by_dense": lambda: stack(rows([1, 2], [3, 4]), [[1, 0], [0, 0]], 2),
        "stacked_other": lambda: stack(rows(), make([[1], [0], [1]]), 2),
        "stacked_far": lambda: stack([1, 2], ph([0, 3], [2]), 3),
        "stacked_rank": lambda: stack([1, 2], ph([0, 3], None), 3),
        "stacked_empty": lambda: stack(np.zeros([0], "f"), np.zeros([0], np.int32), 2),
        "partitioned": lambda: tf.dynamic_partition(rows(), [1, 0, 1], 3, "own"),
        "partitioned_negative": lambda: tf.dynamic_partition(rows(), [1, 0, 1], -1),
    }
    _each(tf, stage, cases)


def sliced(tf, stage):
    ph, make = tf.placeholder_with_default, tf.ragged.constant
    _, deep, pairs, words = _samples(tf)
    rows = lambda: make([[1, 2, 3], [], [4], [5, 6]])  # noqa: E731
    at = lambda n: ph(n, [])  # noqa: E731
    unknown = lambda: tf.RaggedTensor.from_row_splits(ph([[1, 2], [3, 4]], None), [0, 1, 2])  # noqa: E731
    cases = {
        "row": lambda: [rows()[i] for i in (0, 1, -1, -4)],
        "rows_none": lambda: [rows()[2:2], rows()[9:], rows()[3:1]],
        "rows_by": lambda: [rows()[::2], rows()[::-1], rows()[3:0:-2], rows()[::1]],
        "rows_by_deep": lambda: [deep()[::2], deep()[::-1]],
        "columns_both": lambda: [
            rows()[:, k] for k in (slice(1, 2), slice(-2, -1), slice(0, -1), slice(2, 1))
        ],
        "columns_by": lambda: [rows()[:, ::2], rows()[:, 1::2], rows()[:, 2:0:-1]],
        "columns_fed": lambda: rows()[:, at(1) : at(-1)],
        "columns_by_float": lambda: rows()[:, ::1.5],
        "columns_float": lambda: rows()[:, 1.5:],
        "inner_ragged": lambda: deep()[:, :, 0],
        "dots": lambda: [rows()[..., 1:], deep()[..., :1], pairs()[..., 0], rows()[...]],
        "dots_unknown": lambda: unknown()[..., 1],
        "new": lambda: [rows()[None], rows()[None, 1:], rows()[:, None], rows()[1, None]],
    }
    _each(tf, stage, cases)
    stage.each_eagerly({"far": lambda: rows()[4], "before": lambda: rows()[-5]})


def calculated(tf, stage):
    make = tf.ragged.constant
    rows, deep, pairs, words = _samples(tf)
    other = lambda: make([[10, 20], [], [30]])  # noqa: E731
    short = lambda: make([[1]], row_splits_dtype=tf.int32)  # noqa: E731
    join = tf.reduce_join
    cases = {
        "binary": lambda: [rows() + other(), 2 * rows()],
        "reflected": lambda: [1 - rows(), 2 / rows(), 7 // rows(), 7 % rows(), 2 ** rows()],
        "divided": lambda: [rows() // 2, rows() % 2, rows() ** 2],
        "compared": lambda: [rows() < 2, rows() <= 2, rows() > 2, rows() >= 2],
        "logical": lambda: [(rows() > 1) | False, True ^ (rows() > 1), ~(rows() > 1)],
        "unary": lambda: [-rows(), abs(-rows()), tf.square(x=rows()), tf.cast(rows(), tf.float64)],
        "unary_named": lambda: [tf.negative(rows(), name="own"), tf.cast(x=rows(), dtype="int8")],
        "wider": lambda: [rows() + [[1], [2], [3]], [[1], [2], [3]] * rows(), rows() + [5]],
        "wider_values": lambda: [pairs() + [10, 20], [10, 20] - pairs()],
        "deeper": lambda: [deep() + make([[10, 20], [], [30]])[:, :, None], deep() * 2],
        "deeper_dense": lambda: deep() + [[[100]], [[200]], [[300]]],
        "ragged_rows": lambda: rows() + make([[100]]),
        "ragged_columns": lambda: make([[1, 2, 3]]) * make([[1], [2]]),
        "other_rows": lambda: rows() + make([[1], [2], [3]]),
        "other_lengths": lambda: rows() + make([[1, 2], [3], []]),
        "dense_wrong": lambda: rows() - [[1, 2, 3]],
        "ranks": lambda: rows() - tf.ones([2, 3, 2], tf.int32),
        "types": lambda: rows() + 1.5,
        "types_of_two": lambda: rows() + make([[1.0]]),
        "text": lambda: rows() + "a",
        "splits_dtypes": lambda: rows() + short(),
        "kinds": lambda: [
            tf.atan2(make([[1.0]]), 2.0),
            tf.complex(real=make([[1.0]]), imag=2.0),
            tf.maximum(rows(), 2),
            tf.equal(x=rows(), y=2),
            tf.squared_difference(rows(), 3, name="own"),
        ],
        "sum_of_many": lambda: tf.add_n([rows(), other(), rows()], name="own"),
        "sum_of_inputs": lambda: tf.add_n(inputs=[rows(), other()]),
        "sum_of_others": lambda: tf.add_n([rows(), make([[1], [2], [3]])]),
        "sum_of_depths": lambda: tf.add_n([rows(), deep()]),
        "texts": lambda: tf.strings.join([words(), "-", words()], name="own"),
        "texts_by": lambda: tf.strings.join(inputs=[words(), words()], separator="+"),
        "strings": lambda: [tf.strings.length(words()), tf.strings.substr(words(), 0, 1)],
        "joined": lambda: [join(words(), i, separator="-") for i in (0, 1, -1, None)],
        "joined_kept": lambda: join(words(), 1, True),
        "joined_axes": lambda: join(words(), [0, 1], name="own"),
        "joined_named": lambda: join(inputs=words(), reduction_indices=1),
        "joined_both": lambda: join(words(), axis=1, reduction_indices=1),
        "products": lambda: [tf.reduce_prod(deep(), i) for i in (0, 1, 2)],
        "extremes": lambda: [f(rows(), i) for f in (tf.reduce_min, tf.reduce_max) for i in (0, 1)],
        "sums_inside": lambda: [tf.reduce_sum(pairs(), i) for i in (0, 1, 2, [1, 2], (0, 2))],
        "sums_of_arrays": lambda: tf.reduce_sum(deep(), np.array(1)),
        "sums_of_far": lambda: tf.reduce_sum(rows(), 2),
        "sums_twice": lambda: tf.reduce_sum(deep(), [1, -2]),
        "sums_old": lambda: tf.reduce_sum(rows(), reduction_indices=1, name="own"),
        "sums_old_kept": lambda: tf.reduce_sum(rows(), 1, keep_dims=True),
        "means": lambda: [tf.reduce_mean(tf.cast(deep(), "float32"), i) for i in (0, 1, 2, None)],
        "means_of_integers": lambda: tf.reduce_mean(rows(), 1),
        "truths": lambda: [
            f(rows() > 1, i) for f in (tf.reduce_any, tf.reduce_all) for i in (0, 1, None)
        ],
        "segments": lambda: [
            getattr(tf.math, "unsorted_segment_" + n)(deep(), [1, 0, 1], 3, name="own")
            for n in ("sum", "prod", "min", "max")
        ],
        "segments_of_kinds": lambda: [
            getattr(tf.math, "unsorted_segment_" + n)(tf.cast(deep(), tf.float32), [1, 0, 1], 2)
            for n in ("mean", "sqrt_n")
        ],
        "segments_deep": lambda: tf.math.unsorted_segment_sum(deep(), make([[1, 0], [], [1]]), 2),
        "segments_flat": lambda: tf.math.unsorted_segment_mean(
            make([[1.0, 2.0], [], [3.0]]), make([[1, 0], [], [1]]), 2
        ),
        "segments_texts": lambda: tf.strings.unsorted_segment_join(["a", "b"], [0, 0], 1),
        "mapped": lambda: tf.ragged.map_flat_values(
            lambda x, y, z: x + y[0] * z["a"], rows(), [other()], z={"a": rows()}
        ),
        "mapped_tuple": lambda: tf.ragged.map_flat_values(lambda x: x[0] + x[1], (rows(), 1)),
        "mapped_none": lambda: tf.ragged.map_flat_values(tf.add, 1, 2),
        "mapped_depths": lambda: tf.ragged.map_flat_values(tf.add, rows(), deep()),
        "mapped_splits": lambda: tf.ragged.map_flat_values(tf.add, rows(), short()),
        "mapped_value": lambda: tf.ragged.map_flat_values(
            tf.negative, tf.ragged.constant_value([[1], [2, 3]])
        ),
        "mapped_fewer": lambda: tf.ragged.map_flat_values(tf.reduce_sum, rows()),
    }
    heavy = "reflected divided compared wider wider_values deeper deeper_dense ragged_columns kinds".split()
    at_once = {name: cases.pop(name) for name in heavy}
    _each(tf, stage, cases)
    flat = lambda f: tf.nest.flatten(f(), expand_composites=True)  # noqa: E731
    stage.each_eagerly({name: lambda f=f: flat(f) for name, f in at_once.items()})


def split_into_characters(tf, stage):
    ph, s, make = tf.placeholder_with_default, tf.strings, tf.ragged.constant
    mixed = ["a\u00e9".encode(), b"", "\u4e2d\U0001f600!".encode()]
    ragged = lambda: make([mixed[:1], [], mixed[1:]])  # noqa: E731
    cases = {
        "bytes": lambda: [s.bytes_split(x) for x in (mixed[0], mixed, [["ab"], ["c"]])],
        "bytes_rank": lambda: s.bytes_split(ph(["a"], None)),
        "decoded": lambda: [s.unicode_decode(x, "UTF-8") for x in (mixed[0], [mixed, mixed])],
        "decoded_ragged": lambda: s.unicode_decode(ragged(), "UTF-8", name="own"),
        "decoded_rows": lambda: s.unicode_decode(
            tf.RaggedTensor.from_row_splits([["ab", "c"]], [0, 1]), "UTF-8"
        ),
        "decoded_rank": lambda: s.unicode_decode(ph(["a"], None), "UTF-8"),
        "decoded_controls": lambda: s.unicode_decode(["a\x01\n"], "UTF-8", "replace", 63, True),
        "decoded_encoding": lambda: s.unicode_decode(["a"], "no such"),
        "encoded": lambda: [
            s.unicode_encode(x, "UTF-8") for x in ([72, 105], [[[72, 105]], [[33, 0x4E2D]]])
        ],
        "encoded_ragged": lambda: s.unicode_encode(make([[[72], [105, 33]], []]), "UTF-32-BE"),
        "encoded_scalar": lambda: s.unicode_encode(72, "UTF-8"),
        "encoded_rank": lambda: s.unicode_encode(ph([72], None), "UTF-8"),
        "encoded_replaced": lambda: [
            s.unicode_encode([0x110000, 65, -1], "UTF-8", e, 63) for e in ("replace", "ignore")
        ],
        "words": lambda: [
            s.split(make([["a b", ""], ["c  d"]]), name="own"),
            s.split("a b", result_type="RaggedTensor"),
        ],
        "pieces": lambda: s.ngrams(ragged(), [1, 2], separator="|"),
        "pieces_pads": lambda: s.ngrams(["a", "b"], 3, pad_values=["<", 3]),
        "pieces_padded": lambda: s.ngrams(["a", "b"], 3, pad_values=("<", ">"), padding_width=5),
        "pieces_bytes": lambda: s.ngrams(["a", "b"], (2,), b"+", pad_values=b"_"),
    }
    _each(tf, stage, cases)
