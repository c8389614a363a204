"""Linear models trained by dual coordinate ascent, one example per step: larger batches have a random order.

A `LinearClassifier` of `tf.estimator` in parts, and a support vector machine of `tf.contrib.learn`.
"""

import tempfile

import numpy as np

from tests.support.models.estimator_runs import Graphs

TOLERANCE = 1e-4  # four training steps


def build(tf):
    features = {
        "id": ["a"],
        "x": [[2.0]],
        "w": [[0.5]],
        "c": tf.SparseTensorValue([[0, 0]], ["u"], [1, 1]),
        "m": tf.SparseTensorValue([[0, 0], [0, 1], [0, 2]], ["p", "q", "p"], [1, 3]),
        "n": tf.SparseTensorValue([[0, 0], [0, 1], [0, 2]], [0.5, 1.0, 2.0], [1, 3]),
        "age": [[33.0]],
    }

    def input_fn():
        tensors = {name: tf.convert_to_tensor_or_sparse_tensor(v) for name, v in features.items()}
        return tensors, tf.constant([[1]])

    facts, values = {}, []
    for name, make in (("estimator", classifier), ("machine", machine)):
        graphs = Graphs(tf)
        with tempfile.TemporaryDirectory() as folder:
            model, fit = make(tf, folder)
            fit(input_fn, [graphs.hook])
            found = model.evaluate(input_fn=input_fn, steps=1)
            names = [n for n in model.get_variable_names() if "Hash" not in n]
            facts[name] = {"names": names, "results": sorted(found), "graphs": graphs.seen}
            values.append([found[key] for key in sorted(found)])
            values += [np.array(model.get_variable_value(n)) for n in names]
    tf.summary.FileWriterCache.clear()  # stops the writer threads
    fed = [tf.placeholder(tf.float32) for _ in values]
    step = ("values", [tf.identity(t) for t in fed], dict(zip(fed, values)))
    return {"facts": facts, "steps": [step]}


def classifier(tf, folder):
    column = tf.feature_column
    columns = [
        column.numeric_column("x"),
        column.categorical_column_with_hash_bucket("m", 5),
        column.bucketized_column(column.numeric_column("age"), [20.0, 30.0, 40.0]),
    ]
    sdca = tf.estimator.experimental.LinearSDCA(
        "id", num_table_shards=2, symmetric_l1_regularization=0.1, symmetric_l2_regularization=2.0
    )
    model = tf.estimator.LinearClassifier(
        columns,
        model_dir=folder,
        optimizer=sdca,
        weight_column="w",
        partitioner=tf.fixed_size_partitioner(2),
        config=tf.estimator.RunConfig(tf_random_seed=3),
    )
    return model, lambda input_fn, hooks: model.train(input_fn, hooks, steps=4)


def machine(tf, folder):
    layers = tf.contrib.layers
    kind = layers.sparse_column_with_keys("c", ["u", "v"])
    mark = layers.sparse_column_with_hash_bucket("m", 5)
    columns = [
        layers.real_valued_column("x"),
        layers.weighted_sparse_column(mark, "n"),
        layers.bucketized_column(layers.real_valued_column("age"), [20.0, 30.0, 40.0]),
        layers.crossed_column([kind, mark], 7),
    ]
    model = tf.contrib.learn.SVM(
        "id",
        columns,
        weight_column_name="w",
        model_dir=folder,
        l1_regularization=0.1,
        l2_regularization=3.0,
        config=tf.contrib.learn.RunConfig(tf_random_seed=3),
    )
    return model, lambda input_fn, hooks: model.fit(input_fn=input_fn, steps=4, monitors=hooks)
