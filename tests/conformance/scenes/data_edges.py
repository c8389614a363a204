"""Datasets: CSV and record readers with options, nesting, Optional values."""

import collections
import gzip
import importlib

import numpy as np

from tests.conformance.scenes import eager_mode


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


def _csv_files(folder):
    for name, text in (
        ("a.csv", "n,s,f\n1,a,0.5\n2,,1.5\n"),
        ("b.csv", "n,s,f\n3,c,\n4,d,2.5\n"),
        ("other.csv", "m,s,f\n3,c,1\n"),
        ("empty.csv", ""),
        ("bad.csv", "n,s,f\n3,c,x\n5,e,4.5\n"),
        ("quoted.csv", 'n,s,f\n1,"a,b",2\n'),
        ("tabs.csv", "1\tx\n2\ty\n"),
        ("large.csv", "n,s\n3000000000,1e400\n5,7\n"),
    ):
        with open(f"{folder}/{name}", "w") as out:
            out.write(text)
    with gzip.open(folder + "/a.csv.gz", "wt") as out:
        out.write("n,s\n1,a\n2,b\n")


def rows_of_files(tf, stage):
    folder = stage.folder
    _csv_files(folder)

    def make(*names, batch=2, scheme="", **options):
        options = {"num_epochs": 1, "shuffle": False, **options}
        paths = [f"{scheme}{folder}/{name}" for name in names]
        return lambda: tf.data.experimental.make_csv_dataset(paths, batch, **options)

    cases = {
        "plain": make("a.csv"),
        "two": make("a.csv", "b.csv", batch=3),
        "two_at_once": make("a.csv", "b.csv", num_parallel_reads=2),
        "two_at_any_pace": make("a.csv", num_parallel_reads=1, sloppy=True),
        "autotuned": make("a.csv", num_parallel_reads=tf.data.experimental.AUTOTUNE),
        "label": make("a.csv", label_name="s"),
        "label_other": make("a.csv", label_name="x"),
        "selected": make("a.csv", select_columns=["f", "n"]),
        "selected_numbers": make("a.csv", select_columns=[0, 2]),
        "selected_twice": make("a.csv", select_columns=[0, 0]),
        "selected_other": make("a.csv", select_columns=["x"]),
        "selected_far": make("a.csv", select_columns=[7]),
        "defaults": make("a.csv", column_defaults=[tf.float64, "none", 7.0]),
        "defaults_few": make("a.csv", column_defaults=[tf.float64]),
        "defaults_selected": make("a.csv", select_columns=["n", "f"], column_defaults=[1, 2.0]),
        "defaults_selected_few": make("a.csv", select_columns=["n", "f"], column_defaults=[1]),
        "names": make("tabs.csv", column_names=["x", "y"], header=False, field_delim="\t"),
        "names_twice": make("a.csv", column_names=["x", "x", "y"]),
        "names_none": make("tabs.csv", header=False),
        "names_differ": make("a.csv", "other.csv"),
        "empty": make("empty.csv"),
        "no_file": make("none.csv"),
        "bad": make("bad.csv", num_rows_for_inference=0, column_defaults=[1, "", 0.0]),
        "bad_ignored": make("bad.csv", ignore_errors=True, column_defaults=[1, "", 0.0]),
        "inferred_of_one": make("bad.csv", num_rows_for_inference=1),
        "inferred_of_none": make("a.csv", num_rows_for_inference=0),
        "large": make("large.csv"),
        "quoted": make("quoted.csv"),
        "not_quoted": make("quoted.csv", use_quote_delim=False),
        "missing": make("a.csv", na_value="a"),
        "compressed": make("a.csv.gz", compression_type="GZIP"),
        "with_a_scheme": make("a.csv", scheme="file://"),
        "compressed_tensor": make("a.csv.gz", compression_type=tf.constant("GZIP")),
        "compressed_unknown": make("a.csv.gz", compression_type=tf.placeholder(tf.string)),
        "compressed_zlib": make("a.csv.gz", compression_type="ZLIB"),
        "compressed_other": make("a.csv.gz", compression_type="BZ"),
        "compressed_not": make("a.csv", compression_type=""),
        "shuffled": make("a.csv", shuffle=True, shuffle_seed=3, shuffle_buffer_size=2),
        "whole_batches": lambda: make("a.csv", "b.csv", batch=3, num_epochs=None)().take(2),
        "batch_none": make("a.csv", batch=0),
    }
    _all(tf, stage, cases, 4)


def readers_with_options(tf, stage):
    folder, D = stage.folder, tf.data.Dataset
    with open(folder + "/bytes", "wb") as out:
        out.write(b"HH0123456789F")
    with gzip.open(folder + "/zipped", "wb") as out:
        out.write(b"HH01234567F")
    with open(folder + "/text", "w") as out:
        out.write("a\r\nb\nc")
    fixed, lines, records = (
        tf.data.FixedLengthRecordDataset,
        tf.data.TextLineDataset,
        tf.data.TFRecordDataset,
    )
    with tf.io.TFRecordWriter(folder + "/r", "GZIP") as out:
        out.write(b"x")
    p = lambda name: folder + "/" + name  # noqa: E731
    cases = {
        "fixed_zipped_uneven": lambda: fixed(p("zipped"), 5, 2, 1, compression_type="GZIP"),
        "lines_buffer": lambda: lines(p("text"), buffer_size=-1),
        "records_buffer": lambda: records(p("r"), buffer_size=-1),
        "records_of_dataset": lambda: records(D.from_tensors(p("r")), "GZIP"),
    }
    _all(tf, stage, cases, 4)


