"""Containers, CSV lines, ragged shapes, raw ops, logs of einsum that other scenes lack."""

import importlib

import numpy as np


def a_barrier_closed_before_its_last_key_is_whole(tf, stage):
    from_ops = tf.raw_ops
    handle = from_ops.Barrier(component_types=[tf.float32, tf.int32], shapes=[[], []])

    def insert(index, key, value):
        return from_ops.BarrierInsertMany(
            handle=handle, keys=[key], values=[value], component_index=index
        )

    def take(count, **options):
        kinds = [tf.float32, tf.int32]
        taken = from_ops.BarrierTakeMany(
            handle=handle, num_elements=count, component_types=kinds, **options
        )
        return taken.keys, taken.values

    with tf.Session() as session:
        run = lambda x: stage.attempt(session.run, x)  # noqa: E731
        run(insert(0, "a", 1.0)), run(insert(0, "b", 2.0)), run(insert(1, "a", 3))
        run(from_ops.BarrierClose(handle=handle)), run(insert(0, "c", 1.0))
        run(insert(1, "b", 4)), run(from_ops.BarrierIncompleteSize(handle=handle))
        run(take(3, allow_small_batch=True)), run(take(1)), run(insert(1, "b", 5))
        run(from_ops.BarrierClose(handle=handle, cancel_pending_enqueues=True))
        run(from_ops.BarrierClose(handle=handle, cancel_pending_enqueues=True))


def lines_and_features(tf, stage):
    csv = tf.decode_csv
    lines = ["1,NA,a", ",2,NA"]
    sparse = tf.SparseFeature
    example = tf.train.Example()
    for key, numbers in {"b": [0, 1], "a": [1, 2]}.items():
        example.features.feature[key].int64_list.value.extend(numbers)
    example.features.feature["v"].float_list.value.extend([5.0, 6.0])
    record = example.SerializeToString(deterministic=True)
    stage.each(
        {
            "missing": lambda: csv(lines, [[7], [8], ["none"]], na_value="NA", name="own"),
            "missing_needed": lambda: csv(
                lines, [tf.constant([], tf.int32), [8], [""]], na_value="NA"
            ),
            "some": lambda: csv(['1,2,"x"y,z'], [[0]], select_cols=[1]),
            "some_quoted": lambda: csv(['1,2,x"y"'], [[0]], select_cols=[0]),
            "some_negative": lambda: csv(["1,2"], [[0], [0]], select_cols=[-1, 0]),
            "delimiter_long": lambda: csv(["1;2"], [[0], [0]], ";;"),
            "two_defaults": lambda: csv(["1"], [tf.placeholder_with_default([1, 2], [None])]),
            "not_a_number": lambda: csv(["x"], [[1.5]]),
            "of_two_axes": lambda: tf.parse_single_example(
                record, {"s": sparse(["b", "a"], "v", tf.float32, [3, 4])}
            ),
            "of_none": lambda: tf.parse_example([record], {"s": sparse([], "v", tf.float32, 4)}),
            "conflict_of_places": lambda: tf.parse_example(
                [record], {"a": tf.VarLenFeature(tf.string), "s": sparse("a", "v", tf.float32, 4)}
            ),
            "sequence_missing": lambda: tf.parse_example(
                [record, b""], {"a": tf.FixedLenSequenceFeature([], tf.int64, True, 9)}
            ),
        },
        graph="sum",
    )


def shapes_of_ragged_tensors(tf, stage):
    from_sizes = _dynamic_shape(tf).from_dim_sizes
    Shape = _dynamic_shape(tf)
    lengths = tf.constant([2, 0, 1], tf.int64)
    short = tf.constant([2, 0, 1])

    stage.attempts(
        lambda: Shape([3, lengths, short], [2]),
        lambda: Shape([lengths], [2]),
        lambda: Shape([3, 2], [2]),
        lambda: Shape([3, tf.placeholder(tf.int64)], [2]),
        lambda: from_sizes([3, [[1]]]),
        lambda: from_sizes([3, lengths]).is_ragged(-1),
        lambda: from_sizes([3, lengths]).is_ragged(5),
        lambda: from_sizes([3, lengths]).is_ragged("a"),
        lambda: from_sizes([3, lengths]).dimension_size("a"),
        lambda: from_sizes([3, lengths]).with_dim_size_dtype(tf.float32),
        lambda: from_sizes([3, lengths]).broadcast_to_rank(1),
        lambda: [from_sizes([3, lengths, 4]).is_ragged(i) for i in range(3)],
        lambda: [from_sizes([3, lengths, 4]).rank, from_sizes([3, 4]).num_inner_dimensions],
        lambda: _module(tf).broadcast_dynamic_shape(1, from_sizes([3])),
    )
    stage.each(
        {
            "slices": lambda: from_sizes([3, [2, 0, 1], 4]).num_slices_in_dimension(2),
        },
        graph="sum",
    )


