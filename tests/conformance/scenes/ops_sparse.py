"""Sparse and ragged tensors, strings and records: rare options, and errors."""

import numpy as np


def _sparse(tf, dense=((1.0, 0.0, 2.0), (0.0, 0.0, 3.0))):
    dense = np.array(dense)
    places = np.argwhere(dense)
    kind = "f" if dense.dtype.kind == "f" else dense.dtype
    return tf.SparseTensor(places, dense[tuple(places.T)].astype(kind), dense.shape)


def _fed(tf, sparse, rank=None):
    """The same tensors, with static shapes unknown, or of known rank only."""
    ph = tf.placeholder_with_default
    return tf.SparseTensor(
        ph(sparse.indices, [None, rank]), ph(sparse.values, [None]), ph(sparse.dense_shape, [rank])
    )


def sparse_tensors(tf, stage):
    ph = tf.placeholder_with_default
    a, s = lambda: _sparse(tf), tf.sparse
    f = lambda: _fed(tf, _sparse(tf))  # noqa: E731
    wide = lambda: _sparse(tf, [[4.0, 0.0, 0.0, 5.0]])  # noqa: E731
    ids = lambda *i: tf.SparseTensor([[0, 0], [0, 1], [1, 0]], list(i), [2, 2])  # noqa: E731
    table = np.arange(8, dtype="f").reshape(4, 2)
    safe = tf.nn.safe_embedding_lookup_sparse
    stage.each(
        {
            "indicator_far": lambda: s.to_indicator(ids(1, 0, 3), 3),
            "merge_no_list": lambda: s.merge([ids(1, 0, 3)], ids(5, 6, 7), 4),
            "merge_no_sparse": lambda: s.merge([[1]], ids(5, 6, 7), [4]),
            "reset_rank": lambda: s.reset_shape(f(), [2, 3, 4]),
            "reshape_twice": lambda: s.reshape(f(), ph([-1, -1], [2])),
            "reshape_uneven": lambda: s.reshape(f(), ph([4, -1], [2])),
            "reshape_empty": lambda: s.reshape(f(), ph([0, -1], [2])),
            "reshape_less": lambda: s.reshape(f(), ph([4], [1])),
            "filled_far": lambda: s.fill_empty_rows(
                _fed(tf, tf.SparseTensor([[3, 1]], [1.0], [3, 2])), 0.0
            ),
            "split_many": lambda: s.split(sp_input=f(), num_split=3, axis=0),
            "slice_short": lambda: s.slice(f(), ph([0], [1]), [5]),
            "concat_uneven": lambda: s.concat(0, [f(), _fed(tf, wide())]),
            "concat_far": lambda: s.concat(2, [f(), f()]),
            "sums_output": lambda: s.reduce_sum(a(), 1, output_is_sparse=True),
            "most_far": lambda: s.reduce_max(f(), 2),
            "product_wrong": lambda: s.sparse_dense_matmul(f(), ph(table, None)),
            "distance_ranks": lambda: tf.edit_distance(
                _fed(tf, ids(1, 2, 3)), _fed(tf, tf.SparseTensor([[0, 0, 0]], [1], [1, 1, 1]))
            ),
            "safe_none": lambda: safe(None, ids(1, 2, 3)),
            "embedded_uneven": lambda: tf.nn.embedding_lookup(
                [table[:3], table[3:]], [3, 0], "div"
            ),
        },
        graph="sum",
    )


def sparse_tensors_kept(tf, stage):
    from_map, raw = tf.raw_ops, tf.raw_ops
    a = tf.SparseTensor([[1, 0], [1, 1], [3, 2]], [1.0, 2.0, 3.0], [4, 3])
    b = tf.SparseTensor([[0, 0]], [9.0], [2, 2])
    parts = lambda s, **k: dict(  # noqa: E731
        sparse_indices=s.indices, sparse_values=s.values, sparse_shape=s.dense_shape, **k
    )
    shared = {"shared_name": "kept", "container": "c"}
    many = raw.AddManySparseToTensorsMap(**parts(a, **shared))
    one = raw.AddSparseToTensorsMap(**parts(b, **shared))
    apart = raw.AddSparseToTensorsMap(**parts(b, shared_name="kept"))
    numbers = tf.placeholder(tf.int64, name="numbers")

    def take(kind=tf.float32, **settings):
        settings = settings or shared
        return tuple(
            from_map.TakeManySparseFromTensorsMap(sparse_handles=numbers, dtype=kind, **settings)
        )

    taken, elsewhere, other = take(), take(shared_name="kept"), take(tf.int32)
    with tf.Session() as session:
        stage.attempt(session.run, many)
        stage.attempt(session.run, one)
        stage.attempt(session.run, apart)
        stage.attempt(session.run, taken, {numbers: [0, 2]})
        stage.attempt(session.run, taken, {numbers: [1, 4]})
        stage.attempt(session.run, one)
        stage.attempt(session.run, other, {numbers: [5]})
        stage.attempt(session.run, taken, {numbers: []})
        stage.attempt(session.run, taken, {numbers: [[3]]})
        stage.attempt(session.run, elsewhere, {numbers: [0]})
        stage.attempt(session.run, elsewhere, {numbers: [0]})


