"""tf.contrib.data and tf.contrib.distribute: original names of transformations, each option; shapes, errors."""

import os

import numpy as np

from tests.conformance.scenes import unknown


def _told(tf, stage, cases):
    """Records each dataset's types, shapes, elements and final error."""
    for name, make in cases.items():
        with tf.Graph().as_default(), tf.Session() as session:
            stage.say(name)
            with stage.failing():
                dataset = make()
                of = tf.compat.v1.data
                stage.say(
                    of.get_output_types(dataset),
                    of.get_output_shapes(dataset),
                    [c.__name__ for c in tf.nest.flatten(of.get_output_classes(dataset))],
                )
                following = of.make_initializable_iterator(dataset)
                session.run(following.initializer)
                element = following.get_next()
                for _ in range(12):
                    stage.say(session.run(element))


def shaped(tf, stage):
    of, Dataset = tf.contrib.data, tf.data.Dataset
    ragged = lambda: Dataset.range(1, 6).map(lambda n: tf.fill([n], n))  # noqa: E731
    pairs = lambda: Dataset.zip((Dataset.range(5), {"b": Dataset.range(5).batch(1)}))  # noqa: E731
    sparse = lambda: Dataset.from_tensors(  # noqa: E731
        tf.SparseTensor([[0, 1], [1, 0]], [5, 6], [2, 2])
    )
    any_ = lambda *shape: Dataset.range(1, 4).map(  # noqa: E731
        lambda n: tf.placeholder_with_default(tf.fill([n, 2], n), shape[0] if shape else None)
    )
    slide = of.sliding_window_batch
    _told(
        tf,
        stage,
        {
            "whole": lambda: Dataset.range(7).apply(of.batch_and_drop_remainder(3)),
            "whole of any size": lambda: Dataset.range(5).apply(
                of.batch_and_drop_remainder(unknown(tf)(np.int64(2)))
            ),
            "larger than all": lambda: pairs().apply(of.batch_and_drop_remainder(6)),
            "padded": lambda: ragged().apply(of.padded_batch_and_drop_remainder(2, [4])),
            "padded with": lambda: ragged().apply(
                of.padded_batch_and_drop_remainder(2, [None], np.int64(-1))
            ),
            "padded too small": lambda: ragged().apply(
                of.padded_batch_and_drop_remainder(2, padded_shapes=[1])
            ),
            "sliding": lambda: Dataset.range(7).apply(slide(3)),
            "sliding by three": lambda: Dataset.range(7).apply(slide(2, 3)),
            "sliding, shift": lambda: pairs().apply(slide(2, window_shift=2)),
            "sliding, stride": lambda: Dataset.range(7).apply(slide(3, None, 1, 2)),
            "sliding, both": lambda: Dataset.range(7).apply(slide(2, window_shift=3, stride=2)),
            "sliding, too large": lambda: Dataset.range(3).apply(slide(4)),
            "sliding sparse": lambda: sparse().repeat(3).apply(slide(2)),
            "sliding any size": lambda: any_([None, 2]).apply(slide(1)),
            "sliding other sizes": lambda: any_([None, 2]).apply(slide(2)),
            "sliding by nothing": lambda: Dataset.range(3).apply(slide(0)),
            "sliding from 0": lambda: Dataset.range(3).apply(slide(1, window_shift=0)),
            "sliding stride 0": lambda: Dataset.range(3).apply(slide(1, window_stride=0)),
            "asserted": lambda: any_().apply(of.assert_element_shape(tf.TensorShape([None, 2]))),
            "asserted too much": lambda: any_().apply(
                of.assert_element_shape(tf.TensorShape([1, 2]))
            ),
            "asserted other rank": lambda: any_().apply(
                of.assert_element_shape(tf.TensorShape([3]))
            ),
            "asserted otherwise": lambda: Dataset.range(3).apply(
                of.assert_element_shape(tf.TensorShape([1]))
            ),
            "asserted nothing": lambda: any_([None, 2]).apply(
                of.assert_element_shape(tf.TensorShape(None))
            ),
            "asserted a dict": lambda: pairs().apply(
                of.assert_element_shape((tf.TensorShape([]), {"b": tf.TensorShape([1])}))
            ),
            "asserted another structure": lambda: pairs().apply(
                of.assert_element_shape((tf.TensorShape([]), tf.TensorShape([1])))
            ),
        },
    )


