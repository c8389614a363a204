"""tf.contrib's estimators: an option of each per program, after two steps."""

import os
import re
import shutil
import zlib

import numpy as np

from tests.conformance.short_programs import rows, table_of

POINTS = np.float32([[0, 0], [1, 0.3], [0.2, -1], [4, 1], [5, 3.9], [3.1, 2.4], [0.3, 1.2]])
SERIES = {"times": np.arange(8), "values": np.float32([1, 3, 2, 5, 4, 7, 5, 9])[:, None]}
NODE = re.compile(r'^node \{\n  name: "(.*)"\n  op: "(.*)"', re.M)


def programs(tf):
    C = tf.contrib
    layers, columns, learn = C.layers, tf.feature_column, C.learn

    def told(estimator, inputs, ahead=None):
        """A trained estimator's nodes, variables, measures, and first prediction."""
        try:
            if hasattr(estimator, "train"):
                estimator.train(inputs, steps=2)
            else:
                estimator.fit(input_fn=inputs, steps=2)
            with open(os.path.join(estimator.model_dir, "graph.pbtxt")) as file:
                nodes = NODE.findall(file.read())
            found = estimator.evaluate(input_fn=inputs, steps=1)
            predicted = estimator.predict(input_fn=ahead(found) if ahead else inputs)
            names = [n for n in estimator.get_variable_names() if not n.startswith("Sharded")]
            values = {n: estimator.get_variable_value(n) for n in names}
            return [
                [len(nodes), zlib.crc32(str(nodes).encode())],
                values,
                found,
                next(iter(predicted)),
            ]
        finally:
            shutil.rmtree(estimator.model_dir)

    def series(estimator, data=None, **ahead):
        of = C.timeseries

        def follow(found):
            return of.predict_continuation_input_fn(found, **(ahead or {"steps": 2}))

        return told(estimator, of.WholeDatasetInputFn(of.NumpyReader(data or SERIES)), follow)

    def points():
        return tf.constant(POINTS)

    def examples(labels=None):
        """Features and labels of four examples."""
        given = [[1], [0], [1], [0]] if labels is None else labels
        features = {
            "x": tf.constant([[1.0], [2.0], [3.0], [-1.0]]),
            "ids": tf.SparseTensor(
                [[0, 0], [1, 1], [3, 0]], tf.constant([1, 2, 1], tf.int64), [4, 2]
            ),
            "id": tf.constant(["a", "b", "c", "d"]),
            "w": tf.constant([[1.0], [0.5], [2.0], [0.0]]),
        }
        return features, tf.constant(given)

    def asserted(estimator, inputs, ask):
        """An answer of a trained estimator, and the names of the files that it writes into "x"."""
        try:
            if hasattr(estimator, "train"):
                estimator.train(inputs, steps=1)
            else:
                estimator.fit(input_fn=inputs, steps=1)
            found = ask(estimator)
            if not isinstance(found, (dict, list, np.ndarray)):
                found = str(found) if isinstance(found, (bytes, str)) else list(found)
            return [names_of_time(str(found)) if isinstance(found, str) else found, files("x")]
        finally:
            shutil.rmtree(estimator.model_dir)

    def names_of_time(text):
        return re.sub(r"\b\d{10}\b", "TIME", text)

    def files(folder):
        found = [os.path.join(at, name) for at, _, names in os.walk(folder) for name in names]
        plain = (re.sub(r"(tfevents\.).*|(?<=ckpt-)\d+", r"\1", name) for name in found)
        return sorted({names_of_time(name) for name in plain})

    def looped(run):
        """What a loop returns, and the files of the folders."""
        return [run(), files("d"), files("e")]

    def op():
        step = tf.train.get_or_create_global_step()
        tf.summary.scalar("of_step", step)
        return tf.identity(tf.assign_add(step, 1), name="op")

    def saved():
        step = tf.train.get_or_create_global_step()
        tf.get_variable("v", initializer=1.0)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            os.makedirs("d", exist_ok=True)
            return tf.train.Saver().save(session, "d/model.ckpt", step)

    def hit():
        hits = tf.get_variable(
            "hits", initializer=0, trainable=False, collections=["local_variables"]
        )
        return tf.assign_add(hits, 1)

    def place():
        graph = tf.get_default_graph()
        try:
            return graph.get_tensor_by_name("place:0")
        except KeyError:
            return tf.placeholder_with_default(1.0, [], name="place")

    def head_ops(head, **options):
        return head.create_model_fn_ops({}, "train", [[1], [0]], lambda loss: tf.no_op(), **options)

    ids = layers.sparse_column_with_integerized_feature("ids", 4)
    ones = tf.ones_initializer()
    deep = [layers.real_valued_column("x"), layers.embedding_column(ids, 2, initializer=ones)]
    old_config = learn.RunConfig(tf_random_seed=1)
    return rows(
        table_of(__file__), tf=tf, np=np, C=C, T=C.timeseries, learn=learn, told=told, series=series, points=points,
        examples=examples, X=deep[:1], POINTS=POINTS, SERIES=SERIES,
        DEEP=deep, NEW=tf.estimator.RunConfig(tf_random_seed=1), OLD=old_config,
        LEVELS={**SERIES, "level": np.float32([1, 2, 1, 2, 1, 2, 1, 2])},
        AHEAD={"level": np.ones([1, 2], "f")}, LEVEL=[columns.numeric_column("level")],
        SGD=tf.train.GradientDescentOptimizer(0.01), BINARY=learn.multi_class_head(2),
        looped=looped, head_ops=head_ops, OP=op, SAVED=saved, HIT=hit, PLACE=place,
        LINEAR=lambda: learn.LinearRegressor(deep[:1], config=old_config),
        FLOATS=lambda: examples([[1.0], [0.0], [3.0], [2.0]]), PAIR=lambda: (points(), None),
    )  # fmt: skip
