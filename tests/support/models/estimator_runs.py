"""Training, evaluation and prediction of an Estimator: recorded graphs, names, results and variables."""

import contextlib
import logging
import re
import tempfile

import numpy as np


class Graphs:
    """A hook that records the nodes of each session's graph."""

    def __init__(self, tf):
        class Hook(tf.train.SessionRunHook):
            def after_create_session(hook, session, coord):
                nodes = session.graph.as_graph_def().node
                self.seen.append([row(n) for n in nodes if n.op != "VarHandleOp"])

        self.seen, self.hook = [], Hook()


@contextlib.contextmanager
def lines(tf, beginnings, folder=None):
    """Log lines with these prefixes, without fractions, times and folders, which vary between runs."""
    results = []

    class Handler(logging.Handler):
        def emit(self, record):
            text = record.getMessage().replace(str(folder), "FOLDER")
            if text.startswith(beginnings):
                text = re.sub(r"\d\d\d\d-\d\d-\d\dT?\S*( [\d:]+)?", "TIME", text)
                text = re.sub(r"-?\d+\.\d*(e-?\d+)?", "F", text)
                results.append(f"{record.levelname} {text}")

    handler, logger = Handler(), tf.get_logger()
    level, propagates = logger.level, logger.propagate
    logger.addHandler(handler)
    logger.setLevel("INFO")
    logger.propagate = False
    try:
        yield results
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
        logger.propagate = propagates


def row(node):
    return [node.name, node.op, node.device, list(node.input)]


def rows(seed=0, count=30):
    """Features and labels: numbers, words, ids and weights."""
    random = np.random.RandomState(seed)
    age = random.uniform(1, 9, count).astype("f")
    kind = np.array(["a", "b", "c"])[random.randint(0, 3, count)]
    number = random.randint(0, 5, count)
    weight = random.uniform(0.5, 2, count).astype("f")
    label = ((age > 5) & (kind != "a")).astype("i")
    return {"age": age, "kind": kind, "number": number, "weight": weight}, label


def columns(tf):
    """Feature columns of `rows`: numeric, bucketized, words, ids, and a cross."""
    of = tf.feature_column
    age = of.numeric_column("age")
    kind = of.categorical_column_with_vocabulary_list("kind", ["a", "b", "c"])
    number = of.categorical_column_with_identity("number", 5)
    buckets = of.bucketized_column(age, [3.0, 6.0])
    cross = of.crossed_column([buckets, "kind"], 8)
    return age, kind, number, buckets, cross


def in_order_of_names(tf):
    """Sorts metric variables, which TensorFlow collects in a set."""
    for key in (tf.GraphKeys.LOCAL_VARIABLES, tf.GraphKeys.METRIC_VARIABLES):
        tf.get_collection_ref(key).sort(key=lambda variable: variable.name)


def record_estimator(tf, make, features, labels, steps=4, keys=None, tolerant=()):
    """The results of an Estimator program; `make(config)` creates the Estimator."""
    arrays = tf.estimator.inputs.numpy_input_fn
    graphs, facts, values = Graphs(tf), {}, []
    with tempfile.TemporaryDirectory() as directory:
        config = tf.estimator.RunConfig(directory, tf_random_seed=3, save_summary_steps=2)
        estimator = make(config)
        train = arrays(features, labels, 10, None, shuffle=False)
        estimator.train(train, [graphs.hook], steps=steps)
        evaluate = arrays(features, labels, 10, shuffle=False)
        result = estimator.evaluate(evaluate, hooks=[graphs.hook])
        asked = list(estimator.predict(arrays(features, shuffle=False), keys, [graphs.hook]))
        names = estimator.get_variable_names()
        facts["names"] = names
        facts["results"] = sorted(result)
        facts["predictions"] = sorted(map(str, asked[0]))
        values.append([result[name] for name in sorted(result) if name not in tolerant])
        for key in sorted(asked[0], key=str):
            column = np.array([each[key] for each in asked])
            if column.dtype.kind in "OSU":
                facts[str(key)] = [str(word) for word in column.reshape(-1)]
            else:
                values.append(column)
        found = [estimator.get_variable_value(name) for name in names]
        values += [np.array(value) for value in found if not isinstance(value, bytes)]
    facts["graphs"] = graphs.seen
    tf.summary.FileWriterCache.clear()  # stops the writer threads
    fed = [tf.placeholder(tf.float32) for _ in values]
    step = ("values", [tf.identity(t) for t in fed], dict(zip(fed, values)))
    return {"facts": facts, "steps": [step]}
