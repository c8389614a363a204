"""Datasets and iterators: reinitialized, exhausted, failed and resumed, saved, from two graphs and sessions."""

from tests.conformance.scenes import eager_mode


def _pull(stage, session, fetch, times):
    for _ in range(times):
        stage.attempt(session.run, fetch)


def _numbers(tf, *of):
    return tf.data.Dataset.range(*of)


def _run_out(make, times=6):
    """A scene: a dataset read to its end and beyond, and reinitialized; then in a second session."""

    def scene(tf, stage):
        data = make(tf)
        iterator = tf.data.make_initializable_iterator(data)
        value = iterator.get_next()
        stage.say(tf.data.get_output_types(data), tf.data.get_output_shapes(data))
        with tf.Session() as session:
            stage.attempt(session.run, value)
            for _ in range(2):
                session.run(iterator.initializer)
                _pull(stage, session, value, times)
        with tf.Session() as session:
            session.run(iterator.initializer)
            _pull(stage, session, value, 2)

    return scene


def _check(tf, x):
    return tf.check_numerics(10.0 / tf.to_float(x - 2), "bad")


_DATASETS = {
    "range": lambda tf: _numbers(tf, 3),
    "shuffled": lambda tf: _numbers(tf, 4).shuffle(3, seed=2),
    "shuffled_the_same": lambda tf: _numbers(tf, 4).shuffle(
        3, seed=2, reshuffle_each_iteration=False
    ),
    "shuffled_and_repeated": lambda tf: _numbers(tf, 3).shuffle(3, seed=2).repeat(2),
    "repeated_and_shuffled": lambda tf: _numbers(tf, 3).repeat(2).shuffle(3, seed=2),
    "batched": lambda tf: _numbers(tf, 5).batch(2),
    "batched_whole": lambda tf: _numbers(tf, 5).batch(2, drop_remainder=True),
    "padded": lambda tf: _numbers(tf, 5).map(lambda x: tf.fill([x], x)).padded_batch(2, [None]),
    "padded_too_short": lambda tf: (
        _numbers(tf, 5).map(lambda x: tf.fill([x], x)).padded_batch(2, [2])
    ),
    "padded_with": lambda tf: (
        _numbers(tf, 3)
        .map(lambda x: (tf.fill([x], x), x))
        .padded_batch(2, ([4], []), (tf.constant(9, tf.int64), tf.constant(0, tf.int64)))
    ),
    "fails_once": lambda tf: _numbers(tf, 5).map(lambda x: _check(tf, x)),
    "fails_in_parallel": lambda tf: _numbers(tf, 5).map(lambda x: _check(tf, x), 2),
    "fails_and_is_ignored": lambda tf: (
        _numbers(tf, 5).map(lambda x: _check(tf, x)).apply(tf.data.experimental.ignore_errors())
    ),
    "fails_in_a_batch": lambda tf: _numbers(tf, 5).map(lambda x: _check(tf, x)).batch(2),
    "fails_in_map_and_batch": lambda tf: _numbers(tf, 5).apply(
        tf.data.experimental.map_and_batch(lambda x: _check(tf, x), 2)
    ),
    "fails_before_a_prefetch": lambda tf: _numbers(tf, 5).map(lambda x: _check(tf, x)).prefetch(2),
    "fails_in_a_filter": lambda tf: _numbers(tf, 5).filter(lambda x: _check(tf, x) > 0),
    "fails_in_a_flat_map": lambda tf: _numbers(tf, 4).flat_map(
        lambda x: tf.data.Dataset.from_tensors(_check(tf, x)).repeat(2)
    ),
    "cached": lambda tf: _numbers(tf, 3).shuffle(3, seed=4).cache(),
    "cached_and_shuffled": lambda tf: _numbers(tf, 3).cache().shuffle(3, seed=4).repeat(2),
    "cached_with_a_failure": lambda tf: _numbers(tf, 4).map(lambda x: _check(tf, x)).cache(),
    "taken": lambda tf: _numbers(tf, 9).skip(1).take(3),
    "taken_none": lambda tf: _numbers(tf, 3).take(0),
    "taken_all": lambda tf: _numbers(tf, 2).take(-1),
    "skipped_all": lambda tf: _numbers(tf, 2).skip(-1),
    "repeated_for_ever": lambda tf: _numbers(tf, 2).repeat(),
    "repeated_nothing": lambda tf: _numbers(tf, 0).repeat(),
    "zipped": lambda tf: tf.data.Dataset.zip((_numbers(tf, 3), {"a": _numbers(tf, 5, 7)})),
    "joined": lambda tf: _numbers(tf, 2).concatenate(_numbers(tf, 5, 7)),
    "windows": lambda tf: _numbers(tf, 5).window(2, 1, 2).flat_map(lambda x: x.batch(2)),
    "windows_whole": lambda tf: (
        _numbers(tf, 5).window(2, 2, drop_remainder=True).flat_map(lambda x: x.batch(3))
    ),
    "shards": lambda tf: _numbers(tf, 7).shard(3, 1),
    "reduced_inside": lambda tf: _numbers(tf, 4).map(
        lambda x: tf.data.Dataset.range(x).reduce(tf.constant(0, tf.int64), lambda a, b: a + b)
    ),
    "scanned": lambda tf: _numbers(tf, 4).apply(
        tf.data.experimental.scan(tf.constant(1, tf.int64), lambda s, x: (s * 2, s + x))
    ),
    "buckets": lambda tf: (
        _numbers(tf, 7)
        .map(lambda x: tf.fill([x % 4], x))
        .apply(
            tf.data.experimental.bucket_by_sequence_length(
                lambda x: tf.shape(x)[0], [1, 3], [2, 2, 1]
            )
        )
    ),
    "buckets_of_boundaries": lambda tf: (
        _numbers(tf, 1, 6)
        .map(lambda x: tf.fill([x % 3 + 1], x))
        .apply(
            tf.data.experimental.bucket_by_sequence_length(
                lambda x: tf.shape(x)[0], [3, 4], [2, 2, 1], pad_to_bucket_boundary=True
            )
        )
    ),
    "groups": lambda tf: _numbers(tf, 7).apply(
        tf.data.experimental.group_by_window(lambda x: x % 2, lambda k, d: d.batch(2), 2)
    ),
    "unbatched": lambda tf: _numbers(tf, 4).batch(3).apply(tf.data.experimental.unbatch()),
    "unique": lambda tf: tf.data.Dataset.from_tensor_slices([1, 2, 1, 3]).apply(
        tf.data.experimental.unique()
    ),
    "while_small": lambda tf: _numbers(tf, 9).apply(
        tf.data.experimental.take_while(lambda x: x < 2)
    ),
    "random": lambda tf: tf.data.experimental.RandomDataset(3).take(2),
    "drawn_in_map": lambda tf: _numbers(tf, 3).map(lambda x: tf.random_uniform([], seed=5)),
    "drawn_by_second_argument": lambda tf: tf.data.Dataset.from_tensor_slices(
        ([[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 1], [2, 3]])
    ).map(
        lambda x, seed: tf.squeeze(
            tf.random.stateless_multinomial(tf.zeros([1, 99]), 1, seed), [0, 1]
        )
    ),
    "sampled": lambda tf: tf.data.experimental.sample_from_datasets(
        [_numbers(tf, 3), _numbers(tf, 10, 12)], [0.5, 0.5], seed=3
    ),
    "chosen": lambda tf: tf.data.experimental.choose_from_datasets(
        [_numbers(tf, 3), _numbers(tf, 10, 11)],
        tf.data.Dataset.from_tensor_slices([1, 0, 1, 0]).map(lambda x: tf.cast(x, tf.int64)),
    ),
    "counted_in_python": lambda tf: tf.data.Dataset.from_generator(
        lambda: iter([1, 2]), tf.int32, []
    ),
    "python_that_fails": lambda tf: tf.data.Dataset.from_generator(_failing, tf.int32, []),
    "python_of_another_type": lambda tf: tf.data.Dataset.from_generator(
        lambda: iter([1, "a"]), tf.int32, []
    ),
    "python_of_another_shape": lambda tf: tf.data.Dataset.from_generator(
        lambda: iter([[1], [1, 2]]), tf.int32, [1]
    ),
    "sparse": lambda tf: tf.data.Dataset.from_tensor_slices(
        tf.SparseTensor([[0, 1], [2, 0]], [1, 2], [3, 2])
    ).batch(2),
    "shapes_that_change": lambda tf: _numbers(tf, 1, 4).map(lambda x: tf.zeros([x])).batch(2),
    "prefetched": lambda tf: _numbers(tf, 3).prefetch(1),
    "options": lambda tf: _numbers(tf, 3).with_options(_options(tf)),
    "enumerated": lambda tf: _numbers(tf, 5, 7).enumerate(start=3),
}