def first_names(tf, stage):
    of, Dataset = tf.contrib.data, tf.data.Dataset
    some = lambda: Dataset.range(6)  # noqa: E731
    total = lambda: of.Reducer(  # noqa: E731
        lambda key: (key * 100, np.int64(0)),
        lambda state, x: (state[0] + x, state[1] + 1),
        lambda total, count: total - count,
    )
    _told(
        tf,
        stage,
        {
            "counter": lambda: of.Counter().take(2),
            "counter of int32": lambda: of.Counter(5, -2, tf.int32).take(3),
            "chosen": lambda: of.choose_from_datasets(
                [some(), some().map(lambda x: -x)],
                Dataset.from_tensor_slices([1, 1, 0]).map(tf.to_int64),
            ),
            "sparse": lambda: some().apply(of.dense_to_sparse_batch(4, [3])),
            "sparse of vectors": lambda: Dataset.from_tensors([7, 8]).apply(
                of.dense_to_sparse_batch(batch_size=1, row_shape=[None])
            ),
            "numbered": lambda: some().take(2).apply(of.enumerate_dataset(start=9)),
            "grouped": lambda: some().apply(of.group_by_reducer(lambda x: x % 2, total())),
            "windows": lambda: some().apply(
                of.group_by_window(
                    key_func=lambda x: x % 2,
                    reduce_func=lambda key, window: window.map(lambda x: x + key * 10).batch(2),
                    window_size_func=lambda key: key + 1,
                )
            ),
            "windows of one": lambda: some().apply(
                of.group_by_window(lambda x: x % 2, lambda k, d: d.batch(9), window_size=2)
            ),
            "windows of both": lambda: some().apply(
                of.group_by_window(
                    lambda x: x, lambda k, d: d, window_size=2, window_size_func=lambda k: k
                )
            ),
            "errors left": lambda: (
                some()
                .map(lambda x: tf.check_numerics(1.0 / tf.to_float(x - 2), "none"))
                .apply(of.ignore_errors())
            ),
            "mapped": lambda: some().apply(
                of.map_and_batch(lambda x: x * 2, 4, num_parallel_batches=2, drop_remainder=True)
            ),
            "mapped side by side": lambda: some().apply(
                of.map_and_batch(lambda x: x * 2, 4, num_parallel_calls=2)
            ),
            "mapped both ways": lambda: some().apply(of.map_and_batch(lambda x: x, 4, 2, False, 2)),
            "read in turn": lambda: some().apply(
                of.parallel_interleave(
                    lambda x: Dataset.from_tensors(x).repeat(2), 2, 2, False, 1, 1
                )
            ),
            "read loosely": lambda: Dataset.range(2, 4).apply(
                of.sloppy_interleave(lambda x: Dataset.range(x), cycle_length=1, block_length=2)
            ),
            "resampled": lambda: some().apply(
                of.rejection_resample(lambda x: tf.to_int32(x % 2), [1.0, 0.0], [0.5, 0.5], seed=3)
            ),
            "drawn": lambda: of.sample_from_datasets([some(), some().skip(3)], seed=4).take(5),
            "scanned": lambda: some().apply(of.scan(np.int64(1), lambda s, x: (s + x, (s, x)))),
            "shuffled": lambda: some().apply(of.shuffle_and_repeat(3, count=2, seed=6)),
            "one by one": lambda: some().batch(4).apply(of.unbatch()),
            "once": lambda: some().map(lambda x: x // 2).apply(of.unique()),
            "buckets": lambda: (
                Dataset.range(1, 6)
                .map(lambda n: tf.fill([n], n))
                .apply(
                    of.bucket_by_sequence_length(
                        lambda x: tf.size(x),
                        [3],
                        [2, 2],
                        padding_values=np.int64(9),
                        pad_to_bucket_boundary=False,
                    )
                )
            ),
            "buckets to the boundary": lambda: (
                Dataset.range(1, 3)
                .map(lambda n: tf.fill([n], n))
                .apply(
                    of.bucket_by_sequence_length(
                        tf.size, [4], [3, 3], [None], None, pad_to_bucket_boundary=True
                    )
                )
            ),
            "buckets without padding": lambda: some().apply(
                of.bucket_by_sequence_length(lambda x: tf.to_int32(x), [3], [2, 1], no_padding=True)
            ),
            "buckets, other option": lambda: some().apply(
                of.bucket_by_sequence_length(tf.size, [3], [2, 1], drop_remainder=True)
            ),
            "random": lambda: of.RandomDataset(seed=3).take(2),
        },
    )
    with tf.Session() as session:
        for make in (
            lambda: of.get_single_element(Dataset.range(3).batch(3)),
            lambda: of.get_single_element(Dataset.range(3)),
            lambda: of.get_single_element(Dataset.range(0)),
            lambda: of.get_single_element(3),
            lambda: of.reduce_dataset(Dataset.range(4), total()),
            lambda: of.reduce_dataset(3, total()),
        ):
            with stage.failing():
                stage.say(session.run(make()))
        saveable = of.make_saveable_from_iterator(
            tf.compat.v1.data.make_initializable_iterator(some())
        )
        stage.say([spec.name for spec in saveable.specs])
    reducer = total()
    stage.say(reducer.init_func(3), reducer.reduce_func((1, 2), 5), reducer.finalize_func(9, 2))
    stage.say(of.CheckpointInputPipelineHook.__mro__[1].__name__, of.Reducer.__mro__[1].__name__)


def files_read(tf, stage):
    of = tf.contrib.data
    records, table = stage.folder + "/a.rec", stage.folder + "/a.csv"
    with tf.python_io.TFRecordWriter(records) as writer:
        for number in range(5):
            example = tf.train.Example()
            example.features.feature["n"].int64_list.value.append(number)
            example.features.feature["t"].bytes_list.value.extend([b"x"] * number)
            writer.write(example.SerializeToString())
    with open(table, "w") as file:
        file.write("a,b,c\n1,2.5,x\n2,,y\n3,4.5,\n4,1.0,z\n")
    features = {"n": tf.FixedLenFeature([], tf.int64), "t": tf.VarLenFeature(tf.string)}
    plain = {"randomize_input": False, "num_epochs": 1}
    for options in (
        plain,
        {**plain, "reader": tf.data.TFRecordDataset, "reader_args": [None, 100], "capacity": 2},
        {"randomize_input": True, "num_epochs": 2, "capacity": 1},
    ):
        with tf.Graph().as_default(), tf.Session() as session, stage.failing():
            batch = of.read_batch_features(records, 2, features, **options)
            stage.say(sorted(batch), batch["n"].shape, batch["t"].dense_shape.shape)
            for _ in range(6):
                found = session.run(batch)
                stage.say(found["n"], found["t"].values, found["t"].dense_shape)
    batched = of.make_batched_features_dataset
    made = of.make_csv_dataset
    _told(
        tf,
        stage,
        {
            "features": lambda: batched(
                records, 3, features, num_epochs=1, shuffle=False, drop_final_batch=True
            ).map(lambda x: x["n"]),
            "labels": lambda: batched(
                records,
                2,
                features,
                label_key="n",
                num_epochs=1,
                shuffle=False,
                sloppy_ordering=True,
            ).map(lambda x, y: (tf.sparse.to_dense(x["t"], ""), y)),
            "shuffled": lambda: batched(
                records, 2, features, num_epochs=1, shuffle_buffer_size=3, shuffle_seed=2
            ).map(lambda x: x["n"]),
            "no label": lambda: batched(records, 2, features, label_key="other", num_epochs=1),
            "table": lambda: made(table, 3, num_epochs=1, shuffle=False).map(
                lambda x: [x["a"], x["b"], x["c"]]
            ),
            "table of some": lambda: made(
                [table],
                2,
                column_names=["x", "y", "z"],
                column_defaults=[7, 0.5],
                label_name="x",
                select_columns=[0, 1],
                header=True,
                num_epochs=1,
                shuffle=False,
                num_rows_for_inference=1,
            ),
            "errors in a table": lambda: made(table, 2, ignore_errors=True),
            "examples": lambda: (
                tf.data.TFRecordDataset(records)
                .batch(2)
                .apply(of.parse_example_dataset(features, num_parallel_calls=2))
                .map(lambda x: x["n"])
            ),
            "rows": lambda: of.CsvDataset(
                [table], [tf.int32, [0.25]], header=True, select_cols=[0, 1], buffer_size=9
            ),
            "rows of text": lambda: of.CsvDataset(table, ["", "", "-"], na_value="x"),
            "columns missing": lambda: of.CsvDataset(table, [1, 2.0], header=True),
        },
    )
    with tf.Graph().as_default():
        made = of.LMDBDataset(["a", "b"])
        stage.say(tf.compat.v1.data.get_output_shapes(made), made)
        stage.attempt(of.LMDBDataset, 3)
        stage.attempt(of.SqlDataset, "mysql", "a", "b", (tf.int32,))
        stage.brief_graph()


def strategies(tf, stage):
    of = tf.contrib.distribute
    stage.attempts(
        lambda: of.MirroredStrategy(["/cpu:0"], num_gpus=1),
        lambda: of.MirroredStrategy(["/cpu:0"], num_gpus_per_worker=1),
        lambda: of.MirroredStrategy(num_gpus=0, num_gpus_per_worker=0),
        lambda: of.MirroredStrategy(cross_device_ops=3, cross_tower_ops=4),
        lambda: of.MirroredStrategy(["/cpu:0"]).num_replicas_in_sync,
        lambda: of.MirroredStrategy(num_gpus_per_worker=0).extended.worker_devices,
        lambda: of.OneDeviceStrategy("/cpu:0").extended.worker_devices,
        lambda: of.ParameterServerStrategy().extended.worker_devices,
        lambda: of.ParameterServerStrategy().extended.parameter_devices,
        lambda: of.get_cross_replica_context(),
        lambda: of.has_distribution_strategy(),
        lambda: of.get_loss_reduction(),
    )
    for config in (
        None,
        "{}",
        '{"cluster": {"worker": ["a:1"]}}',
        '{"cluster": {"worker": ["a:1"]}, "task": {"index": 0}}',
        '{"cluster": {"ps": ["a:1"]}, "task": {"type": "ps", "index": 0}}',
    ):
        before = os.environ.pop("TF_CONFIG", None)
        try:
            if config is not None:
                os.environ["TF_CONFIG"] = config
            stage.attempt(of.run_standard_tensorflow_server)
        finally:
            os.environ.pop("TF_CONFIG", None)
            if before is not None:
                os.environ["TF_CONFIG"] = before
    for strategy in (
        of.MirroredStrategy(["/cpu:0"]),
        of.OneDeviceStrategy("/cpu:0"),
        of.ParameterServerStrategy(),
    ):
        with strategy.scope():
            stage.say(of.get_cross_replica_context() is strategy, of.in_cross_replica_context())
            stage.say(of.get_distribution_strategy() is strategy, of.has_distribution_strategy())

            def inside():
                context = of.get_replica_context()
                stage.say(of.get_cross_replica_context(), context.num_replicas_in_sync)
                return tf.constant(2.0)

            with tf.Session() as session:
                made = strategy.experimental_run_v2(inside)
                stage.say(session.run(strategy.experimental_local_results(made)))
                iterator = strategy.make_dataset_iterator(tf.data.Dataset.range(5).batch(2))
                session.run(iterator.initialize())
                following = strategy.unwrap(iterator.get_next())
                stage.say(session.run(list(following)), session.run(list(following)))
    with of.UpdateContext("/cpu:0") as context:
        stage.say(context)
        stage.say(of.get_cross_replica_context())
