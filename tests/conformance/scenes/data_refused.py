"""Datasets: rejected arguments, shapes and structures, option limits, edge cases of transformations."""


def _all(tf, stage, cases, times=12):
    """Records each dataset's types, shapes, elements, and final error."""
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
    cases = {
        "slices of nothing": lambda: D.from_tensor_slices([]),
        "slices of rows": lambda: D.from_tensor_slices([[1, 2], [3]]),
        "tensors of an object": lambda: D.from_tensors(object()),
        "joined of two structures": lambda: D.range(1).concatenate(D.from_tensors((1, 2))),
        "sparse slices of a tensor": lambda: D.from_sparse_tensor_slices([1]),
        "files of none": lambda: D.list_files(stage.folder + "/none*"),
        "files of rows": lambda: D.list_files([["a"]]),
        "text of a number": lambda: tf.data.TextLineDataset(3),
        "text of an unknown kind": lambda: tf.data.TextLineDataset("a", compression_type="BZ"),
        "records of nothing": lambda: tf.data.TFRecordDataset(None),
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
        "batch of a vector": lambda: five().batch([2]),
        "padded of a wrong rank": lambda: five().padded_batch(2, [None]),
        "padded of a wrong structure": lambda: five().padded_batch(2, ([], [])),
        "padded of a smaller shape": lambda: D.from_tensors([1, 2]).padded_batch(2, [1]),
        "shuffle of a text": lambda: five().shuffle("a"),
        "prefetch of a text": lambda: five().prefetch("a"),
        "repeat of a text": lambda: five().repeat("a"),
        "skip of a float": lambda: five().skip(1.5),
        "shard of a text": lambda: five().shard("a", 0),
        "window as it is": lambda: five().window(2),
        "interleave of none": lambda: five().interleave(lambda x: D.range(x), 0),
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
    cases = {
        "sampled of none": lambda: e.sample_from_datasets([]),
        "batches to sparse, too small": lambda: (
            five()
            .map(lambda x: tf.fill([x], x))
            .apply(e.dense_to_sparse_batch(4, [2]))
            .map(tf.sparse.to_dense)
        ),
        "batches to sparse of texts": lambda: five().apply(e.dense_to_sparse_batch(2, ["a"])),
        "map and batch of none": lambda: five().apply(e.map_and_batch(lambda x: x, 0)),
        "unbatched of two lengths": lambda: D.from_tensors(
            (tf.placeholder_with_default([1, 2], [None]), [3, 4, 5])
        ).apply(e.unbatch()),
        "interleaved of none": lambda: five().apply(e.parallel_interleave(lambda x: D.range(x), 0)),
        "interleaved of no block": lambda: five().apply(
            e.parallel_interleave(lambda x: D.range(x), 1, 0)
        ),
        "csv of no file": lambda: e.CsvDataset(stage.folder + "/none", [tf.int32]),
        "csv of columns": lambda: e.CsvDataset("a", [tf.int32], select_cols=[2, 1]),
    }
    _all(tf, stage, cases, 7)


def iterators(tf, stage):
    D, I = tf.data.Dataset, tf.data.Iterator  # noqa: E741
    make = tf.data.make_initializable_iterator
    stage.attempts(lambda: I.from_string_handle(3, tf.int32))
    values = [tf.data.experimental.get_single_element(D.range(n)) for n in (0, 1, 2)]
    iterator = make(D.range(2))
    optional = tf.data.experimental.get_next_as_optional(iterator)
    strange = I.from_string_handle(tf.constant("text"), tf.int64, []).get_next()
    with tf.Session(config=tf.ConfigProto(device_count={"CPU": 2})) as session:
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
        with tf.device("/cpu:1"):
            value = I.from_string_handle(other, tf.int64, [])._iterator_resource
        stage.attempt(session.run, value, {other: handle})


def options(tf, stage):
    o = tf.data.Options
    stage.attempts(
        lambda: setattr(o(), "nothing", 1),
        lambda: setattr(o().experimental_optimization, "none", 3),
        lambda: setattr(o().experimental_threading, "private_threadpool_size", "a"),
    )
    one, two = o(), o()
    one.experimental_deterministic = True
    two.experimental_deterministic = False
    two.experimental_slack = True
    stage.say(one == two, one.experimental_slack)
    data = tf.data.Dataset.range(5).with_options(one)
    stage.say(data.options().experimental_deterministic)
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