def _options(tf):
    options = tf.data.Options()
    options.experimental_deterministic = True
    options.experimental_optimization.map_fusion = True
    return options


def _failing():
    yield 1
    raise ValueError("mine")


for _name, _make in _DATASETS.items():
    _made = _run_out(_make)
    _made.__module__ = __name__
    globals()["of_" + _name] = _made


def chosen_by_a_handle(tf, stage):
    handle = tf.placeholder(tf.string, [], name="handle")
    one = tf.data.make_one_shot_iterator(_numbers(tf, 3))
    two = tf.data.make_initializable_iterator(_numbers(tf, 10, 12))
    other = tf.data.make_one_shot_iterator(_numbers(tf, 3).batch(2))
    iterator = tf.data.Iterator.from_string_handle(handle, tf.int64, [])
    value = iterator.get_next()
    with tf.Session() as session:
        a, b, c = session.run([one.string_handle(), two.string_handle(), other.string_handle()])
        stage.attempt(session.run, value, {handle: a})
        session.run(two.initializer)
        for given in (b, a, b, b, a, a, c, "none"):
            stage.attempt(session.run, value, {handle: given})
        session.run(two.initializer)
    with tf.Session() as session:
        stage.attempt(session.run, value, {handle: b})


def several_ask_in_one_step(tf, stage):
    iterator = tf.data.make_initializable_iterator(_numbers(tf, 5))
    value = iterator.get_next()
    more = tf.identity(value)
    with tf.control_dependencies([value]):
        second = iterator.get_next(name="second")
    with tf.Session() as session:
        session.run(iterator.initializer)
        stage.attempt(session.run, [value, more])
        stage.attempt(session.run, [value, second])
    for _ in range(33):
        iterator.get_next()


