"""Datasets: arguments, shapes and structures that are refused, limits of options, transformations at their edges."""

import numpy as np


def _all(tf, stage, cases, times=12):
    """Says of each dataset types, shapes and elements, and the error that ends it."""
    for name, make in cases.items():
        stage.say(name)
        with tf.Graph().as_default(), tf.Session() as session, stage.failing():
            tf.set_random_seed(1)
            data = make()
            stage.say(tf.data.get_output_types(data), tf.data.get_output_shapes(data))
            iterator = tf.data.make_initializable_iterator(data)
            value = iterator.get_next()
            session.run([tf.tables_initializer(), iterator.initializer])
            for _ in range(times):
                stage.say(session.run(value))


def elements(tf, stage):
    D = tf.data.Dataset
    fed = lambda value: tf.placeholder_with_default(value, None)  # noqa: E731
    cases = {
        "slices of a scalar": lambda: D.from_tensor_slices(1),
        "slices of two lengths": lambda: D.from_tensor_slices(([1, 2], [1, 2, 3])),
        "slices of two lengths, fed": lambda: D.from_tensor_slices((fed([1, 2]), fed([1, 2, 3]))),
        "slices of a scalar, fed": lambda: D.from_tensor_slices(fed(3)),
        "slices of nothing": lambda: D.from_tensor_slices([]),
        "slices of a dict": lambda: D.from_tensor_slices({"b": [1, 2], "a": ([3, 4],)}),
        "slices of rows": lambda: D.from_tensor_slices([[1, 2], [3]]),
        "slices of None": lambda: D.from_tensor_slices(None),
        "tensors of None": lambda: D.from_tensors((1, None)),
        "tensors of an object": lambda: D.from_tensors(object()),
        "tensors of texts": lambda: D.from_tensors({"x": ["a", "b"]}),
        "sparse": lambda: D.from_tensor_slices(
            tf.SparseTensor([[0, 0], [1, 1]], [1, 2], [2, 2])
        ).map(lambda x: x.values),
        "range of none": lambda: D.range(),
        "range of four": lambda: D.range(1, 2, 3, 4),
        "range backwards": lambda: D.range(5, 0, -2),
        "range of no step": lambda: D.range(0, 5, 0),
        "range of floats": lambda: D.range(1.5),
        "zip of a list": lambda: D.zip([D.range(1), D.range(2)]),
        "zip of numbers": lambda: D.zip((1, 2)),
        "zip of one": lambda: D.zip(D.range(2)),
        "joined of two types": lambda: D.range(1).concatenate(D.from_tensors(1.5)),
        "joined of two structures": lambda: D.range(1).concatenate(D.from_tensors((1, 2))),
        "joined of two shapes": lambda: D.from_tensors([1, 2]).concatenate(D.from_tensors([3])),
        "sparse slices of a tensor": lambda: D.from_sparse_tensor_slices([1]),
        "files of none": lambda: D.list_files(stage.folder + "/none*"),
        "files of a vector": lambda: D.list_files([stage.folder + "/n1", stage.folder + "/n2"]),
        "files of rows": lambda: D.list_files([["a"]]),
        "text of a number": lambda: tf.data.TextLineDataset(3),
        "text of rows": lambda: tf.data.TextLineDataset([["a"]]),
        "text of no file": lambda: tf.data.TextLineDataset(stage.folder + "/none"),
        "text of an unknown kind": lambda: tf.data.TextLineDataset("a", compression_type="BZ"),
        "records of no file": lambda: tf.data.TFRecordDataset([stage.folder + "/none"]),
        "records of a number": lambda: tf.data.TFRecordDataset(3),
        "records of nothing": lambda: tf.data.TFRecordDataset(None),
        "records of an unknown kind": lambda: tf.data.TFRecordDataset("a", compression_type="BZ"),
        "fixed of no length": lambda: tf.data.FixedLengthRecordDataset("a", 0),
        "fixed of a header below zero": lambda: tf.data.FixedLengthRecordDataset("a", 1, -1),
        "fixed of a footer below zero": lambda: tf.data.FixedLengthRecordDataset("a", 1, 0, -1),
        "fixed of a buffer below zero": lambda: tf.data.FixedLengthRecordDataset("a", 1, 0, 0, -1),
        "fixed of no file": lambda: tf.data.FixedLengthRecordDataset(stage.folder + "/none", 2),
    }
    _all(tf, stage, cases)