def ragged_tensors(tf, stage):
    ph = tf.placeholder_with_default
    make, R = tf.ragged.constant, tf.RaggedTensor
    rows = lambda *v: make(list(v) or [[1, 2], [], [3]])  # noqa: E731
    deep = lambda: make([[[1], [2, 3]], [], [[4, 5, 6]]])  # noqa: E731
    from_tensor = R.from_tensor
    x = np.array([[1, 0, 2, 0], [0, 0, 0, 0], [3, 3, 3, 3]])
    words = lambda: make([["a", "b", "c"], [], ["d"]])  # noqa: E731
    ngrams = tf.strings.ngrams
    wrong = lambda f, *given, **k: lambda: getattr(R, "from_" + f)([1, 2, 3], *given, **k)  # noqa: E731
    cases = {
        "padding": lambda: from_tensor(x, padding=0),
        "padding_rows": lambda: from_tensor(np.stack([x, x], 2), padding=[0, 0]),
        "padding_wrong": lambda: from_tensor(np.stack([x, x], 2), padding=[0, 0, 0]),
        "lengths": lambda: from_tensor(x, lengths=ph([5, -1, 2], [3]), name="own"),
        "lengths_and_padding": lambda: from_tensor(x, [1, 1, 1], 0),
        "lengths_nested": lambda: from_tensor(np.stack([x, x]), ([2, 1], [1, 2, 3])),
        "deep": lambda: from_tensor(np.stack([x, x]), ragged_rank=2, row_splits_dtype=tf.int32),
        "rank": lambda: from_tensor(x, ragged_rank=0),
        "rank_more": lambda: from_tensor(x, ragged_rank=2),
        "dense": lambda: [rows().to_tensor(-1, "own"), deep().to_tensor()],
        "dense_row": lambda: R.from_row_splits([[1, 2], [3, 4]], [0, 0, 2]).to_tensor([7, 8]),
        "dense_wrong": lambda: R.from_row_splits([[1, 2]], [0, 1]).to_tensor([7, 8, 9]),
        "sparse": lambda: deep().to_sparse("own"),
        "of_sparse": lambda: R.from_sparse(_sparse(tf, [[1, 2], [3, 0]]), "own", tf.int32),
        "of_rank": lambda: R.from_sparse(tf.SparseTensor([[0]], [1], [2])),
        "of_dense": lambda: R.from_sparse([[1]]),
        "splits": wrong("row_splits", ph([0, 2, 1, 3], [4])),
        "splits_start": wrong("row_splits", ph([1, 3], [2])),
        "splits_end": wrong("row_splits", ph([0, 2], [2])),
        "splits_unchecked": wrong("row_splits", ph([0, 2], [2]), validate=False),
        "splits_none": wrong("row_splits", []),
        "lengths_wrong": wrong("row_lengths", ph([1, 1], [2])),
        "lengths_negative": wrong("row_lengths", ph([4, -1], [2])),
        "lengths_unchecked": wrong("row_lengths", ph([1, 2], [2]), validate=False, name="own"),
        "starts": wrong("row_starts", ph([0, 2], [2])),
        "starts_wrong": wrong("row_starts", ph([1, 2], [2])),
        "starts_far": wrong("row_starts", ph([0, 4], [2])),
        "limits": wrong("row_limits", ph([2, 3], [2]), validate=False),
        "limits_wrong": wrong("row_limits", ph([2, 2], [2])),
        "rowids": wrong("value_rowids", ph([0, 2, 2], [3]), ph(4, [])),
        "rowids_falling": wrong("value_rowids", ph([0, 2, 1], [3])),
        "rowids_few": wrong("value_rowids", ph([0, 2, 2], [3]), ph(2, [])),
        "rowids_static": wrong("value_rowids", [0, 2, 2], 2),
        "rowids_negative": wrong("value_rowids", [0, 2, 2], -1),
        "rowids_unchecked": wrong("value_rowids", [0, 2, 2], validate=False),
        "rowids_floats": wrong("value_rowids", [0.0, 1.0, 2.0]),
        "flag": wrong("row_splits", [0, 3], validate=1),
        "nested": lambda: R.from_nested_row_splits([1, 2], [[0, 2], [0, 1, 2]], "own", False),
        "nested_ids": lambda: R.from_nested_value_rowids([1, 2], [[0, 0], [0, 1]], [2, 3], "own"),
        "nested_ids_few": lambda: R.from_nested_value_rowids([1, 2], [[0, 0], [0, 1]], [2]),
        "nested_ids_flag": lambda: R.from_nested_value_rowids([1], [[0]], validate=False),
        "nested_lengths": lambda: R.from_nested_row_lengths([1, 2], [[2], [1, 1]], "own", False),
        "of_types": lambda: R.from_row_splits(rows(), tf.constant([0, 3], tf.int32)),
        "constant_rank": lambda: make(
            [[[1, 2]], [[3, 4]]], ragged_rank=1, row_splits_dtype=tf.int32
        ),
        "constant_shape": lambda: make([[[1, 2]], []], inner_shape=(2,), name="own"),
        "constant_uneven": lambda: make([[1], 2]),
        "constant_inner": lambda: make([[[1, 2]], [[3]]], ragged_rank=1),
        "constant_scalar": lambda: [make(1), make([]), make([[]])],
        "constant_rank_of_scalar": lambda: make(1, ragged_rank=1),
        "constant_shape_of_scalar": lambda: make(1, inner_shape=[1]),
        "constant_negative": lambda: make([1], ragged_rank=-1),
        "constant_both": lambda: make([[1]], ragged_rank=1, inner_shape=(1,)),
        "constant_of_ragged": lambda: make(tf.ragged.constant_value([[1]])),
        "constant_nesting": lambda: make([[1], [[]]]),
        "value": lambda: tf.ragged.constant_value(
            [[1.5], []], tf.float64, row_splits_dtype="int32"
        ),
        "value_dtypes": lambda: tf.ragged.constant_value([[1]], np.int16).values.dtype.name,
        "placeholder": lambda: tf.ragged.placeholder(tf.int32, 0, [2], "own").shape,
        "ids": lambda: tf.ragged.row_splits_to_segment_ids([0, 2, 2, 3], "own", tf.int32),
        "ids_of_int32": lambda: tf.ragged.row_splits_to_segment_ids(tf.constant([0, 2])),
        "ids_none": lambda: tf.ragged.row_splits_to_segment_ids([]),
        "ids_floats": lambda: tf.ragged.row_splits_to_segment_ids([0.0]),
        "of_ids": lambda: tf.ragged.segment_ids_to_row_splits([0, 0, 2], 5, tf.int32, "own"),
        "of_ids_int64": lambda: tf.ragged.segment_ids_to_row_splits(
            tf.constant([0, 2]), tf.constant(4, tf.int64)
        ),
        "of_ids_floats": lambda: tf.ragged.segment_ids_to_row_splits([0.5]),
        "map": lambda: tf.ragged.map_flat_values(tf.add, rows(), rows()),
        "map_other": lambda: tf.ragged.map_flat_values(tf.add, rows(), rows([1], [2], [3])),
        "range": lambda: tf.ragged.range(
            [0, 5], [3, 1], [1, -2], name="own", row_splits_dtype=tf.int32
        ),
        "range_one": lambda: tf.ragged.range([2, 0]),
        "range_zero": lambda: tf.ragged.range(0, 2, ph(0, [])),
        "ngrams": lambda: ngrams([["a", "b"], ["c", "d"]], 2, "-", ("<", ">"), name="own"),
        "ngrams_padded": lambda: ngrams(words(), [1, 3], pad_values="_", padding_width=1),
        "ngrams_short": lambda: ngrams(words(), 4, preserve_short_sequences=True),
        "ngrams_short_padded": lambda: ngrams(words(), 6, "", "_", 1, True),
        "ngrams_dense": lambda: [ngrams(["a", "b", "c"], 2), ngrams([[["a", "b"]]], 2)],
        "ngrams_width": lambda: ngrams(words(), 0),
        "ngrams_pads": lambda: ngrams(words(), 2, pad_values=5),
        "ngrams_no_pads": lambda: ngrams(words(), 2, padding_width=1),
        "ngrams_no_width": lambda: ngrams(words(), 2, pad_values="_", padding_width=0),
        "ngrams_scalar": lambda: ngrams("a", 2),
        "ngrams_rank": lambda: ngrams(ph(["a", "b"], None), 2),
        "expand": lambda: [tf.expand_dims(deep(), 2), tf.expand_dims(rows(), 0)],
        "tile": lambda: tf.tile(rows(), [2, 2]),
        "concat": lambda: [tf.concat([rows(), rows()], 0), tf.concat([rows(), rows()], 1)],
        "concat_dense": lambda: tf.concat([rows(), [[7], [8], [9]]], 1),
        "concat_types": lambda: tf.concat([rows(), [7]], 0),
        "stack": lambda: [tf.stack([rows(), rows()]), tf.stack([rows(), rows()], 1)],
        "gather": lambda: [tf.gather(rows(), [[2, 0]]), tf.gather_nd(deep(), [[0, 1], [2, 0]])],
        "gather_batch": lambda: tf.gather(
            rows(), [[1], [], [0]] and make([[1], [], [0]]), batch_dims=1
        ),
        "gather_far": lambda: tf.gather(rows(), ph([3], [1])),
        "mask": lambda: tf.ragged.boolean_mask(rows(), make([[True, False], [], [True]]), "own"),
        "mask_dense": lambda: tf.ragged.boolean_mask(
            [[1, 2], [3, 4]], [[True, False], [True, True]]
        ),
        "mask_rows": lambda: tf.ragged.boolean_mask(rows(), [True, False, True]),
        "mask_scalar": lambda: tf.ragged.boolean_mask(rows(), True),
        "where": lambda: tf.where(make([[True, False], [], [True]])),
        "where_both": lambda: tf.where(make([[True, False], [], [True]]), rows(), rows()),
        "items": lambda: [rows()[0], rows()[:, 1:], rows()[1:], deep()[:, :1, -1:], rows()[2, 0]],
        "items_ragged": lambda: rows()[:, 0],
        "sums": lambda: [tf.reduce_sum(deep(), a) for a in (0, 1, 2, [0, 2], None, [])],
        "sums_fed": lambda: tf.reduce_sum(deep(), tf.constant([1, 2])),
        "sums_kept": lambda: tf.reduce_sum(rows(), 1, keepdims=True),
        "sums_unknown": lambda: tf.reduce_sum(rows(), ph(1, [])),
        "means": lambda: [tf.reduce_mean(rows([1.0], [2.0, 3.0]), a) for a in (0, 1)],
        "truths": lambda: [
            f(make([[True, False], [], [True]]), 1) for f in (tf.reduce_all, tf.reduce_any)
        ],
        "joined": lambda: tf.strings.reduce_join(words(), 1, separator="-"),
        "segments": lambda: tf.math.unsorted_segment_sum(rows(), [1, 0, 1], 2),
        "segments_means": lambda: tf.math.unsorted_segment_mean(rows([1.0], [2.0, 3.0]), [0, 0], 2),
        "segments_roots": lambda: tf.math.unsorted_segment_sqrt_n(
            rows([1.0], [2.0, 3.0]), [0, 0], 1
        ),
        "segments_ragged": lambda: tf.math.unsorted_segment_max(rows(), make([[1, 0], [], [1]]), 2),
        "segments_other": lambda: tf.math.unsorted_segment_max(rows(), make([[1], [0], [1]]), 2),
        "segments_dense": lambda: tf.math.unsorted_segment_max([1], make([[1]]), 2),
        "lengths_of": lambda: [
            deep().row_lengths(2, "own"),
            deep().nested_row_lengths(),
            deep().nrows(tf.int32),
        ],
        "bounds": lambda: [
            deep().bounding_shape(),
            deep().bounding_shape(1),
            deep().bounding_shape([0, 2]),
        ],
        "cast": lambda: deep().with_row_splits_dtype(tf.int32),
        "rank_of": lambda: [tf.rank(deep()), tf.size(deep()), tf.ones_like(rows())],
    }
    stage.each({n: lambda f=f: _parts(tf, f()) for n, f in cases.items()}, graph="sum")