def options_told(tf, stage):
    O = tf.data.Options  # noqa: E741
    e = tf.data.experimental
    one, two = O(), O()
    one.experimental_optimization.apply_default_optimizations = False
    one.experimental_stats.aggregator = e.StatsAggregator()
    one.experimental_stats.latency_all_edges = True
    one.experimental_stats.prefix = "p"
    two.experimental_deterministic = True
    two.experimental_optimization.autotune_cpu_budget = 3
    stage.attempts(
        lambda: one == two,
        lambda: setattr(O(), "other", 5),
        lambda: tf.data.Dataset.range(1).with_options(5),
    )


def optional_values(tf, stage):
    e = tf.data.experimental
    O = e.Optional  # noqa: E741
    iterator = tf.data.make_initializable_iterator(
        tf.data.Dataset.range(2).map(lambda x: (x, {"a": -x}))
    )
    following = e.get_next_as_optional(iterator)
    some = O.from_value({"a": tf.constant(1), "b": (tf.constant("x"),)})
    none = O.none_from_structure(tf.TensorSpec([2], tf.float32))
    sparse = O.from_value(tf.SparseTensor([[0]], [1.0], [2]))
    with tf.Session() as session:
        session.run(iterator.initializer)
        for _ in range(3):
            stage.attempt(session.run, following.has_value())
        session.run(iterator.initializer)
        for _ in range(3):
            stage.attempt(session.run, following.get_value())
        stage.attempt(session.run, [some.has_value(), some.get_value()])
        stage.attempt(session.run, [none.has_value("own")])
        stage.attempt(session.run, none.get_value("own_value"))
        stage.attempt(session.run, [sparse.get_value()])
        both = tf.cond(
            tf.constant(True), lambda: some._variant_tensor, lambda: some._variant_tensor
        )
        stage.attempt(session.run, tf.raw_ops.OptionalHasValue(optional=both))
    stage.attempts(
        lambda: some.value_structure,
        lambda: none.value_structure,
        lambda: following.value_structure,
        lambda: e.DatasetStructure(tf.TensorSpec([2], tf.int32))._unbatch(),
    )
    with eager_mode(tf):
        data = iter(tf.data.Dataset.range(1))
        stage.attempts(lambda: e.get_next_as_optional(data).get_value())


def nests(tf, stage):
    if tf.__name__ == "tensorflow":
        nest = importlib.import_module("tensorflow.python.data.util.nest")
    else:
        nest = importlib.import_module("tfmini._src.data.dataset_nest")
    pair = {"b": 1, "a": (2, {"c": 3})}
    stage.attempts(
        lambda: nest.pack_sequence_as(pair, [1, 2]),
        lambda: nest.pack_sequence_as(pair, 5),
        lambda: nest.pack_sequence_as(5, [1, 2]),
        lambda: nest.map_structure(5, pair),
        lambda: nest.map_structure(lambda: 1),
        lambda: nest.map_structure(lambda x: x, pair, other=True),
        lambda: nest.map_structure(lambda x, y: x, (1, 2), (1, 2, 3)),
        lambda: nest.map_structure(lambda x, y: x, (1, 2), {"a": 1, "b": 2}),
        lambda: nest.assert_same_structure((1, (2,)), (1, 2)),
        lambda: nest.assert_same_structure({"a": 1}, {"b": 1}),
        lambda: nest.assert_same_structure({"a": 1}, collections.OrderedDict(a=2)),
        lambda: nest.assert_same_structure({"a": 1}, {"b": 1}, check_types=False),
        lambda: nest.flatten_up_to({"a": 1}, {"b": 1}),
        lambda: nest.flatten_up_to((1,), {"a": 1}),
        lambda: nest.map_structure_up_to((1, 2), lambda x: x),
    )


def errors_among_elements(tf, stage):
    """Interleaving with an error in the input, the function or its datasets: threads count it as an element."""
    e = tf.data.experimental
    combine = {
        "interleave": lambda data, f: data.interleave(f, 2, 2),
        "parallel": lambda data, f: data.apply(e.parallel_interleave(f, 2, 1)),
        "parallel_blocks": lambda data, f: data.interleave(f, 2, 2, num_parallel_calls=2),
    }

    def checked(x):
        with tf.control_dependencies(
            [tf.debugging.assert_none_equal(x, np.int64(5), name="check")]
        ):
            return tf.identity(x)

    for name, function in combine.items():
        for place in ("input", "function", "elements"):
            stage.say(name, place)
            with tf.Graph().as_default(), tf.Session() as session:
                data = tf.data.Dataset.from_tensor_slices(np.array([3, 5, 2, 4]))
                data = data.map(checked) if place == "input" else data

                def repeated(x, place=place):
                    x = checked(x) if place == "function" else x
                    inner = tf.data.Dataset.from_tensors(x).repeat(x)
                    return inner.map(checked) if place == "elements" else inner

                iterator = tf.data.make_initializable_iterator(function(data, repeated))
                value = iterator.get_next()
                session.run(iterator.initializer)
                for _ in range(16):
                    with stage.failing():
                        stage.say(session.run(value))