def sizes(tf, stage):
    D = tf.data.Dataset
    five = lambda: D.range(5)  # noqa: E731
    cases = {
        "batch of none": lambda: five().batch(0),
        "batch below none": lambda: five().batch(-1),
        "batch of a float": lambda: five().batch(1.5),
        "batch of a vector": lambda: five().batch([2]),
        "batch of more": lambda: five().batch(9, drop_remainder=True),
        "batch of two shapes": lambda: five().map(lambda x: tf.fill([x], x)).batch(2),
        "padded of none": lambda: five().padded_batch(0, []),
        "padded of a wrong rank": lambda: five().padded_batch(2, [None]),
        "padded of a wrong structure": lambda: five().padded_batch(2, ([], [])),
        "padded with a wrong type": lambda: five().padded_batch(2, [], 1.5),
        "padded with a vector": lambda: five().padded_batch(2, [], [1]),
        "padded of a smaller shape": lambda: D.from_tensors([1, 2]).padded_batch(2, [1]),
        "padded by minus one": lambda: D.from_tensors([1, 2]).padded_batch(2, [-1]),
        "padded whole": lambda: five().padded_batch(2, [], drop_remainder=True),
        "shuffle of none": lambda: five().shuffle(0),
        "shuffle below none": lambda: five().shuffle(-2),
        "shuffle of one": lambda: five().shuffle(1, seed=3),
        "shuffle of a text": lambda: five().shuffle("a"),
        "prefetch below none": lambda: five().prefetch(-2),
        "prefetch of none": lambda: five().prefetch(0),
        "prefetch of a text": lambda: five().prefetch("a"),
        "repeat of none": lambda: five().repeat(0),
        "repeat of a text": lambda: five().repeat("a"),
        "skip of a float": lambda: five().skip(1.5),
        "take below": lambda: five().take(-3),
        "shard of none": lambda: five().shard(0, 0),
        "shard above": lambda: five().shard(2, 2),
        "shard below": lambda: five().shard(2, -1),
        "shard of a tensor": lambda: five().shard(
            tf.constant(2, tf.int64), tf.constant(3, tf.int64)
        ),
        "shard of a text": lambda: five().shard("a", 0),
        "window of none": lambda: five().window(0).flat_map(lambda x: x),
        "window of no shift": lambda: five().window(2, 0).flat_map(lambda x: x),
        "window of no stride": lambda: five().window(2, 1, 0).flat_map(lambda x: x),
        "window as it is": lambda: five().window(2),
        "interleave of none": lambda: five().interleave(lambda x: D.range(x), 0),
        "interleave of no block": lambda: five().interleave(lambda x: D.range(x), 2, 0),
        "interleave in parallel of none": lambda: five().interleave(
            lambda x: D.range(x), 2, 1, num_parallel_calls=0
        ),
        "interleave in parallel": lambda: five().interleave(lambda x: D.range(x), 2, 2, 2),
        "interleave in parallel of more": lambda: five().interleave(lambda x: D.range(x), 1, 1, 2),
        "map in parallel of none": lambda: five().map(lambda x: x, 0),
        "map in parallel below": lambda: five().map(lambda x: x, -2),
        "map in parallel of a text": lambda: five().map(lambda x: x, "a"),
    }
    _all(tf, stage, cases, 7)


