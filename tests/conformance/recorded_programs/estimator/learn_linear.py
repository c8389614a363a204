"""A `contrib.learn` LinearClassifier with example weights, trained by input functions."""

import tempfile

import numpy as np

from tests.support.models.estimator_runs import Graphs, rows

TOLERANCE = 1e-4  # four training steps


def build(tf):
    learn, layers = tf.contrib.learn, tf.contrib.layers
    given, labels = rows()

    def input_fn():
        features = {
            "age": tf.constant(given["age"][:, None]),
            "kind": tf.constant(given["kind"][:, None]),
            "weight": tf.constant(given["weight"]),
        }
        return features, tf.constant(labels[:, None])

    age = layers.real_valued_column("age")
    kind = layers.sparse_column_with_hash_bucket("kind", 5)
    columns = [age, kind, layers.bucketized_column(age, [3.0, 6.0])]
    graphs = Graphs(tf)
    with tempfile.TemporaryDirectory() as folder:
        model = learn.LinearClassifier(
            columns,
            model_dir=folder,
            weight_column_name="weight",
            gradient_clip_norm=5.0,
            config=learn.RunConfig(tf_random_seed=3, save_checkpoints_steps=2),
        )
        model.fit(input_fn=input_fn, steps=4, monitors=[graphs.hook])
        measure = learn.MetricSpec(tf.metrics.precision, "classes")
        found = model.evaluate(
            input_fn=input_fn, steps=2, metrics={"error": measure}, hooks=[graphs.hook]
        )
        odds = list(model.predict_proba(input_fn=input_fn))
        classes = list(model.predict(input_fn=input_fn, outputs=["classes"]))
        names = model.get_variable_names()
        facts = {
            "names": names,
            "results": sorted(found),
            "graphs": graphs.seen,
            "classes": [int(row["classes"]) for row in classes],
        }
        values = [[found[name] for name in sorted(found)], odds]
        values += [np.array(model.get_variable_value(name)) for name in names]
    tf.summary.FileWriterCache.clear()  # stops the writer threads
    fed = [tf.placeholder(tf.float32) for _ in values]
    step = ("values", [tf.identity(t) for t in fed], dict(zip(fed, values)))
    return {"facts": facts, "steps": [step]}
