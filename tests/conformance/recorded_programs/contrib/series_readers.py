"""Readers and input functions of `tf.contrib.timeseries`: graphs, whole series, shuffled windows."""

import os
import tempfile

import numpy as np

from tests.support.models.estimator_runs import row
from tests.support.models.series_runs import internal, series


def build(tf):
    ts = tf.contrib.timeseries
    data = series(features=2)
    values, facts = [], {}
    with tempfile.TemporaryDirectory() as folder:
        lines, records = os.path.join(folder, "a.csv"), os.path.join(folder, "a.tfrecord")
        with open(lines, "w") as file:
            file.write("time,first,second\n")
            for time, (first, second) in zip(data["times"], data["values"]):
                file.write(f"{time},{float(first)!r},{float(second)!r}\n")
        with tf.python_io.TFRecordWriter(records) as writer:
            for time, pair in zip(data["times"], data["values"]):
                int64 = tf.train.Feature(int64_list=tf.train.Int64List(value=[time]))
                floats = tf.train.Feature(float_list=tf.train.FloatList(value=pair))
                features = tf.train.Features(feature={"times": int64, "values": floats})
                writer.write(tf.train.Example(features=features).SerializeToString())
        specs = {
            "times": tf.FixedLenFeature([], tf.int64),
            "values": tf.FixedLenFeature([2], tf.float32),
        }
        names = ("times", "values", "values")
        readers = {
            "arrays": ts.NumpyReader(dict(data, other=np.ones([24, 2, 3])), 7),
            "lines": ts.CSVReader([lines], names, skip_header_lines=1, read_num_records_hint=9),
            "typed": ts.CSVReader(lines, names, [tf.int64, tf.float64, tf.float64], 1),
            "records": internal(tf, "input_pipeline", "TFExampleReader")(records, specs),
        }
        for name, reader in sorted(readers.items()):
            told = run(tf, ts.WholeDatasetInputFn(reader), facts, name)
            values += [told[key] for key in sorted(told)]
            jitter = name != "lines"
            # A single thread: of two, one may take records that belong to the other's windows.
            drawn = ts.RandomWindowInputFn(reader, 5, 4, jitter=jitter, num_threads=1)
            check(run(tf, drawn, facts, name + " drawn"), data)
        ordered = ts.RandomWindowInputFn(readers["lines"], 24, 2, discard_out_of_order=False)
        run(tf, ordered, facts, "sorted", is_run=False)  # fails in TensorFlow: it gathers windows
    fed = [tf.placeholder(tf.float64) for _ in values]
    step = ("values", [tf.identity(t) for t in fed], dict(zip(fed, values)))
    return {"facts": facts, "steps": [step]}


def run(tf, input_fn, facts, name, is_run=True):
    """The first values of an input function; adds its graph and shapes to the facts."""
    with tf.Graph().as_default() as graph:
        features, labels = input_fn()
        assert labels is None
        shapes = {key: [str(v.shape), v.dtype.name] for key, v in features.items()}
        facts[name] = [[row(node) for node in graph.as_graph_def().node], shapes]
        if not is_run:
            return None
        with tf.train.MonitoredSession() as session:
            return session.run(features)


def check(drawn, data):
    """Checks that windows come from the series: consecutive times, with their values."""
    times = drawn["times"]
    assert (np.diff(times) == 1).all(), times
    np.testing.assert_allclose(drawn["values"], data["values"][times - 3], rtol=1e-6)