def functions(tf, stage):
    D = tf.data.Dataset
    two = lambda: D.range(2)  # noqa: E731
    cases = {
        "map to a list": lambda: two().map(lambda x: [x, x]),
        "map to a dataset": lambda: two().map(lambda x: D.range(x)).flat_map(lambda x: x),
        "map to a number": lambda: two().map(lambda x: 1.5),
        "map to texts": lambda: two().map(lambda x: ("a", b"b")),
        "map to None": lambda: two().map(lambda x: None),
        "map of what raises": lambda: two().map(lambda x: x + "a"),
        "map to a sparse": lambda: (
            two().map(lambda x: tf.SparseTensor([[x]], [x], [3])).map(tf.sparse.to_dense)
        ),
        "map to an array": lambda: two().map(
            lambda x: tf.TensorArray(tf.int64, 2).write(0, x).write(1, x).stack()
        ),
        "filter of a number": lambda: two().filter(lambda x: x),
        "filter of a vector": lambda: two().filter(lambda x: tf.fill([2], True)),
        "filter of a bool": lambda: two().filter(lambda x: True),
        "flat_map to a tensor": lambda: two().flat_map(lambda x: x),
        "interleave to a tensor": lambda: two().interleave(lambda x: x, 1),
        "flat_map to two shapes": lambda: two().flat_map(
            lambda x: D.from_tensors(tf.fill([x], 1)).concatenate(D.from_tensors([5, 6]))
        ),
        "reduce to another type": lambda: two().map(lambda _: two().reduce(0, lambda s, x: x)),
        "reduce to another shape": lambda: two().map(
            lambda _: two().reduce(tf.constant([0], tf.int64), lambda s, x: tf.concat([s, [x]], 0))
        ),
        "reduce to another structure": lambda: two().map(
            lambda _: two().reduce((0, 0), lambda s, x: 0)
        ),
        "from a generator": lambda: D.from_generator(lambda: iter([1, 2]), tf.int32),
        "from a generator of a wrong type": lambda: D.from_generator(lambda: iter(["a"]), tf.int32),
        "from a generator of a wrong shape": lambda: D.from_generator(
            lambda: iter([[1], [1, 2]]), tf.int32, [1]
        ),
        "from a generator of a wrong structure": lambda: D.from_generator(
            lambda: iter([(1, 2), 3]), (tf.int32, tf.int32)
        ),
        "from a generator of arguments": lambda: D.from_generator(
            lambda n, t: iter([t] * n), tf.string, args=(2, "a")
        ),
        "from a generator that raises": lambda: D.from_generator(
            lambda: (1 // x for x in (1, 0)), tf.int32
        ),
        "from a generator that is none": lambda: D.from_generator(3, tf.int32),
        "from a generator that gives none": lambda: D.from_generator(lambda: 3, tf.int32),
        "from an empty generator": lambda: D.from_generator(lambda: iter([]), tf.int32),
    }
    _all(tf, stage, cases, 4)


def experiments(tf, stage):
    D, e = tf.data.Dataset, tf.data.experimental
    five = lambda: D.range(5)  # noqa: E731
    texts = lambda *of: D.from_tensor_slices(list(of))  # noqa: E731
    big = 2**40
    cases = {
        "counter": lambda: e.Counter(3, -2).take(3),
        "counter of int32": lambda: e.Counter(dtype=tf.int32).take(2),
        "enumerated": lambda: texts("a", "b").apply(e.enumerate_dataset(7)),
        "cardinality known": lambda: D.from_tensors(e.cardinality(five().batch(2))),
        "cardinality infinite": lambda: D.from_tensors(e.cardinality(five().repeat())),
        "cardinality unknown": lambda: D.from_tensors(e.cardinality(five().filter(lambda x: True))),
        "choice": lambda: e.choose_from_datasets(
            [five(), D.range(10, 12)], D.from_tensor_slices(np.int64([0, 1, 1, 1, 0]))
        ),
        "choice out of range": lambda: e.choose_from_datasets([five()], D.range(3)),
        "choice of a wrong type": lambda: e.choose_from_datasets([five()], texts("a")),
        "choice of two types": lambda: e.choose_from_datasets([five(), texts("a")], D.range(2)),
        "sampled": lambda: e.sample_from_datasets([five(), D.range(10, 12)], [0.5, 0.5], seed=1),
        "sampled of too many": lambda: e.sample_from_datasets([five()], [0.5, 0.5]),
        "sampled of texts": lambda: e.sample_from_datasets([five()], ["a"]),
        "sampled of none": lambda: e.sample_from_datasets([]),
        "copied": lambda: five().apply(e.copy_to_device("/cpu:0")),
        "batches to sparse": lambda: (
            five()
            .map(lambda x: tf.fill([x], x))
            .apply(e.dense_to_sparse_batch(2, [4]))
            .map(tf.sparse.to_dense)
        ),
        "batches to sparse, too small": lambda: (
            five()
            .map(lambda x: tf.fill([x], x))
            .apply(e.dense_to_sparse_batch(4, [2]))
            .map(tf.sparse.to_dense)
        ),
        "batches to sparse of texts": lambda: five().apply(e.dense_to_sparse_batch(2, ["a"])),
        "map and batch of none": lambda: five().apply(e.map_and_batch(lambda x: x, 0)),
        "map and batch of both": lambda: five().apply(
            e.map_and_batch(lambda x: x, 2, num_parallel_batches=1, num_parallel_calls=1)
        ),
        "map and batch whole": lambda: five().apply(
            e.map_and_batch(lambda x: (x, -x), 2, drop_remainder=True)
        ),
        "map and batch of shapes": lambda: five().apply(
            e.map_and_batch(lambda x: tf.fill([x], x), 2)
        ),
        "groups": lambda: five().apply(
            e.group_by_reducer(
                lambda x: x % 2, e.Reducer(lambda k: k * 100, lambda s, x: s + x, lambda s: -s)
            )
        ),
        "groups by another type": lambda: five().apply(
            e.group_by_reducer(
                lambda x: tf.to_int32(x), e.Reducer(lambda k: k, lambda s, x: s + x, lambda s: s)
            )
        ),
        "groups to another type": lambda: five().apply(
            e.group_by_reducer(lambda x: x, e.Reducer(lambda k: k, lambda s, x: 1.5, lambda s: s))
        ),
        "windows by both": lambda: five().apply(
            e.group_by_window(lambda x: x, lambda k, d: d, 2, window_size_func=lambda k: 2)
        ),
        "windows by none": lambda: five().apply(e.group_by_window(lambda x: x, lambda k, d: d)),
        "windows by a function": lambda: five().apply(
            e.group_by_window(
                lambda x: x % 2, lambda k, d: d.batch(9), window_size_func=lambda k: k + 1
            )
        ),
        "buckets of two": lambda: five().apply(
            e.bucket_by_sequence_length(lambda x: tf.to_int32(x), [2], [1])
        ),
        "buckets too long": lambda: (
            five()
            .map(lambda x: tf.fill([x], x))
            .apply(
                e.bucket_by_sequence_length(
                    lambda x: tf.shape(x)[0], [2, 3], [2, 2, 2], pad_to_bucket_boundary=True
                )
            )
        ),
        "buckets without padding": lambda: five().apply(
            e.bucket_by_sequence_length(lambda x: tf.to_int32(x), [2], [2, 3], no_padding=True)
        ),
        "buckets whole": lambda: five().apply(
            e.bucket_by_sequence_length(lambda x: tf.to_int32(x), [2], [2, 2], drop_remainder=True)
        ),
        "unbatched of a scalar": lambda: five().apply(e.unbatch()),
        "unbatched of two lengths": lambda: D.from_tensors(
            (tf.placeholder_with_default([1, 2], [None]), [3, 4, 5])
        ).apply(e.unbatch()),
        "unique of floats": lambda: D.from_tensors(1.5).apply(e.unique()),
        "unique of a vector": lambda: D.from_tensors([1]).apply(e.unique()),
        "unique of two": lambda: D.zip((five(), five())).apply(e.unique()),
        "while of a number": lambda: five().apply(e.take_while(lambda x: x)),
        "scanned to another type": lambda: five().apply(e.scan(0, lambda s, x: (x, x))),
        "scanned to one": lambda: five().apply(e.scan(0, lambda s, x: s)),
        "scanned to another shape": lambda: five().apply(
            e.scan(tf.constant([0], tf.int64), lambda s, x: (tf.concat([s, [x]], 0), s))
        ),
        "ignored": lambda: (
            five()
            .map(lambda x: tf.check_numerics(1.0 / tf.to_float(x % 2), "m"))
            .apply(e.ignore_errors())
        ),
        "shuffled and repeated": lambda: five().apply(e.shuffle_and_repeat(2, 2, seed=1)),
        "random": lambda: e.RandomDataset(3).take(2).map(lambda x: tf.shape(x)),
        "parsed of no text": lambda: five().apply(
            e.parse_example_dataset({"x": tf.io.FixedLenFeature([], tf.int64)})
        ),
        "parsed of no features": lambda: texts("a").apply(e.parse_example_dataset(None)),
        "parsed of a wrong text": lambda: (
            texts("a")
            .batch(1)
            .apply(e.parse_example_dataset({"x": tf.io.FixedLenFeature([], tf.int64)}))
        ),
        "interleaved": lambda: five().apply(
            e.parallel_interleave(lambda x: D.range(x), 2, block_length=2)
        ),
        "interleaved of none": lambda: five().apply(e.parallel_interleave(lambda x: D.range(x), 0)),
        "interleaved of no block": lambda: five().apply(
            e.parallel_interleave(lambda x: D.range(x), 1, 0)
        ),
        "a prefetch to a device": lambda: five().apply(e.prefetch_to_device("/cpu:0", 1)),
        "a prefetch to a device and more": lambda: (
            five().apply(e.prefetch_to_device("/cpu:0", 1)).batch(2)
        ),
        "large numbers": lambda: D.range(big, big + 2),
        "bytes": lambda: five().apply(e.bytes_produced_stats("t")),
        "latencies": lambda: five().apply(e.latency_stats("t")).take(1),
        "csv of no file": lambda: e.CsvDataset(stage.folder + "/none", [tf.int32]),
        "csv of a wrong type": lambda: e.CsvDataset("a", [tf.complex64]),
        "csv of a wide delimiter": lambda: e.CsvDataset("a", [tf.int32], field_delim="ab"),
        "csv of columns": lambda: e.CsvDataset("a", [tf.int32], select_cols=[2, 1]),
        "csv of fewer columns": lambda: e.CsvDataset("a", [tf.int32], select_cols=[0, 1]),
    }
    _all(tf, stage, cases, 7)


def iterators(tf, stage):
    D, I = tf.data.Dataset, tf.data.Iterator  # noqa: E741
    make = tf.data.make_initializable_iterator
    stage.attempts(
        lambda: I.from_structure(tf.int32, [1]).get_next().shape,
        lambda: I.from_structure((tf.int32, tf.int64)).output_shapes,
        lambda: I.from_structure(tf.int32).initializer,
        lambda: I.from_structure(tf.int32).make_initializer(D.range(3)),
        lambda: I.from_structure(tf.int64, [2]).make_initializer(D.range(3)),
        lambda: I.from_structure(tf.int64, []).make_initializer(D.range(3)).name,
        lambda: I.from_structure((tf.int64,), ([],)).make_initializer(D.range(3)),
        lambda: I.from_string_handle("a", tf.int32).get_next().shape,
        lambda: I.from_string_handle(3, tf.int32),
        lambda: I.from_string_handle("a", tf.int32).initializer,
        lambda: make(D.range(2)).make_initializer(D.range(4)).name,
        lambda: next(iter(D.range(2))),
        lambda: bool(D.range(2)),
        lambda: len(D.range(2)),
        lambda: repr(D.range(2).batch(2)),
        lambda: repr(D.zip((D.range(2), {"a": D.from_tensors(1.5)}))),
        lambda: D.range(2).make_one_shot_iterator().output_classes,
        lambda: make(D.range(2), shared_name="shared").string_handle("h").name,
        lambda: tf.data.experimental.get_single_element(D.range(2)).shape,
        lambda: tf.data.experimental.get_next_as_optional(make(D.range(2))).has_value().name,
        lambda: tf.data.experimental.make_saveable_from_iterator(3),
    )
    values = [tf.data.experimental.get_single_element(D.range(n)) for n in (0, 1, 2)]
    iterator = make(D.range(2))
    optional = tf.data.experimental.get_next_as_optional(iterator)
    strange = I.from_string_handle(tf.constant("text"), tf.int64, []).get_next()
    with tf.Session() as session:
        for value in values:
            stage.attempt(session.run, value)
        stage.attempt(session.run, optional.has_value())
        stage.attempt(session.run, strange)
        session.run(iterator.initializer)
        for _ in range(3):
            stage.attempt(session.run, [optional.has_value()])
        session.run(iterator.initializer)
        for _ in range(3):
            stage.attempt(session.run, optional.get_value())
        handle = session.run(iterator.string_handle())
        other = tf.placeholder(tf.string, [])
        for types, shapes in ((tf.int64, []), (tf.int32, []), (tf.int64, [2])):
            value = I.from_string_handle(other, types, shapes).get_next()
            session.run(iterator.initializer)
            stage.attempt(session.run, value, {other: handle})


def options(tf, stage):
    o = tf.data.Options
    stage.attempts(
        lambda: setattr(o(), "nothing", 1),
        lambda: setattr(o(), "experimental_deterministic", 3),
        lambda: setattr(o(), "experimental_slack", "a"),
        lambda: setattr(o().experimental_optimization, "map_fusion", 3),
        lambda: setattr(o().experimental_optimization, "none", 3),
        lambda: setattr(o().experimental_threading, "private_threadpool_size", "a"),
        lambda: setattr(o().experimental_threading, "max_intra_op_parallelism", 2.5),
        lambda: setattr(o(), "experimental_optimization", 3),
        lambda: setattr(o().experimental_distribute, "auto_shard", 3),
        lambda: o() == o(),
        lambda: o() != 3,
        lambda: o().merge(3),
        lambda: tf.data.Dataset.range(2).with_options(3),
        lambda: tf.data.Dataset.range(2).with_options(o()).options() == o(),
        lambda: o().experimental_optimization.map_vectorization.enabled,
        lambda: o().experimental_optimization.autotune,
        lambda: o().experimental_optimization.apply_default_optimizations,
        lambda: o().experimental_threading.private_threadpool_size,
    )
    one, two = o(), o()
    one.experimental_deterministic = True
    two.experimental_deterministic = False
    two.experimental_slack = True
    stage.attempt(lambda: one.merge(two).experimental_deterministic)
    stage.say(one == two, one.experimental_slack)
    data = tf.data.Dataset.range(5).with_options(one)
    stage.say(data.options().experimental_deterministic)
    stage.attempt(lambda: data.with_options(two).options().experimental_deterministic)
    stage.say(tf.data.Dataset.zip((data, data.batch(2))).options() == one)
    two.experimental_threading.private_threadpool_size = 3
    two.experimental_threading.max_intra_op_parallelism = 1
    two.experimental_optimization.map_fusion = True
    two.experimental_optimization.noop_elimination = True
    two.experimental_optimization.autotune_cpu_budget = 2
    both = tf.data.Dataset.range(5).map(lambda x: x + 1).map(lambda x: x * 2).repeat(1)
    value = tf.data.make_one_shot_iterator(both.with_options(two).prefetch(1)).get_next()
    with tf.Session() as session:
        for _ in range(6):
            stage.attempt(session.run, value)


def predicates(tf, stage):
    data = tf.data.Dataset.range(3)
    for use in (lambda f: data.apply(tf.data.experimental.take_while(f)), data.filter):
        stage.attempts(
            lambda use=use: use(lambda x: x < 2).output_shapes,
            lambda use=use: use(lambda x: tf.fill([1], x < 2)),
            lambda use=use: use(lambda x: tf.fill([2], x < 2)),
            lambda use=use: use(lambda x: tf.placeholder_with_default(x < 2, None)).output_shapes,
            lambda use=use: use(lambda x: x),
            lambda use=use: use(lambda x: True).output_shapes,
            lambda use=use: use(lambda x: 1),
        )