def of_another_graph(tf, stage):
    data = _numbers(tf, 3)
    with tf.Graph().as_default():
        stage.attempt(lambda: tf.data.make_initializable_iterator(data) is None)
        stage.nodes()


def _of_its_position(reader):
    return [n for n in sorted(reader.get_variable_to_shape_map()) if "iterator" in n]


def in_object_checkpoints_eagerly(tf, stage):
    with eager_mode(tf):
        data = _numbers(tf, 6).map(lambda x: x * 2).batch(2)
        keep = tf.train.Checkpoint(iterator=iter(data))
        stage.say(next(keep.iterator))
        path = keep.save(stage.folder + "/it")
        stage.say(_of_its_position(tf.train.NewCheckpointReader(path)))
        again = tf.train.Checkpoint(iterator=iter(data))
        again.restore(path).assert_consumed()
        stage.say(next(again.iterator), next(again.iterator))
        other = tf.train.Checkpoint(other=iter(data))
        other.restore(path)
        stage.say(next(other.other))


def csv_and_files(tf, stage):
    for name, text in (("a.csv", "x,y\n1,2\n3,b\n"), ("b.csv", "x,y\n5,6\n")):
        with open(stage.folder + "/" + name, "w") as out:
            out.write(text)
    data = tf.data.experimental.make_csv_dataset(
        stage.folder + "/*.csv", 1, column_defaults=[0.0, 0.0], num_epochs=1, shuffle=False
    )
    value = tf.data.make_one_shot_iterator(data).get_next()
    with tf.Session() as session:
        _pull(stage, session, value, 4)
    plain = tf.data.experimental.CsvDataset(stage.folder + "/a.csv", [tf.float32, 9.5], header=True)
    value = tf.data.make_one_shot_iterator(plain).get_next()
    listed = tf.data.Dataset.list_files(stage.folder + "/*.csv", shuffle=False)
    names = tf.data.make_one_shot_iterator(listed).get_next()
    missing = tf.data.Dataset.list_files(stage.folder + "/*.none")
    none = tf.data.make_initializable_iterator(missing)
    with tf.Session() as session:
        _pull(stage, session, value, 3)
        _pull(stage, session, names, 3)
        stage.attempt(session.run, none.initializer)
