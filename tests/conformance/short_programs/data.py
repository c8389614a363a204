"""Datasets: what they are refused, and what their options change."""

from tests.conformance.short_programs import FILE


def programs(tf):
    D = tf.data.Dataset
    more = tf.data.experimental

    def sparse():
        return tf.SparseTensor([[0, 0]], [1.0], [2, 2])

    def r(count=4):
        return D.range(count)

    def two():
        a, b = tf.data.Options(), tf.data.Options()
        a.experimental_deterministic, b.experimental_deterministic = True, False
        return r().with_options(a).with_options(b).options()

    def elements(dataset, count=3):
        following = tf.compat.v1.data.make_one_shot_iterator(dataset).get_next()
        with tf.Session() as session:
            found = []
            for _ in range(count):
                try:
                    found.append(session.run(following))
                except tf.errors.OutOfRangeError:
                    break
        return found

    def lines(**options):
        return elements(more.make_csv_dataset(FILE, 2, num_epochs=1, shuffle=False, **options))

    return {
        "padded_variant": lambda: D.from_tensors(
            tf.raw_ops.EmptyTensorList(
                element_shape=[1], max_num_elements=1, element_dtype=tf.int32
            )
        ).padded_batch(2, []),
        "padding_of_rank_1": lambda: r().padded_batch(
            2, [], padding_values=tf.constant([1], tf.int64)
        ),
        "padding_of_another_dtype": lambda: r().padded_batch(
            2, [], padding_values=tf.constant(1.5)
        ),
        "padded_sparse": lambda: D.from_tensors(sparse()).padded_batch(2, [None]),
        "padded_shape_of_rank_2": lambda: D.from_tensors([1]).padded_batch(
            2, tf.constant([[1]], tf.int64)
        ),
        "padded_shape_of_floats": lambda: D.from_tensors([1]).padded_batch(2, tf.constant([1.0])),
        "apply_gives_none": lambda: r().apply(lambda d: 3),
        "csv_no_files": lambda: more.make_csv_dataset("/nowhere/*.csv", 2),
        "csv_names_twice": lambda: more.make_csv_dataset(FILE, 2, column_names=["a", "a", "b"]),
        "csv_defaults_for_others": lambda: more.make_csv_dataset(
            FILE, 2, column_defaults=[0, 0], select_columns=["a"]
        ),
        "csv_no_label": lambda: more.make_csv_dataset(FILE, 2, label_name="z"),
        "csv_columns_twice": lambda: more.make_csv_dataset(FILE, 2, select_columns=["a", 0]),
        "csv_zlib": lambda: more.make_csv_dataset(FILE, 2, compression_type="ZLIB"),
        "csv_compression": lambda: more.make_csv_dataset(FILE, 2, compression_type="ZIP"),
        "csv_no_header": lambda: more.make_csv_dataset(FILE, 2, header=False),
        "map_and_batch_twice": lambda: r().apply(
            more.map_and_batch(lambda x: x, 2, num_parallel_batches=2, num_parallel_calls=2)
        ),
        "sparse_slices_of_dense": lambda: tf.compat.v1.data.Dataset.from_sparse_tensor_slices(
            tf.constant([1])
        ),
        "range_of_none": lambda: D.range(),
        "range_of_four": lambda: D.range(1, 2, 3, 4),
        "zip_of_a_list": lambda: D.zip([r(), r()]),
        "zip_of_tensors": lambda: D.zip(tf.constant(1)),
        "structure_of_types_only": lambda: tf.compat.v1.data.Iterator.from_structure(
            tf.int64
        ).make_initializer(D.from_tensors("a")),
        "structure_of_shapes": lambda: tf.compat.v1.data.Iterator.from_structure(
            tf.int64, []
        ).make_initializer(D.from_tensors(tf.constant([1], tf.int64))),
        "filter_to_a_number": lambda: r().filter(lambda x: x),
        "enumerate_none": lambda: D.from_generator(3, tf.int64),
        "generator_without_types": lambda: D.from_generator(lambda: [1], None),
        "scan_to_one": lambda: r().apply(more.scan(tf.constant(0, tf.int64), lambda s, x: s)),
        "take_while_of_a_number": lambda: r().apply(more.take_while(lambda x: x)),
        "unique_of_floats": lambda: D.from_tensors(1.0).apply(more.unique()),
        "lines_of_numbers": lambda: tf.data.TextLineDataset(r()),
        "records_of_vectors": lambda: tf.data.TFRecordDataset(D.from_tensors(["a"])),
        "option_that_is_not_there": lambda: setattr(tf.data.Options(), "experimental_nothing", 1),
        "option_of_another_type": lambda: setattr(
            tf.data.Options(), "experimental_deterministic", 3
        ),
        "options_that_differ": two,
        "group_reduce_to_tensor": lambda: r().apply(
            more.group_by_window(lambda x: x, lambda k, d: k, window_size=2)
        ),
        "group_two_sizes": lambda: more.group_by_window(
            lambda x: x, lambda k, d: d, window_size=2, window_size_func=lambda k: 2
        ),
        "group_no_size": lambda: more.group_by_window(lambda x: x, lambda k, d: d),
        "bucket_sizes": lambda: more.bucket_by_sequence_length(lambda x: x, [1, 2], [1, 2]),
        "choice_of_floats": lambda: more.choose_from_datasets([r(), r()], D.from_tensors(1.0)),
        "choice_of_two_types": lambda: more.choose_from_datasets([r(), D.from_tensors(1.0)], r()),
        "sample_weights_too_many": lambda: more.sample_from_datasets([r(), r()], [0.1, 0.2, 0.7]),
        "sample_weights_of_integers": lambda: more.sample_from_datasets(
            [r(), r()], tf.constant([1, 2])
        ),
        "single_element_of_none": lambda: more.get_single_element(3),
        "examples_of_numbers": lambda: r().apply(
            more.parse_example_dataset({"a": tf.io.FixedLenFeature([], tf.int64)})
        ),
        "examples_of_nothing": lambda: D.from_tensors(["a"]).apply(
            more.parse_example_dataset(None)
        ),
        "writer_of_numbers": lambda: more.TFRecordWriter(FILE + ".out").write(r()),
        "batched_features_reader": lambda: more.make_batched_features_dataset(
            FILE, 2, {"a": tf.io.FixedLenFeature([], tf.int64)}, reader=tf.compat.v1.TFRecordReader
        ),
        "batched_features_label": lambda: more.make_batched_features_dataset(
            FILE, 2, {"a": tf.io.FixedLenFeature([], tf.int64)}, label_key="z"
        ),
        "optional": lambda: [more.Optional.from_value(v).has_value() for v in (3, {"a": 1})],
        "optional_of_nothing": lambda: more.Optional.from_value(()),
        "optional_of_none": lambda: more.Optional.none_from_structure(
            tf.TensorSpec([], tf.int32)
        ).has_value(),
        "csv": lambda: lines(),
        "csv_label": lambda: lines(label_name="b"),
        "csv_chosen": lambda: lines(select_columns=["c", "a"], column_defaults=[0.0, "x"]),
        "csv_named": lambda: lines(column_names=["x", "y", "z"], header=True),
        "csv_no_header_named": lambda: lines(column_names=["x", "y", "z"], header=False),
        "csv_delimiter": lambda: lines(field_delim=";", column_names=["x"], column_defaults=["n"]),
        "csv_na": lambda: lines(na_value="5"),
        "csv_rows_for_types": lambda: lines(num_rows_for_inference=1),
        "csv_defaults": lambda: lines(column_defaults=[1.5, tf.int64, "s"]),
        "csv_sloppy": lambda: lines(sloppy=True, num_parallel_reads=1, prefetch_buffer_size=2),
        "csv_plain": lambda: elements(more.CsvDataset(FILE, [tf.int32] * 3, header=True)),
        "csv_plain_chosen": lambda: elements(
            more.CsvDataset(FILE, [tf.int32, tf.int32], header=True, select_cols=[0, 2])
        ),
        "csv_plain_quoted": lambda: elements(
            more.CsvDataset(FILE, [""], field_delim=";", use_quote_delim=False, buffer_size=8)
        ),
        "csv_plain_na": lambda: elements(
            more.CsvDataset(FILE, [[7], [8], [9]], header=True, na_value="5")
        ),
        "text_lines": lambda: elements(tf.data.TextLineDataset(FILE, buffer_size=4)),
        "fixed_records": lambda: elements(
            tf.data.FixedLengthRecordDataset(FILE, 4, header_bytes=2, footer_bytes=4, buffer_size=8)
        ),
        "window": lambda: elements(
            r(7).window(3, shift=2, stride=2, drop_remainder=False).flat_map(lambda w: w.batch(3)),
            5,
        ),
        "window_dropped": lambda: elements(
            r(7).window(3, 1, 2, drop_remainder=True).flat_map(lambda w: w.batch(3)), 5
        ),
        "batch_dropped": lambda: elements(r(5).batch(2, drop_remainder=True)),
        "batch_rest": lambda: elements(r(5).batch(2)),
        "padded_rest": lambda: elements(
            r(5).map(lambda x: tf.fill([x], x)).padded_batch(2, [5], tf.constant(-1, tf.int64))
        ),
        "padded_dropped": lambda: elements(
            r(5).map(lambda x: tf.fill([x], x)).padded_batch(2, [None], drop_remainder=True)
        ),
        "interleaved": lambda: elements(
            r(4).interleave(lambda x: D.from_tensors(x).repeat(3), 2, block_length=2), 12
        ),
        "interleaved_in_parallel": lambda: elements(
            r(4).interleave(lambda x: D.from_tensors(x).repeat(3), 2, 1, num_parallel_calls=2), 12
        ),
        "parallel_interleave": lambda: elements(
            r(4).apply(
                more.parallel_interleave(
                    lambda x: D.from_tensors(x).repeat(2), 2, block_length=2, sloppy=False
                )
            ),
            12,
        ),
        "shards": lambda: [elements(r(7).shard(3, n)) for n in range(3)],
        "shard_index": lambda: elements(r().shard(2, 2)),
        "shard_count": lambda: elements(r().shard(0, 0)),
        "skip_all": lambda: elements(r().skip(-1)),
        "skip": lambda: elements(r().skip(2)),
        "take_all": lambda: elements(r(2).take(-1)),
        "take_none": lambda: elements(r().take(0)),
        "repeat_none": lambda: elements(r().repeat(0)),
        "repeat": lambda: elements(r(2).repeat(2), 9),
        "enumerated": lambda: elements(r(2).enumerate(start=5)),
        "reduced": lambda: r(4).reduce(tf.constant(3, tf.int64), lambda s, x: s * 2 + x),
        "shuffled": lambda: elements(
            r(6).shuffle(3, seed=4, reshuffle_each_iteration=False).repeat(2), 12
        ),
        "shuffled_anew": lambda: elements(r(4).shuffle(4, seed=4).repeat(2), 8),
        "shuffled_and_repeated": lambda: elements(
            r(4).apply(more.shuffle_and_repeat(3, 2, seed=7)), 9
        ),
        "shuffle_of_none": lambda: elements(r().shuffle(0)),
        "prefetched": lambda: elements(r(2).prefetch(0)),
        "cached": lambda: elements(r(2).cache().repeat(2), 9),
        "unbatched": lambda: elements(r(4).batch(3).unbatch(), 9),
        "scanned": lambda: elements(
            r(4).apply(more.scan(tf.constant(1, tf.int64), lambda s, x: (s + x, s * x)))
        ),
        "counted": lambda: elements(more.Counter(start=3, step=-2)),
        "range_down": lambda: elements(D.range(5, 0, -2), 9),
        "chosen": lambda: elements(
            more.choose_from_datasets([r(), r().map(lambda x: -x)], D.range(2).repeat(2)), 9
        ),
        "sampled": lambda: elements(
            more.sample_from_datasets([r(), r().map(lambda x: -x)], [0.3, 0.7], seed=5), 8
        ),
        "grouped": lambda: elements(
            r(7).apply(
                more.group_by_window(lambda x: x % 2, lambda k, w: w.batch(3), window_size=2)
            ),
            9,
        ),
        "grouped_by_size": lambda: elements(
            r(7).apply(
                more.group_by_window(
                    lambda x: x % 2, lambda k, w: w.batch(9), window_size_func=lambda k: k + 1
                )
            ),
            9,
        ),
        "bucketed": lambda: elements(
            D.from_generator(lambda: [[1] * n for n in (1, 4, 2, 3, 5, 1)], tf.int32, [None]).apply(
                more.bucket_by_sequence_length(
                    lambda x: tf.size(x), [3, 5], [2, 2, 2], padding_values=-1
                )
            ),
            9,
        ),
        "bucketed_to_boundaries": lambda: elements(
            D.from_generator(lambda: [[1] * n for n in (1, 4, 2, 3, 2, 1)], tf.int32, [None]).apply(
                more.bucket_by_sequence_length(
                    lambda x: tf.size(x), [3, 6], [2, 2, 2], pad_to_bucket_boundary=True
                )
            ),
            9,
        ),
        "reduced_by_key": lambda: elements(
            r(7).apply(
                more.group_by_reducer(
                    lambda x: x % 2,
                    more.Reducer(lambda k: k * 10, lambda s, x: s + x, lambda s: -s),
                )
            )
        ),
        "cardinalities": lambda: [
            more.cardinality(d)
            for d in (r(), r().repeat(), r().filter(lambda x: x > 1), r().batch(3), r(5).skip(2))
        ],
        "single": lambda: more.get_single_element(r(5).skip(2).take(1)),
        "single_of_two": lambda: more.get_single_element(r(2)),
        "single_of_none": lambda: more.get_single_element(r(0)),
        "errors_ignored": lambda: elements(
            D.from_tensor_slices([1.0, 0.0, 2.0])
            .map(lambda x: tf.check_numerics(1.0 / x, "bad"))
            .apply(more.ignore_errors())
        ),
        "examples": lambda: elements(
            D.from_tensors([b""]).apply(
                more.parse_example_dataset(
                    {
                        "a": tf.io.FixedLenFeature([2], tf.int64, [3, 4]),
                        "b": tf.io.VarLenFeature(tf.string),
                    }
                )
            )
        ),
        "named_types": lambda: [
            str(each)
            for each in (
                tf.compat.v1.data.get_output_types(D.from_tensors({"a": 1, "b": (2.0, "c")})),
                tf.compat.v1.data.get_output_shapes(D.from_tensors({"a": [1], "b": (2.0, "c")})),
            )
        ],
        "map_and_batch": lambda: elements(
            r(5).apply(more.map_and_batch(lambda x: x * 2, 2, drop_remainder=True)), 9
        ),
        "dense_to_sparse": lambda: elements(
            r(3).map(lambda x: tf.fill([x], x)).apply(more.dense_to_sparse_batch(3, [4]))
        ),
        "unique": lambda: elements(D.from_tensor_slices([1, 2, 1, 3, 2]).apply(more.unique()), 9),
        "taken_while": lambda: elements(r(5).apply(more.take_while(lambda x: x < 2)), 9),
        "rejected": lambda: elements(
            r(9)
            .map(lambda x: x % 2)
            .apply(more.rejection_resample(lambda c: c, [0.5, 0.5], [0.5, 0.5], seed=3)),
            4,
        ),
    }
