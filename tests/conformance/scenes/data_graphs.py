"""Dataset graphs: each transformation with unusual arguments, state structures."""

import collections

import numpy as np

Point = collections.namedtuple("Point", ["x", "y"])


def _graphs(tf, stage, cases, times=4):
    """Records each dataset's structure, graph checksum, and first elements."""
    for name, make in cases.items():
        with tf.Graph().as_default() as graph, tf.Session() as session, stage.failing():
            tf.set_random_seed(7)
            stage.say(name)
            data = make()
            of = tf.data
            stage.say(
                of.get_output_types(data), of.get_output_shapes(data), of.get_output_classes(data)
            )
            iterator = of.make_initializable_iterator(data)
            value = iterator.get_next()
            stage.brief_graph(names=False)
            stage.say(*sorted({op.type for op in graph.get_operations()} - {"Const"}))
            if times:
                session.run(iterator.initializer)
            for _ in range(times):
                stage.say(session.run(value))


def _halves(scene):
    """Two scenes, each for half of a function's cases."""

    for place, name in enumerate(("some", "others")):

        def half(tf, stage, place=place):
            cases = list(scene(tf, stage).items())
            middle = len(cases) // 2
            _graphs(tf, stage, dict(cases[middle:] if place else cases[:middle]))

        half.__module__ = __name__
        globals()[f"{scene.__name__[1:]}_{name}"] = half


def _fed(tf):
    return lambda value, shape=None: tf.placeholder_with_default(value, shape)