def _module(tf):
    package = "tensorflow.python" if tf.__name__ == "tensorflow" else "tfmini._src"
    return importlib.import_module(package + ".ops.ragged.ragged_tensor_shape")


def _dynamic_shape(tf):
    return _module(tf).RaggedTensorDynamicShape


def raw_ops_given_what_does_not_fit(tf, stage):
    raw, ph = tf.raw_ops, tf.placeholder_with_default
    image = np.zeros([1, 4, 4, 1], "f")
    boxes = np.array([[0, 0, 1, 1], [0, 2, 1, 3]], "f")[None, :, None]
    kinds = {"key_dtype": tf.int64, "value_dtype": tf.int64}

    def dense_table(buckets):
        handle = raw.MutableDenseHashTableV2(
            empty_key=tf.constant(0, tf.int64),
            deleted_key=tf.constant(-1, tf.int64),
            value_dtype=tf.int64,
            initial_num_buckets=buckets,
        )
        return raw.LookupTableSizeV2(table_handle=handle)

    def exported():
        keys, values = raw.LookupTableExportV2(
            table_handle=raw.HashTableV2(**kinds), Tkeys=tf.int64, Tvalues=tf.int64
        )
        return keys, values

    def gradient_of_slice():
        values = tf.constant([2.0, 3.0])
        sparse = tf.SparseTensor(ph([[0, 0], [1, 1]], [None, 2]), values, [2, 2])
        return tf.gradients(tf.sparse.slice(sparse, [0, 1], [2, 1]).values ** 2, values)

    rows = lambda: tf.ragged.constant([[1, 2], [], [3]])  # noqa: E731
    stage.each(
        {
            "noise": lambda: raw.ExtractGlimpse(
                input=image, size=[2, 2], offsets=[[0.0, 0.0]], noise=""
            ),
            "noise_of_bells": lambda: raw.ExtractGlimpse(
                input=image, size=[6, 2], offsets=[[0.0, 0.0]], uniform_noise=False, noise=""
            ),
            "suppressed": lambda: tf.image.combined_non_max_suppression(
                boxes, np.array([[[0.9], [0.2]]], "f"), 2, 2, score_threshold=np.float64(0.5)
            ),
            "no_power": lambda: dense_table(12),
            "exported": exported,
            "filled_with_nothing": lambda: tf.nest.flatten(
                raw.InitializeTableV2(
                    table_handle=raw.HashTableV2(**kinds),
                    keys=tf.constant([], tf.int64),
                    values=tf.constant([], tf.int64),
                )
            ),
            "names_of_records": lambda: tf.io.parse_sequence_example(
                [b"", b""], None, {"a": tf.VarLenFeature(tf.int64)}, ["one"]
            ),
            "gradient_of_slice": gradient_of_slice,
            "ids": lambda: tf.math.unsorted_segment_sum(rows(), [1.0, 0.0, 1.0], 2),
        },
        graph="sum",
    )
    handles = [
        raw.AddSparseToTensorsMap(
            sparse_indices=[[0]], sparse_values=[1.0], sparse_shape=[size], shared_name="m"
        )
        for size in (5, 3)
    ]
    numbers = tf.placeholder(tf.int64)
    taken = raw.TakeManySparseFromTensorsMap(
        sparse_handles=numbers, dtype=tf.float32, shared_name="m"
    )
    with tf.Session() as session:
        found = [session.run(handle) for handle in handles]
        for kind in (tf.IdentityReader, tf.WholeFileReader):
            handle = getattr(raw, kind.__name__ + "V2")(shared_name="reader")
            stage.attempt(session.run, raw.ReaderNumRecordsProducedV2(reader_handle=handle))
        stage.attempt(session.run, tuple(taken), {numbers: found})


def einsum_of_three(tf, stage):
    """Logs its fallback for an index summed over more than two inputs."""
    x = np.arange(6.0).reshape(2, 3)
    for of in ("ij,kj,lj->ikl", "ij,ij,ij->ij"):
        stage.say(tf.einsum(of, *[tf.constant(x)] * 3).shape)