def _parts(tf, made):
    """The components of ragged and sparse tensors; other values unchanged."""
    return tf.nest.flatten(made, expand_composites=True)


def words_and_numbers(tf, stage):
    ph, s = tf.placeholder_with_default, tf.strings
    accents = "a\u00e9\u4e2d\U0001f600".encode()
    numbers = ["1", " 2 ", "-3e2", "0x1F", "inf", "-nan"]
    number = s.to_number
    cases = {
        "substr_before": lambda: s.substr(ph(["hello", "hi"], None), ph(-3, []), 1),
        "substr_characters_far": lambda: s.substr([accents], 5, 1, unit="UTF8_CHAR"),
        "cases": lambda: [s.lower(["\u00c9A\0B"], "utf-8"), s.upper("\u00e9a"), s.strip("\n a\t")],
        "cases_other": lambda: s.lower("A", "latin"),
        "split_never": lambda: s.split([" a b "], maxsplit=0),
        "split_many": lambda: s.split([["a b"], ["c"]], result_type="RaggedTensor", name="own"),
        "split_long": lambda: s.split(["a<>b<>"], "<>"),
        "split_other": lambda: s.split([["a"]], result_type="list"),
        "split_both": lambda: s.split(input=["a"], source=["a"]),
        "split_old_skip": lambda: tf.string_split([",a,", ","], ",", name="own"),
        "split_old_ragged": lambda: tf.string_split(["a b"], result_type="RaggedTensor"),
        "join_shapes": lambda: s.join([ph(["a"], None), ph(["b", "c"], None)]),
        "reduce_far": lambda: s.reduce_join(ph(["a"], None), ph(1, [])),
        "segments": lambda: s.unsorted_segment_join(["a", "b", "c"], [1, -1, 1], 3, "-", "own"),
        "segments_far": lambda: s.unsorted_segment_join(["a"], ph([3], [1]), 3),
        "replace": lambda: s.regex_replace(["aab", "b"], "a(a?)", r"[\1]", False, "own"),
        "replace_broken": lambda: s.regex_replace(["aab"], ph("(", []), "x"),
        "match": lambda: s.regex_full_match(["ab", "abc"], "ab?", "own"),
        "numbers": lambda: number(numbers),
        "numbers_large": lambda: number(["2147483648"], tf.int32),
        "numbers_many": lambda: number(["9" * 20], tf.int64),
        "numbers_long": lambda: number(["1" * 32]),
        "numbers_blank": lambda: number([" "]),
        "written": lambda: [tf.as_string(x) for x in ([True], [1.5], [1 + 2j], [-3])],
        "written_precise": lambda: tf.as_string([1.5, np.nan, -np.inf], 2, width=8, fill="0"),
        "written_left": lambda: tf.as_string([7, -7], width=4, fill="-", name="own"),
        "written_exponent": lambda: tf.as_string([1234.5], 1, True),
        "written_fill": lambda: tf.as_string([1.0], fill="xy"),
        "written_filled": lambda: tf.as_string([1.0], fill="x"),
        "format_other": lambda: s.format("%t", tf.range(9), "%t", 2),
        "hash_key": lambda: s.to_hash_bucket_strong(["a"], 100, [1]),
        "hash_none": lambda: s.to_hash_bucket_fast(["a"], 0),
        "hash_both": lambda: s.to_hash_bucket(string_tensor=["a"], input=["a"], num_buckets=1),
        "base64": lambda: [tf.encode_base64("a?>", True, "own"), tf.decode_base64("YT8-")],
        "raw": lambda: tf.decode_raw(["\1\0\2\0"], tf.int16, False, "own"),
        "raw_uneven": lambda: tf.decode_raw(["ab", "a"], tf.uint8),
        "unicode_strict": lambda: s.unicode_decode([b"\xff"], "UTF-8", "strict"),
        "unicode_encoded": lambda: s.unicode_encode([[97, 0x4E2D]], "UTF-16-BE"),
        "unicode_refused": lambda: s.unicode_encode([0xD800], "UTF-8", "strict"),
        "unicode_transcoded": lambda: s.unicode_transcode(
            [accents], "UTF-8", "UTF-16-BE", "ignore", 63, True, "own"
        ),
        "unicode_other": lambda: s.unicode_transcode(["a"], "UTF-8", "LATIN"),
        "scripts": lambda: s.unicode_script([97, 0x4E2D, -1], "own"),
        "fingerprint": lambda: tf.fingerprint([["a", "b"]], name="own"),
        "fingerprint_other": lambda: tf.fingerprint(["a"], "md5"),
    }
    stage.each({n: lambda f=f: _parts(tf, f()) for n, f in cases.items()}, graph="sum")