@_halves
def _sizes_of_other_kinds(tf, stage):
    D, fed = tf.data.Dataset, _fed(tf)
    i8 = lambda *v: tf.constant(v[0] if len(v) == 1 else list(v), tf.int64)  # noqa: E731
    five = lambda: D.range(5)  # noqa: E731
    fill = lambda x: tf.fill([x], x)  # noqa: E731
    cases = {
        "batch_tensor": lambda: five().batch(i8(2)),
        "batch_tensor_whole": lambda: five().batch(i8(2), True),
        "batch_numpy": lambda: five().batch(np.int32(2), drop_remainder=np.bool_(True)),
        "batch_int32": lambda: five().batch(tf.constant(2)),
        "batch_float": lambda: five().batch(2.5),
        "batch_drops_tensor": lambda: five().batch(2, tf.constant(True)),
        "batch_drops_fed": lambda: five().batch(2, fed(True, [])),
        "batch_fed_whole": lambda: five().batch(fed(np.int64(2), []), True),
        "batch_drops_number": lambda: five().batch(2, 1),
        "batch_drops_none": lambda: five().batch(2, None),
        "padded_tensor": lambda: five().map(fill).padded_batch(i8(2), i8(-1), drop_remainder=True),
        "padded_of_tensor": lambda: five().map(fill).padded_batch(2, tf.constant([6], tf.int64)),
        "padded_drops_fed": lambda: five().map(fill).padded_batch(2, [6], None, fed(True, [])),
        "padded_pairs": lambda: (
            five()
            .map(lambda x: Point(fill(x), {"a": tf.zeros([x, 2], tf.float16), "b": "t"}))
            .padded_batch(
                2,
                Point([None], {"b": [], "a": [None, 3]}),
                Point(i8(9), {"a": np.float16(1), "b": "-"}),
            )
        ),
        "padded_of_shape": lambda: five().map(fill).padded_batch(2, tf.TensorShape([None])),
        "padded_of_any_shape": lambda: five().map(fill).padded_batch(2, tf.TensorShape(None)),
        "padded_complex": lambda: D.from_tensors(np.array([1j])).padded_batch(1, [3]),
        "padded_datasets": lambda: five().window(2).padded_batch(2, []),
        "window_tensors": lambda: (
            five()
            .window(i8(2), i8(1), i8(2), tf.constant(True))
            .map(lambda d: d.reduce(i8(0), lambda a, b: a * 10 + b))
        ),
        "window_defaults": lambda: (
            five().window(size=2).map(lambda d: d.reduce(i8(0), lambda a, b: a * 10 + b))
        ),
        "window_of_points": lambda: (
            five()
            .map(lambda x: Point(x, {"a": -x}))
            .window(2, 1)
            .map(lambda p: p.y["a"].reduce(i8(0), lambda a, b: a * 10 + b))
        ),
        "window_int32": lambda: five().window(tf.constant(2)),
        "repeat_none": lambda: D.range(2).repeat(None),
        "repeat_numpy": lambda: D.range(1).repeat(np.int32(3)),
        "repeat_tensor": lambda: D.range(1).repeat(count=i8(3)),
        "repeat_int32": lambda: D.range(1).repeat(tf.constant(3)),
        "repeat_less": lambda: D.range(1).repeat(-5),
        "take_tensor": lambda: five().take(count=i8(2)),
        "take_float": lambda: five().take(2.0),
        "take_less": lambda: five().take(-3),
        "skip_tensor": lambda: five().skip(count=i8(2)),
        "shard_tensors": lambda: five().shard(num_shards=i8(2), index=i8(1)),
        "shard_fed": lambda: five().shard(fed(np.int64(2), []), fed(np.int64(1), [])),
        "shard_far": lambda: five().shard(2, 2),
        "shard_before": lambda: five().shard(2, -1),
        "shard_none": lambda: five().shard(0, 0),
        "shuffle_tensors": lambda: five().shuffle(i8(3), seed=i8(4)),
        "shuffle_plain": lambda: five().shuffle(3),
        "shuffle_once": lambda: five().shuffle(3, reshuffle_each_iteration=False).repeat(2),
        "shuffle_seed_zero": lambda: five().shuffle(3, 0, True),
        "shuffle_seed_large": lambda: five().shuffle(3, 2**40),
        "shuffle_seed_negative": lambda: five().shuffle(3, -4),
        "shuffle_seed_text": lambda: five().shuffle(3, "a"),
        "prefetch_tensor": lambda: five().prefetch(buffer_size=i8(2)),
        "prefetch_none": lambda: five().prefetch(0),
        "prefetch_auto": lambda: five().prefetch(tf.data.experimental.AUTOTUNE),
        "cache_tensor": lambda: five().cache(tf.constant("")),
        "cache_number": lambda: five().cache(3),
        "enumerate_tensor": lambda: five().enumerate(i8(3)),
        "enumerate_float": lambda: five().enumerate(1.5),
        "range_tensors": lambda: D.range(i8(1), i8(9), i8(3)),
        "range_numpy": lambda: D.range(np.int32(1), np.int16(4)),
        "range_fed": lambda: D.range(fed(np.int64(3), [])),
        "concatenated": lambda: (
            five()
            .map(lambda x: {"a": x})
            .concatenate(D.range(2).batch(2).flat_map(lambda x: D.from_tensor_slices({"a": x})))
        ),
        "zipped_dict": lambda: D.zip(
            {"b": five(), "a": (D.range(2), D.from_tensors("x").repeat())}
        ),
    }
    return cases


