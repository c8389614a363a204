"""Training, evaluation, prediction and export of `tf.contrib.timeseries` Estimators, as recorded by programs."""

import importlib
import tempfile

import numpy as np

from tests.support.models.estimator_runs import Graphs, row

INSIDE = "contrib.timeseries.python.timeseries."


def internal(tf, module, name):
    """An object of an internal module of `tf.contrib.timeseries`."""
    if tf.__name__.startswith("tfmini"):
        return importlib.import_module("tfmini._src.programs.hook.object_lookup").find(
            INSIDE + module, name
        )
    return getattr(importlib.import_module("tensorflow." + INSIDE + module), name)


def series(length=24, features=1):
    """Times and values of sine waves with a linear trend."""
    times = np.arange(3, 3 + length)
    waves = [np.sin(times / (2.0 + i)) + 0.1 * times for i in range(features)]
    return {"times": times, "values": np.stack(waves, 1)}


def windows(tf, data, size, starts):
    """An input function for windows of a series with the given start positions."""

    def input_fn():
        positions = np.array(starts)[:, None] + np.arange(size)
        return {key: tf.constant(value[positions]) for key, value in data.items()}, None

    return input_fn


class Runs:
    """Graphs, names and results of Estimators."""

    def __init__(self, tf):
        self._tf = tf
        self._graphs = Graphs(tf)
        self._values = []
        self.facts = {}

    def run(
        self, name, make, train, data, steps=3, ahead=5, exogenous=None, one_shot=False, served=True
    ):
        """Trains `make(config)`, evaluates it on `data`, predicts further values, exports it and runs the export."""
        tf, ts = self._tf, self._tf.contrib.timeseries
        with tempfile.TemporaryDirectory() as directory:
            estimator = make(tf.estimator.RunConfig(directory, tf_random_seed=3))
            estimator.train(train, [self._graphs.hook], steps=steps)
            whole = ts.WholeDatasetInputFn(ts.NumpyReader(data))
            found = estimator.evaluate(whole, steps=1, hooks=[self._graphs.hook])
            told = [self._kept(found)]
            if not one_shot:
                after = ts.predict_continuation_input_fn(found, ahead, exogenous_features=exogenous)
                (asked,) = estimator.predict(after, hooks=[self._graphs.hook])
                told.append(self._kept(asked))
            variables = estimator.get_variable_names()
            self._values += [estimator.get_variable_value(each) for each in variables]
            self.facts[name] = [variables, *told]
            tf.summary.FileWriterCache.clear()  # which ends the threads that write
            if served:
                receive = estimator.build_raw_serving_input_receiver_fn()
                self._serve(name, estimator.export_saved_model(directory, receive), data, one_shot)

    def _serve(self, name, folder, data, one_shot):
        tf, served = self._tf, self._tf.contrib.timeseries.saved_model_utils
        with tf.Graph().as_default() as graph, tf.Session() as session:
            loaded = tf.saved_model.loader.load(session, ["serve"], folder)
            self.facts[name].append([row(node) for node in graph.as_graph_def().node])
            signatures = loaded.signature_def
            for key in sorted(signatures):
                of = signatures[key]
                self.facts[name] += [key, sorted(of.inputs), sorted(of.outputs)]
            if one_shot:
                return
            halves = [{key: value[part] for key, value in data.items()} for part in HALVES]
            state = served.cold_start_filter(loaded, session, halves[0])
            self._kept(state)
            state = served.filter_continuation(state, loaded, session, halves[1])
            self._kept(state)
            rest = {k: v[None, -2:] for k, v in data.items() if k not in ("times", "values")}
            told = served.predict_continuation(
                state, loaded, session, steps=2, exogenous_features=rest
            )
            self._kept(told)

    def _kept(self, results):
        """Stores the values of results; returns their names."""
        flat = []
        for name in sorted(results):
            value = results[name]
            flat += list(value) if isinstance(value, tuple) else [value]
        self._values += flat
        return sorted(results)

    def recorded(self):
        """The results of a program."""
        tf = self._tf
        self.facts["graphs"] = self._graphs.seen
        values = [np.asarray(each, "d") for each in self._values]
        fed = [tf.placeholder(tf.float64) for _ in values]
        step = ("values", [tf.identity(t) for t in fed], dict(zip(fed, values)))
        return {"facts": self.facts, "steps": [step]}


HALVES = (slice(0, 12), slice(12, 20))
