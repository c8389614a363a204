"""Ops whose result is a reference variable's own memory for some arguments, and similar ops that always copy: their
fetched values in a step that assigns the variable afterwards."""

import numpy as np


def build(tf):
    raw = tf.raw_ops
    fetched, changes, starts = {}, [], []

    def assigned(name, share, dims, dtype="float32"):
        """Fetches results derived from a variable that the same step assigns afterwards."""
        start = np.arange(1, 1 + np.prod(dims, dtype=int)).reshape(dims)
        with tf.name_scope(name):
            if dtype == "string":
                v = tf.Variable(start.astype(str).astype(object), name="v", dtype=dtype)
                other = tf.zeros_like(v)
            else:
                start = start % 2 == 0 if dtype == "bool" else start.astype(dtype)
                v = tf.Variable(start, name="v", dtype=dtype)
                other = tf.logical_not(v) if dtype == "bool" else v * 3
            found = [t for t in tf.nest.flatten(share(v)) if t is not None]
            with tf.control_dependencies([*found, other]):
                changed = tf.assign(v, other).op
        fetched[name] = found
        changes.append(changed)
        starts.append(v.initializer)

    def placeholder(value, dims=None):
        """A value known only at run time."""
        return tf.placeholder_with_default(value, dims)

    assigned("print", lambda v: tf.Print(v, []), [3])
    assigned("check_numerics", lambda v: tf.check_numerics(v, "wrong"), [3])
    assigned("guarantee", lambda v: raw.GuaranteeConst(input=v), [3])
    assigned("snapshot", lambda v: raw.Snapshot(input=v), [3])
    assigned("cast", lambda v: raw.Cast(x=v, DstT=tf.float32), [3])
    assigned("cast_to_double", lambda v: raw.Cast(x=v, DstT=tf.float64), [3])
    assigned("real", lambda v: tf.abs(v), [3])
    assigned("add_n", lambda v: raw.AddN(inputs=[v]), [3])
    assigned("shuffle_one", tf.random_shuffle, [1, 3])
    assigned("shuffle_scalar", tf.random_shuffle, [])
    assigned("shuffle", lambda v: tf.random_shuffle(v, seed=3), [3, 1])

    for name, dims, perm in (
        ("vector", [3], [0]),
        ("scalar", [], []),
        ("same_order", [2, 3], [0, 1]),
        ("ones_moved", [1, 3, 1], [1, 0, 2]),
        ("one_moved", [2, 1, 3], [1, 0, 2]),
        ("other_order", [2, 3], [1, 0]),
        ("empty_axis", [2, 0], [1, 0]),
    ):
        assigned(f"transpose_{name}", lambda v, perm=perm: tf.transpose(v, perm), dims)
        late = np.array(perm, np.int32)
        assigned(
            f"transpose_late_{name}",
            lambda v, late=late: tf.transpose(v, placeholder(late, [None])),
            dims,
        )
    assigned("conjugate_transpose", lambda v: tf.transpose(v, [0], conjugate=True), [3])
    assigned(
        "conjugate_transpose_complex",
        lambda v: raw.ConjugateTranspose(x=v, perm=[1, 0]),
        [1, 3],
        "complex64",
    )
    assigned("transpose_complex", lambda v: raw.Transpose(x=v, perm=[0]), [3], "complex64")
    assigned("transpose_strings", tf.transpose, [3], "string")

    for name, dims, axis, count in (
        ("one", [3], 0, 1),
        ("one_of_columns", [2, 3], 1, 1),
        ("aligned", [4, 16], 0, 2),
        ("half_aligned", [4, 8], 0, 2),
        ("unaligned", [4, 3], 0, 2),
        ("vector_aligned", [32], 0, 2),
        ("vector_unaligned", [8], 0, 2),
        ("columns", [2, 16], 1, 2),
        ("first_is_one", [1, 32], 1, 2),
        ("negative_axis", [4, 16], -2, 2),
    ):
        assigned(f"split_{name}", lambda v, a=axis, n=count: tf.split(v, n, a), dims)
        sizes = [dims[axis] // count] * count
        assigned(f"split_sizes_{name}", lambda v, a=axis, s=sizes: tf.split(v, s, a), dims)
    assigned("split_doubles", lambda v: tf.split(v, 2), [8], "float64")
    assigned("split_strings", lambda v: tf.split(v, 2), [8], "string")
    assigned("split_sizes_differ", lambda v: tf.split(v, [1, 3]), [4, 8])
    assigned("split_sizes_of_vector", lambda v: tf.split(v, [8, 16]), [24])
    assigned("split_sizes_late", lambda v: tf.split(v, placeholder([1, 3], [2])), [4, 8])

    for name, dims, axis in (
        ("aligned", [3, 16], 0),
        ("unaligned", [3, 3], 0),
        ("one", [1, 3], 0),
        ("scalars", [3], 0),
        ("single_scalar", [1], 0),
        ("columns", [8, 2], 1),
        ("one_column", [3, 1], 1),
        ("one_column_aligned", [16, 1], 1),
        ("behind_one", [1, 3, 16], 1),
        ("blocks", [2, 2, 8], 0),
        ("one_aligned", [1, 16], 0),
    ):
        assigned(f"unstack_{name}", lambda v, axis=axis: tf.unstack(v, axis=axis), dims)
    assigned("stack", lambda v: tf.stack([v]), [3])
    assigned("stack_last", lambda v: tf.stack([v], -1), [3])
    assigned("stack_two", lambda v: tf.stack([v, v]), [3])
    assigned("concat_with_empty", lambda v: tf.concat([v, tf.zeros([0])], 0), [3])
    assigned("parallel_stack", lambda v: tf.parallel_stack([v]), [3])

    for name, dims, begin, size in (
        ("whole", [4, 3], [0, 0], [4, 3]),
        ("rest", [4, 3], [0, 0], [-1, -1]),
        ("rows_aligned", [4, 16], [1, 0], [2, 16]),
        ("rows", [4, 3], [1, 0], [2, 3]),
        ("columns", [4, 8], [0, 0], [4, 4]),
        ("vector_aligned", [64], [16], [16]),
        ("vector_begin", [64], [8], [16]),
        ("vector_size", [64], [16], [8]),
        ("scalar", [], [], []),
        ("blocks", [3, 2, 8], [1, 0, 0], [1, 2, 8]),
    ):
        assigned(
            f"slice_{name}",
            lambda v, b=begin, s=size: tf.slice(v, np.array(b, "i4"), np.array(s, "i4")),
            dims,
        )
    assigned("slice_late", lambda v: tf.slice(v, placeholder([1, 0], [2]), [2, 16]), [4, 16])
    assigned("slice_late_part", lambda v: tf.slice(v, placeholder([0, 1], [2]), [2, 15]), [4, 16])

    for name, dims, take in (
        ("whole", [4, 3], lambda v: v[:]),
        ("ellipsis", [4, 3], lambda v: v[...]),
        ("new_axis", [4, 3], lambda v: v[None]),
        ("new_last_axis", [4], lambda v: v[:, None]),
        ("rows_aligned", [4, 16], lambda v: v[1:3]),
        ("rows_all_columns", [4, 16], lambda v: v[1:3, :]),
        ("rows_new_axis", [4, 16], lambda v: v[1:3, None, :]),
        ("row_aligned", [4, 16], lambda v: v[2]),
        ("row", [4, 3], lambda v: v[2]),
        ("last_row", [4, 16], lambda v: v[-1]),
        ("rows", [4, 3], lambda v: v[1:3]),
        ("columns", [4, 16], lambda v: v[:, :4]),
        ("column", [4, 1], lambda v: v[:, 0]),
        ("every_other_row", [4, 16], lambda v: v[::2]),
        ("backwards", [4, 16], lambda v: v[::-1]),
        ("one_row_backwards", [4, 16], lambda v: v[2:1:-1]),
        ("vector_aligned", [64], lambda v: v[16:32]),
        ("vector_from_start", [64], lambda v: v[:16]),
        ("vector_odd_end", [64], lambda v: v[16:24]),
        ("vector_odd_begin", [64], lambda v: v[8:32]),
        ("element", [64], lambda v: v[8]),
        ("first_element", [64], lambda v: v[0]),
        ("single_element", [1], lambda v: v[0]),
        ("single_row", [1, 3], lambda v: v[0]),
        ("empty", [4, 16], lambda v: v[2:2]),
        ("scalar", [], lambda v: v[...]),
        ("late", [4, 16], lambda v: v[placeholder(1, []) : 3]),
        ("late_row", [4, 16], lambda v: v[placeholder(1, [])]),
    ):
        assigned(f"sliced_{name}", take, dims)
    assigned("sliced_ints", lambda v: v[1:3], [4, 16], "int32")
    assigned("sliced_longs", lambda v: v[1:3], [4, 8], "int64")
    assigned("sliced_bytes", lambda v: v[1:3], [4, 64], "uint8")
    assigned("sliced_bools", lambda v: v[1:3], [4, 64], "bool")
    assigned("sliced_strings", lambda v: v[1:3], [4, 8], "string")

    for name, dims, axis in (
        ("nothing", [2, 3], []),
        ("one", [3, 1], 1),
        ("first_one", [1, 3], 0),
        ("only_one", [1], 0),
        ("scalar", [], None),
        ("column", [2, 3], 1),
        ("all_ones", [1, 1], None),
        ("inner_one", [2, 1, 3], 1),
    ):
        for kind in ("sum", "mean", "prod", "max", "min"):
            reduce = getattr(tf, f"reduce_{kind}")
            assigned(f"{kind}_{name}", lambda v, reduce=reduce, a=axis: reduce(v, a), dims)
        assigned(f"norm_{name}", lambda v, a=axis: tf.math.reduce_euclidean_norm(v, a), dims)
        assigned(f"any_{name}", lambda v, a=axis: tf.reduce_any(v, a), dims, "bool")
        assigned(f"all_{name}", lambda v, a=axis: tf.reduce_all(v, a), dims, "bool")
    assigned("sum_keeps", lambda v: tf.reduce_sum(v, 1, keepdims=True), [3, 1])
    assigned("sum_late", lambda v: tf.reduce_sum(v, placeholder(1, [])), [3, 1])
    assigned("sum_late_columns", lambda v: tf.reduce_sum(v, placeholder(1, [])), [3, 2])
    assigned("sum_ints", lambda v: tf.reduce_sum(v, []), [3], "int32")
    assigned("join", lambda v: tf.strings.reduce_join(v, 1), [3, 1], "string")
    assigned("join_nothing", lambda v: tf.strings.reduce_join(v, []), [3], "string")
    assigned("argmax", lambda v: tf.argmax(v, 1), [3, 1], "int64")
    assigned("cumsum", tf.cumsum, [1])
    assigned("logsumexp", lambda v: tf.reduce_logsumexp(v, []), [3])

    assigned("tile", lambda v: tf.tile(v, [1, 1]), [2, 3])
    assigned("tile_twice", lambda v: tf.tile(v, [2, 1]), [2, 3])
    assigned("tile_scalar", lambda v: tf.tile(v, tf.zeros([0], tf.int32)), [])
    assigned("tile_late", lambda v: tf.tile(v, placeholder([1, 1], [2])), [2, 3])
    assigned("broadcast", lambda v: tf.broadcast_to(v, [2, 3]), [2, 3])
    assigned("broadcast_rows", lambda v: tf.broadcast_to(v, [2, 3]), [3])
    assigned("broadcast_one", lambda v: tf.broadcast_to(v, [1, 3]), [3])
    assigned("broadcast_scalar", lambda v: tf.broadcast_to(v, np.zeros(0, "i4")), [])
    assigned("reverse_nothing", lambda v: tf.reverse(v, np.zeros(0, "i4")), [2, 3])
    assigned("reverse_one", lambda v: tf.reverse(v, [0]), [1, 3])
    assigned("reverse_scalar", lambda v: tf.reverse(v, np.zeros(0, "i4")), [])
    assigned("reverse_old", lambda v: raw.Reverse(tensor=v, dims=[False, False]), [2, 3])
    assigned("reverse_old_scalar", lambda v: raw.Reverse(tensor=v, dims=[]), [])
    assigned("reverse_late", lambda v: tf.reverse(v, placeholder(np.zeros(0, "i4"), [None])), [])
    assigned("roll", lambda v: tf.roll(v, 0, 0), [3])
    assigned("reverse_sequence", lambda v: tf.reverse_sequence(v, [1, 1], 1), [2, 3])
    assigned("pad", lambda v: tf.pad(v, [[0, 0]]), [3])
    assigned("pad_more", lambda v: tf.pad(v, [[0, 1]]), [3])
    assigned("pad_late", lambda v: tf.pad(v, placeholder([[0, 0]], [1, 2])), [3])
    assigned("pad_value", lambda v: tf.pad(v, [[0, 0]], constant_values=1.0), [3])
    assigned("pad_mirror", lambda v: tf.pad(v, [[0, 0]], "REFLECT"), [3])
    assigned("pad_scalar", lambda v: tf.pad(v, tf.zeros([0, 2], tf.int32)), [])
    assigned(
        "pad_grad", lambda v: raw.MirrorPadGrad(input=v, paddings=[[0, 0]], mode="REFLECT"), [3]
    )
    assigned("band", lambda v: tf.matrix_band_part(v, -1, -1), [2, 3])
    assigned("band_late", lambda v: tf.matrix_band_part(v, placeholder(-1, []), 3), [2, 3])
    assigned("band_wide", lambda v: tf.matrix_band_part(v, 2, 3), [2, 3])
    assigned("band_as_wide", lambda v: tf.matrix_band_part(v, 1, 2), [2, 3])
    assigned("band_narrow", lambda v: tf.matrix_band_part(v, 0, -1), [2, 3])
    assigned("space_to_batch", lambda v: tf.space_to_batch_nd(v, [1], [[0, 0]]), [1, 2, 3])
    assigned(
        "space_to_batch_none",
        lambda v: tf.space_to_batch_nd(v, np.zeros(0, "i4"), np.zeros([0, 2], "i4")),
        [2, 3],
    )
    assigned("space_to_batch_two", lambda v: tf.space_to_batch_nd(v, [2], [[0, 0]]), [1, 2, 3])
    assigned("space_to_batch_pads", lambda v: tf.space_to_batch_nd(v, [1], [[1, 0]]), [1, 2, 3])
    assigned("batch_to_space", lambda v: tf.batch_to_space_nd(v, [1], [[0, 0]]), [1, 2, 3])
    assigned("batch_to_space_two", lambda v: tf.batch_to_space_nd(v, [2], [[0, 0]]), [2, 2, 3])
    assigned("gather", lambda v: tf.gather(v, [0, 1, 2]), [3])
    assigned("gather_nd", lambda v: tf.gather_nd(v, np.zeros([0], "i4")), [3])
    assigned("where_scalar", lambda v: tf.where(True, v, v * 2.0), [3])
    assigned("where_scalar_other", lambda v: tf.where(False, v, v * 2.0), [3])
    assigned("where_late", lambda v: tf.where(placeholder(True, []), v, v * 2.0), [3])
    assigned("where_late_other", lambda v: tf.where(placeholder(False, []), v, v * 2.0), [3])
    assigned("where_unknown", lambda v: tf.where(placeholder(False), v * 2.0, v), [3])
    assigned("where_rows", lambda v: tf.where([True] * 3, v, v * 2.0), [3])
    assigned("where_second", lambda v: tf.where_v2(True, v, v * 2.0), [3])
    assigned(
        "fill_gaps",
        lambda v: raw.SparseFillEmptyRows(
            indices=[[0], [1]], values=v, dense_shape=[2], default_value=0.0
        )[:3],
        [2],
    )
    assigned(
        "sparse_order",
        lambda v: raw.SparseReorder(input_indices=[[0], [2]], input_values=v, input_shape=[3]),
        [2],
    )
    assigned(
        "sparse_disorder",
        lambda v: raw.SparseReorder(input_indices=[[2], [0]], input_values=v, input_shape=[3]),
        [2],
    )
    assigned(
        "sparse_order_late",
        lambda v: raw.SparseReorder(
            input_indices=placeholder(np.array([[0], [2]], "i8"), [2, 1]),
            input_values=v,
            input_shape=[3],
        ),
        [2],
    )
    assigned(
        "sparse_reshape",
        lambda v: raw.SparseReshape(input_indices=v, input_shape=[9, 9], new_shape=[9, 9]),
        [2, 2],
        "int64",
    )
    assigned(
        "sparse_reshape_rest",
        lambda v: raw.SparseReshape(input_indices=v, input_shape=[9, 9], new_shape=[9, -1]),
        [2, 2],
        "int64",
    )
    assigned(
        "sparse_reshape_other",
        lambda v: raw.SparseReshape(input_indices=v, input_shape=[9, 9], new_shape=[27, 3]),
        [2, 2],
        "int64",
    )
    assigned("resize", lambda v: tf.image.resize_nearest_neighbor(v, [2, 2]), [1, 2, 2, 1])
    assigned("regex", lambda v: tf.strings.regex_replace(v, "x", "y"), [2], "string")
    assigned("strip", tf.strings.strip, [2], "string")
    assigned("string_join", lambda v: tf.strings.join([v]), [2], "string")
    assigned("stitch", lambda v: tf.dynamic_stitch([[0, 1]], [v]), [2])
    assigned("of_view", lambda v: tf.transpose(tf.reshape(v[1:3], [-1])), [4, 16])
    assigned("view_of", lambda v: tf.reshape(tf.split(v, 2)[1], [2, 8]), [2, 16])
    assigned("part_of_computed", lambda v: tf.reshape(v[1:3], [-1]), [4, 3])
    assigned(
        "loop",
        lambda v: tf.while_loop(lambda i, x: i < 2, lambda i, x: [i + 1, tf.transpose(x)], [0, v])[
            1
        ],
        [4],
    )
    assigned(
        "cond",
        lambda v: tf.cond(
            placeholder(True, []), lambda: tf.stack([v]), lambda: tf.stack([v * 2.0])
        ),
        [2],
    )
    return {"steps": [("start", starts), ("assigned afterwards", [fetched, changes])]}