@_halves
def _functions_with_options(tf, stage):
    D, e = tf.data.Dataset, tf.data.experimental
    i8 = lambda v: tf.constant(v, tf.int64)  # noqa: E731
    five = lambda: D.range(5)  # noqa: E731
    captured = lambda: tf.identity(i8(10))  # noqa: E731

    def of_captured(use):
        c = captured()
        return use(five(), lambda x: x * c)

    def nothing(x):
        return x

    class Callable:
        def __call__(self, x):
            return x + 1

    cases = {
        "map": lambda: of_captured(lambda d, f: d.map(f)),
        "map_at_once": lambda: of_captured(lambda d, f: d.map(f, num_parallel_calls=2)),
        "map_tensor": lambda: of_captured(lambda d, f: d.map(f, tf.constant(1))),
        "map_int64": lambda: of_captured(lambda d, f: d.map(f, i8(2))),
        "map_object": lambda: five().map(Callable()),
        "map_named": lambda: five().map(nothing),
        "map_legacy": lambda: of_captured(lambda d, f: d.map_with_legacy_function(f)),
        "map_legacy_at_once": lambda: of_captured(lambda d, f: d.map_with_legacy_function(f, 2)),
        "map_none_at_once": lambda: five().map(nothing, 0),
        "map_of_pairs": lambda: D.zip((five(), five())).map(
            lambda *both: {"b": both[0], "a": both}
        ),
        "map_of_dicts": lambda: five().map(lambda x: {"a": x}).map(lambda d: d["a"]),
        "map_twice": lambda: five().map(lambda x: (x, x)).map(lambda x, y: x + y),
        "map_text": lambda: five().map("a"),
        "map_to_float": lambda: five().map(lambda x: 1.5),
        "map_to_numpy": lambda: five().map(lambda x: np.array([1, 2], np.int8)),
        "map_to_sparse": lambda: five().map(
            lambda x: (tf.SparseTensor([[x]], [x], [9]), tf.constant("a"))
        ),
        "filter": lambda: of_captured(lambda d, f: d.filter(lambda x: f(x) > 15)),
        "filter_legacy": lambda: of_captured(
            lambda d, f: d.filter_with_legacy_function(lambda x: f(x) > 15)
        ),
        "filter_legacy_number": lambda: five().filter_with_legacy_function(lambda x: x),
        "filter_of_pairs": lambda: D.zip((five(), five())).filter(lambda x, y: x + y > 3),
        "flat_map": lambda: of_captured(lambda d, f: d.flat_map(lambda x: D.range(f(x)).take(1))),
        "interleave": lambda: of_captured(
            lambda d, f: d.interleave(lambda x: D.range(f(x), 99).take(3), 2, 2)
        ),
        "interleave_tensors": lambda: five().interleave(
            lambda x: D.range(x), i8(2), block_length=i8(3)
        ),
        "interleave_at_once": lambda: five().interleave(lambda x: D.range(x), 2, 1, 2),
        "interleave_at_once_tensor": lambda: five().interleave(
            lambda x: D.range(x), 2, num_parallel_calls=i8(1)
        ),
        "interleave_more_at_once": lambda: five().interleave(
            lambda x: D.range(x), 2, num_parallel_calls=3
        ),
        "interleave_no_block": lambda: five().interleave(lambda x: D.range(x), 2, 0),
        "generated": lambda: D.from_generator(
            lambda n, s: iter([(n, s)] * 2),
            (tf.int32, tf.string),
            ([], tf.TensorShape([])),
            (3, "a"),
        ),
        "generated_unknown": lambda: D.from_generator(
            lambda: iter([{"b": [1], "a": "x"}]), {"a": tf.string, "b": tf.int16}
        ),
        "generated_types": lambda: D.from_generator(lambda: iter([1]), "int32", tf.TensorShape([])),
        "unbatched": lambda: (
            five().map(lambda x: Point([x, x], {"a": [[1], [2]]})).apply(e.unbatch())
        ),
        "unbatched_other": lambda: five().map(lambda x: ([x, x], [x])).apply(e.unbatch()),
        "scanned": lambda: five().apply(
            e.scan({"s": i8(0), "t": "a"}, lambda s, x: ({"s": s["s"] + x, "t": "b"}, (s["t"], x)))
        ),
        "scanned_weaker": lambda: five().apply(
            e.scan(i8([0]), lambda s, x: (tf.concat([s, [x]], 0), tf.size(s)))
        ),
        "scanned_list": lambda: five().apply(e.scan(i8(0), lambda s, x: [s, x])),
        "reduced": lambda: five().map(
            lambda x: D.range(x).reduce((i8(0), Point(1, "a")), lambda s, v: (s[0] + v, s[1]))
        ),
        "reduced_weaker": lambda: D.from_tensors(
            five().reduce(i8([0]), lambda s, x: tf.concat([s, [x]], 0))
        ),
        "reducer": lambda: five().apply(
            e.group_by_reducer(
                lambda x: x % 2,
                e.Reducer(
                    lambda k: {"k": k, "n": i8(0)},
                    lambda s, x: {"k": s["k"], "n": s["n"] + x},
                    lambda s: Point(s["k"], tf.to_float(s["n"])),
                ),
            )
        ),
        "window_of_keys": lambda: five().apply(
            e.group_by_window(
                lambda x: x % 2, lambda k, d: D.zip((d, d.map(lambda x: x + k))), i8(2)
            )
        ),
        "window_of_function": lambda: five().apply(
            e.group_by_window(lambda x: x % 2, lambda k, d: d.batch(5), None, lambda k: k + 1)
        ),
        "window_key": lambda: five().apply(e.group_by_window(lambda x: 1.5, lambda k, d: d, 2)),
        "window_to_tensor": lambda: five().apply(e.group_by_window(lambda x: x, lambda k, d: k, 2)),
        "window_size_float": lambda: five().apply(
            e.group_by_window(lambda x: x, lambda k, d: d, window_size_func=lambda k: 1.5)
        ),
        "while": lambda: of_captured(lambda d, f: d.apply(e.take_while(lambda x: f(x) < 25))),
        "map_and_batch": lambda: of_captured(lambda d, f: d.apply(e.map_and_batch(f, i8(2)))),
        "map_and_batch_whole": lambda: of_captured(
            lambda d, f: d.apply(e.map_and_batch(f, 2, None, True, 1))
        ),
        "map_and_batch_two": lambda: of_captured(
            lambda d, f: d.apply(e.map_and_batch(f, 2, num_parallel_batches=2))
        ),
        "map_and_batch_legacy": lambda: of_captured(
            lambda d, f: d.apply(e.map_and_batch_with_legacy_function(f, 2, 1, True))
        ),
        "legacy_parallel": lambda: of_captured(
            lambda d, f: d.apply(
                e.parallel_interleave(lambda x: D.range(f(x), 99).take(3), 2, 2, False, 5, 6)
            )
        ),
        "legacy_parallel_plain": lambda: five().apply(
            e.parallel_interleave(lambda x: D.range(x), cycle_length=3)
        ),
    }
    return cases


