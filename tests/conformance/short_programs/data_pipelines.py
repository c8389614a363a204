"""Datasets: caches in files, iterators, options, unusual arguments of their ops, and what is refused."""

import numpy as np


def programs(tf):
    found = {}

    def add(name, *calls):
        for number, call in enumerate(calls):
            found[f"{name}_{number}"] = call

    D, E = tf.data.Dataset, tf.data.experimental
    one_shot = tf.compat.v1.data.make_one_shot_iterator

    def drawn(dataset, most=20):
        iterator = tf.compat.v1.data.make_initializable_iterator(dataset)
        element = iterator.get_next()
        values = []
        with tf.Session() as session:
            session.run(iterator.initializer)
            for _ in range(most):
                try:
                    values.append(session.run(element))
                except tf.errors.OutOfRangeError:
                    break
        return values

    def numbers(count=5):
        return D.range(count)

    def apart(call):
        with tf.Graph().as_default():  # whose functions are numbered by the process
            return call()

    def cached(name, partly=False):
        def dataset():
            return numbers(3).map(lambda n: (n, tf.as_string(n))).cache(name)

        return [drawn(dataset(), 2 if partly else 20), drawn(dataset())]

    def moved(first, second):
        iterator = tf.data.Iterator.from_structure(
            tf.compat.v1.data.get_output_types(first), tf.compat.v1.data.get_output_shapes(first)
        )
        return iterator.make_initializer(second).name

    def of_generator(generate, *arguments):
        return drawn(D.from_generator(generate, *arguments))

    def sparse(rank=2):
        return tf.SparseTensor(np.zeros([1, rank], np.int64), [1.0], [2] * rank)

    def with_options(**values):
        options = tf.data.Options()
        for name, value in values.items():
            setattr(options, name, value)
        return options

    def csv(**options):
        arguments = {"record_defaults": [[0]] * 3, "header": True}
        arguments.update(options)
        return drawn(E.CsvDataset("f.csv", **arguments))

    def csv_of(text, **options):
        with open("g.csv", "w") as file:
            file.write(text)
        arguments = {"record_defaults": [[0], ["x"]]}
        arguments.update(options)
        return drawn(E.CsvDataset("g.csv", **arguments))

    add(
        "cached",
        lambda: cached("a"),
        lambda: cached("b", True),
        lambda: cached(""),
        lambda: drawn(numbers(0).cache("c")),
        lambda: drawn(numbers(3).cache("none/c")),
        lambda: drawn(numbers(3).cache("d").repeat(2)),
    )
    add(
        "legacy",
        lambda: apart(lambda: drawn(numbers().map_with_legacy_function(lambda n: n * 2))),
        lambda: apart(lambda: drawn(numbers().map_with_legacy_function(lambda n: n * 2, 2))),
        lambda: apart(lambda: drawn(numbers().filter_with_legacy_function(lambda n: n > 2))),
        lambda: apart(
            lambda: drawn(
                numbers().apply(
                    E.map_and_batch_with_legacy_function(lambda n: n * 2, 2, num_parallel_calls=3)
                )
            )
        ),
        lambda: drawn(numbers().apply(E.map_and_batch(lambda n: n * 2, 2, num_parallel_calls=0))),
        lambda: drawn(numbers().apply(E.map_and_batch(lambda n: n * 2, 2, 2, True, 2))),
        lambda: drawn(numbers().apply(E.map_and_batch(lambda n: n * 2, 0))),
        lambda: drawn(numbers().map(lambda n: n, num_parallel_calls=0)),
        lambda: drawn(numbers().interleave(lambda n: D.range(n), 2, 1, num_parallel_calls=0)),
        lambda: drawn(numbers().interleave(lambda n: D.range(n), 0)),
        lambda: drawn(numbers().interleave(lambda n: D.range(n), 2, 0)),
        lambda: drawn(numbers().interleave(lambda n: n)),
        lambda: drawn(numbers().flat_map(lambda n: n)),
        lambda: drawn(numbers().filter(lambda n: n)),
        lambda: drawn(
            numbers().apply(E.parallel_interleave(D.range, 2, prefetch_input_elements=-1))
        ),
        lambda: drawn(numbers().apply(E.parallel_interleave(D.range, 2, buffer_output_elements=0))),
        lambda: drawn(numbers().apply(E.take_while(lambda n: n < 2))),
        lambda: drawn(numbers().apply(E.unique())),
        lambda: drawn(numbers().apply(E.ignore_errors())),
        lambda: drawn(numbers().map(lambda n: 6 // n).apply(E.ignore_errors())),
        lambda: drawn(numbers().apply(E.scan(0, lambda s, n: (s + n, s)))),
        lambda: drawn(
            numbers().apply(E.group_by_window(lambda n: n % 2, lambda k, d: d.batch(2), 2))
        ),
        lambda: drawn(numbers().apply(E.group_by_window(lambda n: [n], lambda k, d: d, 2))),
        lambda: drawn(numbers().apply(E.group_by_window(lambda n: n, lambda k, d: k, 2))),
        lambda: drawn(
            numbers().apply(E.group_by_window(lambda n: n, lambda k, d: d, 2, lambda k: 3))
        ),
        lambda: drawn(numbers().apply(E.bucket_by_sequence_length(lambda n: 1, [2], [2, 2]))),
        lambda: drawn(numbers().apply(E.bucket_by_sequence_length(lambda n: 1, [2], [2]))),
        lambda: drawn(numbers().apply(E.dense_to_sparse_batch(2, [1]))),
        lambda: drawn(numbers().apply(E.enumerate_dataset(3))),
        lambda: drawn(numbers().apply(E.shuffle_and_repeat(1, 2, 1))),
        lambda: drawn(E.choose_from_datasets([numbers(), numbers(2)], D.from_tensors(np.int64(1)))),
        lambda: drawn(E.choose_from_datasets([numbers(), numbers(2)], D.from_tensors(1))),
        lambda: drawn(E.sample_from_datasets([numbers(), numbers(2)], [0.5])),
        lambda: drawn(E.sample_from_datasets([numbers()], [1.0], 1)),
        lambda: drawn(E.Counter(2, 3), 3),
        lambda: drawn(E.RandomDataset(1), 2),
        lambda: drawn(numbers().apply(E.rejection_resample(lambda n: 0, [1.0], [1.0], 1))),
        lambda: drawn(
            numbers().apply(
                E.rejection_resample(lambda n: 0, tf.placeholder_with_default([1.0], [1]), seed=1)
            )
        ),
        lambda: E.get_single_element(numbers(1)),
        lambda: E.get_single_element(numbers(2)),
        lambda: E.get_single_element(numbers(0)),
        lambda: E.cardinality(numbers()),
        lambda: E.cardinality(numbers().repeat()),
        lambda: E.cardinality(numbers().filter(lambda n: True)),
        lambda: E.cardinality(numbers().shard(2, 1)),
        lambda: E.cardinality(numbers().batch(2, True)),
        lambda: E.cardinality(numbers().take(-1)),
        lambda: E.cardinality(numbers().skip(-1)),
    )
    add(
        "shaped",
        lambda: drawn(numbers().padded_batch(2, [])),
        lambda: drawn(numbers().padded_batch(2, [2])),
        lambda: drawn(numbers().map(lambda n: [n]).padded_batch(2, [3], np.int64(7))),
        lambda: drawn(numbers().map(lambda n: [n]).padded_batch(2, [0])),
        lambda: drawn(numbers().map(lambda n: [n]).padded_batch(2, tf.constant([3], tf.int32))),
        lambda: drawn(numbers().map(lambda n: [n]).padded_batch(2, tf.constant([[3]], tf.int64))),
        lambda: drawn(numbers().map(lambda n: [n]).padded_batch(2, tf.constant([3], tf.int64))),
        lambda: drawn(numbers().map(lambda n: [n]).padded_batch(2, [3], 7.0)),
        lambda: drawn(numbers().map(lambda n: [n]).padded_batch(2, [3], "a")),
        lambda: drawn(numbers().map(lambda n: tf.range(n)).padded_batch(5, [2])),
        lambda: drawn(numbers().map(lambda n: tf.range(n)).batch(5)),
        lambda: drawn(numbers().batch(0)),
        lambda: drawn(numbers().batch(2).unbatch()),
        lambda: drawn(numbers().window(2)),
        lambda: drawn(numbers().window(2, 1, 2, True).flat_map(lambda w: w.batch(2))),
        lambda: drawn(numbers().window(0)),
        lambda: drawn(numbers().window(2, 0)),
        lambda: drawn(numbers().shard(0, 0)),
        lambda: drawn(numbers().shard(2, 2)),
        lambda: drawn(numbers().shuffle(0)),
        lambda: drawn(numbers().prefetch(-2)),
        lambda: drawn(D.from_tensor_slices((np.zeros(2), np.zeros(3)))),
        lambda: drawn(D.from_tensor_slices(3)),
        lambda: drawn(D.from_tensor_slices({})),
        lambda: drawn(D.from_tensor_slices({1: [1], "a": [2]})),
        lambda: drawn(D.from_tensor_slices(sparse(1))),
        lambda: drawn(D.from_tensor_slices(sparse(2)).batch(2)),
        lambda: drawn(D.concatenate(numbers(2), numbers(1))),
        lambda: drawn(D.concatenate(numbers(2), D.from_tensors("a"))),
        lambda: drawn(D.concatenate(numbers(2), D.from_tensors([np.int64(1)]))),
        lambda: drawn(D.zip(3)),
        lambda: drawn(D.zip([numbers(), numbers()])),
        lambda: drawn(D.zip({"a": numbers(2), "b": numbers(3)})),
        lambda: drawn(D.range(5, 0, -2)),
        lambda: drawn(D.range(0, 5, 0)),
        lambda: drawn(D.range()),
        lambda: drawn(D.list_files("none*")),
        lambda: drawn(D.list_files("f.csv", shuffle=False)),
        lambda: numbers().reduce(np.int64(0), lambda s, n: s + n),
        lambda: numbers().reduce(0, lambda s, n: s + n),
        lambda: numbers().reduce(np.int64(0), lambda s, n: (s, n)),
        lambda: numbers().reduce([np.int64(1)], lambda s, n: tf.concat([s, [n]], 0)),
        lambda: of_generator(lambda: iter([1, 2]), tf.int32),
        lambda: of_generator(lambda: iter([1, "a"]), tf.int32),
        lambda: of_generator(lambda: iter([(1, 2), 3]), (tf.int32, tf.int32)),
        lambda: of_generator(lambda: iter([[1], [1, 2]]), tf.int32, [1]),
        lambda: of_generator(lambda: iter([[1], [1, 2]]), tf.int32, [None]),
        lambda: of_generator(lambda n: iter(range(n)), tf.int64, [], (3,)),
        lambda: of_generator(3, tf.int32),
        lambda: of_generator(lambda: 3, tf.int32),
        lambda: of_generator(lambda: iter([1]), tf.int32, None, 3),
    )
    add(
        "iterators",
        lambda: moved(numbers(), numbers(3)).split("/")[0],
        lambda: moved(numbers(), D.from_tensors("a")),
        lambda: moved(numbers(), numbers().batch(2)),
        lambda: moved(numbers(), D.from_tensors(sparse())),
        lambda: moved(numbers(), D.zip((numbers(), numbers()))),
        lambda: tf.data.Iterator.from_structure(tf.int64).get_next(),
        lambda: tf.data.Iterator.from_structure((tf.int64, tf.int64), tf.TensorShape([])),
        lambda: tf.data.Iterator(None, None, None, None, None),
        lambda: tf.data.Iterator.from_string_handle("a", tf.int64).get_next(),
        lambda: one_shot(numbers()).initializer,
        lambda: one_shot(numbers()).string_handle().dtype.name,
        lambda: one_shot(numbers()).output_types.name,
        lambda: one_shot(numbers().map(lambda n: n + tf.Variable(np.int64(1)))),
        lambda: one_shot(numbers().map(lambda n: n + tf.Variable(np.int64(1)).read_value())),
        lambda: one_shot(numbers()).make_initializer(numbers()),
        lambda: str(E.get_structure(one_shot(numbers()))),
        lambda: E.get_structure(3),
        lambda: tf.compat.v1.data.get_output_types(3),
        lambda: E.get_next_as_optional(one_shot(numbers(1))).get_value(),
        lambda: E.get_next_as_optional(one_shot(numbers(0))).get_value(),
        lambda: E.get_next_as_optional(one_shot(numbers(0))).has_value(),
        lambda: E.Optional.none_from_structure(tf.TensorSpec([], tf.int32)).has_value(),
        lambda: str(E.Optional.from_value((1, 2)).value_structure),
        lambda: str(E.TensorStructure(tf.int32, [2])),
        lambda: str(E.SparseTensorStructure(tf.int32, [2])),
        lambda: str(E.RaggedTensorStructure(tf.int32, [2, None], 1)),
        lambda: str(E.NestedStructure((tf.TensorSpec([1]),))),
        lambda: str(E.DatasetStructure(tf.TensorSpec([], tf.int32))),
        lambda: str(E.OptionalStructure(tf.TensorSpec([], tf.int32))),
        lambda: E.make_saveable_from_iterator(one_shot(numbers())).name,
        lambda: drawn(numbers().with_options(with_options(experimental_deterministic=False))),
        lambda: drawn(numbers().with_options(with_options(experimental_slack=True)).prefetch(1)),
        lambda: with_options(experimental_deterministic=3),
        lambda: with_options(some=3),
        lambda: numbers().with_options(3),
        lambda: with_options(experimental_slack=True) == with_options(experimental_slack=True),
        lambda: with_options(experimental_slack=True) == 3,
        lambda: with_options(experimental_slack=True).merge(with_options(experimental_slack=False)),
        lambda: with_options(experimental_slack=True).merge(tf.data.Options()).experimental_slack,
    )
    add(
        "csv",
        csv,
        lambda: csv(header=False),
        lambda: csv(select_cols=[0, 2], record_defaults=[[0], [0]]),
        lambda: csv(select_cols=[2, 0], record_defaults=[[0], [0]]),
        lambda: csv(select_cols=[-1, 0], record_defaults=[[0], [0]]),
        lambda: csv(select_cols=[0], record_defaults=[[0], [0]]),
        lambda: csv(select_cols=[0, 7], record_defaults=[[0], [0]]),
        lambda: csv(record_defaults=[[0]]),
        lambda: csv(record_defaults=[[0]] * 4),
        lambda: csv(record_defaults=[[[0]]] * 3),
        lambda: csv(record_defaults=[[0, 1]] * 3),
        lambda: csv(field_delim="ab"),
        lambda: csv(buffer_size=0),
        lambda: csv(buffer_size=3),
        lambda: csv(compression_type="SOME"),
        lambda: csv(compression_type="GZIP"),
        lambda: csv(record_defaults=[tf.int32] * 3),
        lambda: csv(record_defaults=[tf.bool] * 3),
        lambda: csv_of('1,"a""b"\n2,\n'),
        lambda: csv_of('1,"a"b\n'),
        lambda: csv_of('1,a"b\n'),
        lambda: csv_of('1,"a\n'),
        lambda: csv_of('1,a"b\n', use_quote_delim=False),
        lambda: csv_of("1,a\r\n2,b\r\n", buffer_size=4),
        lambda: csv_of("1,a\r2,b"),
        lambda: csv_of("1,"),
        lambda: csv_of("1"),
        lambda: csv_of("1,a,b\n"),
        lambda: csv_of("a,b\n"),
        lambda: csv_of(",b\n"),
        lambda: csv_of("", header=True),
        lambda: csv_of("NA,b\n", na_value="NA"),
        lambda: csv_of("1\tb\n", field_delim="\t"),
        lambda: drawn(E.make_csv_dataset("none.csv", 2)),
        lambda: drawn(E.make_csv_dataset("f.csv", 2, num_epochs=1, shuffle=False)),
        lambda: drawn(E.make_csv_dataset("f.csv", 2, num_epochs=1, label_name="d")),
        lambda: drawn(E.make_csv_dataset("f.csv", 2, num_epochs=1, column_names=["a", "a", "b"])),
        lambda: drawn(E.make_csv_dataset("f.csv", 2, num_epochs=1, select_columns=["d"])),
        lambda: drawn(E.make_csv_dataset("f.csv", 2, num_epochs=1, compression_type="SOME")),
        lambda: drawn(E.make_csv_dataset("f.csv", 2, num_epochs=1, header=False)),
    )
    return found
