"""Graphs of file datasets and of options, with each option's additional nodes."""

import importlib

import numpy as np

from tests.conformance.scenes.data_graphs import _fed, _graphs


def graphs_of_files(tf, stage):
    D, fed, e = tf.data.Dataset, _fed(tf), tf.data.experimental
    i8 = lambda v: tf.constant(v, tf.int64)  # noqa: E731
    cases = {
        "csv": lambda: e.CsvDataset(
            "none", [tf.int32, [1.5], tf.constant(["a"])], "", 9, True, ";", False, "NA", [0, 2, 3]
        ),
        "csv_plain": lambda: e.CsvDataset(["none", "b"], [tf.float64, tf.string, [1]]),
        "csv_fed": lambda: e.CsvDataset(
            fed("none"), [np.array([], np.int64)], fed("GZIP"), i8(9), tf.constant(True), fed("\t")
        ),
        "sparse_slices": lambda: D.from_sparse_tensor_slices(
            tf.SparseTensor([[0, 1, 2], [2, 0, 0]], ["a", "b"], [3, 2, 3])
        ),
        "lines_fed": lambda: tf.data.TextLineDataset(D.from_tensors("none"), fed("ZLIB"), i8(9)),
        "records": lambda: tf.data.TFRecordDataset("none", tf.constant("GZIP"), i8(9), 3),
        "records_tuned": lambda: tf.data.TFRecordDataset(["none"], num_parallel_reads=-1),
        "fixed_plain": lambda: tf.data.FixedLengthRecordDataset(["none"], i8(4)),
        "listed": lambda: D.list_files(fed(["none"]), seed=3),
    }
    _graphs(tf, stage, cases, times=0)


def options_in_graphs(tf, stage):
    D, e = tf.data.Dataset, tf.data.experimental
    its = tf.__name__ == "tensorflow"
    base = "tensorflow.python.data.experimental.ops." if its else "tfmini._src.data.experimental."
    module = importlib.import_module(base + ("optimization" if its else "rewrite_testing"))

    def with_options(*settings, more=()):
        def make():
            data = D.range(5).map(lambda x: x + 1)
            for group in (settings, more):
                options = tf.data.Options()
                for path, value in group:
                    *outer, name = path.split(".")
                    at = options
                    for part in outer:
                        at = getattr(at, "experimental_" + part if at is options else part)
                    setattr(at, "experimental_" + name if at is options else name, value)
                data = data.with_options(options)
            return data.batch(2)

        return make

    o = "optimization."
    cases = {
        "none": with_options(),
        "no_defaults": with_options((o + "apply_default_optimizations", False)),
        "not_tuned": with_options((o + "autotune", False)),
        "buffers_tuned": with_options((o + "autotune_buffers", True)),
        "buffers_not_tuned": with_options((o + "autotune_buffers", True), (o + "autotune", False)),
        "budget": with_options((o + "autotune_cpu_budget", 3)),
        "algorithm": with_options((o + "autotune_algorithm", 1)),
        "threads": with_options(("threading.private_threadpool_size", 3)),
        "threads_of_ops": with_options(("threading.max_intra_op_parallelism", 2)),
        "threads_of_ops_negative": with_options(("threading.max_intra_op_parallelism", -1)),
        "threads_of_ops_none": with_options(("threading.max_intra_op_parallelism", 0)),
        "threads_none": with_options(("threading.private_threadpool_size", 0)),
        "both": with_options(
            ("threading.max_intra_op_parallelism", 2), ("threading.private_threadpool_size", 3)
        ),
        "any_order": with_options(("deterministic", False)),
        "in_order": with_options(("deterministic", True)),
        "vectorized": with_options((o + "map_vectorization.enabled", True)),
        "vectorized_or_not": with_options(
            (o + "map_vectorization.enabled", True),
            (o + "map_vectorization.use_choose_fastest", True),
        ),
        "without_state": with_options(("distribute._make_stateless", True)),
        "merged": with_options(
            (o + "map_fusion", True), more=[(o + "filter_fusion", True), ("deterministic", True)]
        ),
        "timed": with_options(("stats.latency_all_edges", True)),
        **{
            name: with_options((o + name, True))
            for name in (
                "hoist_random_uniform",
                "map_and_filter_fusion",
                "map_parallelization",
                "parallel_batch",
            )
        },
        **{
            "not_" + name: with_options((o + name, False))
            for name in ("map_and_batch_fusion", "noop_elimination", "shuffle_and_repeat_fusion")
        },
    }
    _graphs(tf, stage, cases)
    more = {
        "expected": lambda: D.range(3).apply(module.assert_next(["Map"])),
        "expected_nothing": lambda: D.range(3).apply(module.assert_next(None)),
        "not_serializable": lambda: D.range(3).apply(module.non_serializable()),
        "optimized": lambda: D.range(3).apply(e.copy_to_device("/cpu:0")).take(2),
    }
    _graphs(tf, stage, more)