@_halves
def _experimental_graphs(tf, stage):
    D, fed, e = tf.data.Dataset, _fed(tf), tf.data.experimental
    i8 = lambda *v: tf.constant(v[0] if len(v) == 1 else list(v), tf.int64)  # noqa: E731
    five = lambda: D.range(5)  # noqa: E731
    fill = lambda x: tf.fill([x], x)  # noqa: E731
    ten = lambda: D.range(10, 15)  # noqa: E731
    classes = lambda: D.from_tensor_slices([0, 1, 1, 0, 1])  # noqa: E731
    example = tf.train.Example()
    example.features.feature["n"].int64_list.value.extend([1, 2])
    texts = lambda: D.from_tensors([example.SerializeToString()] * 2)  # noqa: E731

    def buckets(*args, **options):
        return lambda: (
            five()
            .map(fill)
            .apply(e.bucket_by_sequence_length(lambda x: tf.size(x), *args, **options))
        )

    cases = {
        "sampled": lambda: e.sample_from_datasets([five(), ten()]),
        "sampled_weights": lambda: e.sample_from_datasets([five(), ten()], [0.9, 0.1], 5),
        "sampled_float64": lambda: e.sample_from_datasets([five(), ten()], np.array([0.1, 0.9])),
        "sampled_tensor": lambda: e.sample_from_datasets([five(), ten()], fed([1.0, 0.0]), i8(3)),
        "sampled_one": lambda: e.sample_from_datasets([five()], [1.0]),
        "sampled_matrix": lambda: e.sample_from_datasets([five(), ten()], [[0.5, 0.5]]),
        "sampled_integers": lambda: e.sample_from_datasets([five(), ten()], [1, 0]),
        "sampled_varying": lambda: e.sample_from_datasets(
            [five(), ten()], D.from_tensor_slices([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]), seed=2
        ),
        "sampled_shapes": lambda: e.sample_from_datasets(
            [five().batch(2), ten().batch(2, True)], seed=2
        ),
        "chosen": lambda: e.choose_from_datasets(
            (five().map(lambda x: {"a": x}), ten().map(lambda x: {"a": x})),
            D.from_tensor_slices(np.int64([1, 0, 1])),
        ),
        "chosen_unknown": lambda: e.choose_from_datasets(
            [five(), ten()], D.from_tensors(fed(np.int64(1)))
        ),
        "chosen_int32": lambda: e.choose_from_datasets([five(), ten()], D.from_tensors(1)),
        "resampled": lambda: classes().apply(
            e.rejection_resample(lambda x: x, [0.5, 0.5], [0.4, 0.6], 3)
        ),
        "resampled_unknown": lambda: classes().apply(
            e.rejection_resample(lambda x: x, [0.5, 0.5], seed=3)
        ),
        "resampled_tensors": lambda: (
            classes()
            .map(lambda x: (x, -x))
            .apply(
                e.rejection_resample(
                    lambda x, y: x, tf.constant([1.0, 0.0]), tf.constant([0.4, 0.6])
                )
            )
        ),
        "buckets": buckets([2, 4], [2, 2, 1]),
        "buckets_padded": buckets([2, 4], [2, 2, 1], [6], i8(7)),
        "buckets_to_bounds": buckets([3, 9], [2, 2, 1], pad_to_bucket_boundary=True),
        "buckets_plain": buckets([1, 2, 3, 4], [1, 1, 1, 1, 1], no_padding=True),
        "buckets_whole": buckets([2, 4], [2, 2, 1], drop_remainder=True),
        "buckets_few": buckets([2, 4], [2, 2]),
        "buckets_of_int64": lambda: (
            five()
            .map(fill)
            .apply(
                e.bucket_by_sequence_length(lambda x: tf.size(x, out_type=tf.int64), [2], [1, 1])
            )
        ),
        "sparse_rows": lambda: five().map(fill).apply(e.dense_to_sparse_batch(i8(2), [6])),
        "sparse_rows_of_shape": lambda: (
            five()
            .map(lambda x: tf.fill([x, 2], "a"))
            .apply(e.dense_to_sparse_batch(2, tf.TensorShape([None, 2])))
        ),
        "random": lambda: e.RandomDataset().take(2),
        "random_seed": lambda: e.RandomDataset(seed=i8(3)),
        "counter": lambda: e.Counter(start=i8(2), step=np.int64(-1)),
        "counter_kind": lambda: e.Counter(1, 2, tf.int16),
        "enumerated": lambda: five().apply(e.enumerate_dataset(start=i8(4))),
        "shuffled": lambda: five().apply(e.shuffle_and_repeat(i8(3), 2, i8(1))),
        "shuffled_for_ever": lambda: five().apply(e.shuffle_and_repeat(buffer_size=3, count=None)),
        "unique": lambda: D.from_tensor_slices(["a", "b", "a"]).apply(e.unique()),
        "unique_int8": lambda: D.from_tensor_slices(np.int8([1, 1])).apply(e.unique()),
        "ignoring": lambda: five().map(lambda x: 6 // (x - 1)).apply(e.ignore_errors()),
        "copied": lambda: five().apply(e.copy_to_device("/cpu:0")),
        "copied_far": lambda: five().batch(2).apply(e.copy_to_device("/cpu:0", "/device:CPU:0")),
        "prefetched": lambda: five().apply(e.prefetch_to_device("/cpu:0")),
        "prefetched_few": lambda: five().apply(e.prefetch_to_device("/cpu:0", 2)),
        "counted_bytes": lambda: five().apply(e.bytes_produced_stats("t")),
        "timed": lambda: five().apply(e.latency_stats(tf.constant("t"))),
        "parsed": lambda: texts().apply(
            e.parse_example_dataset({"n": tf.io.FixedLenFeature([2], tf.int64)})
        ),
        "parsed_at_once": lambda: texts().apply(
            e.parse_example_dataset({"n": tf.io.VarLenFeature(tf.int64)}, num_parallel_calls=2)
        ),
        "parsed_sparse": lambda: texts().apply(
            e.parse_example_dataset(
                {
                    "s": tf.io.SparseFeature("n", "n", tf.int64, 5),
                    "n": tf.io.VarLenFeature(tf.int64),
                }
            )
        ),
        "parsed_default": lambda: texts().apply(
            e.parse_example_dataset(
                {
                    "m": tf.io.FixedLenFeature([], tf.float32, 2.5),
                    "n": tf.io.FixedLenSequenceFeature([], tf.int64, allow_missing=True),
                }
            )
        ),
    }
    return cases
