"""A `contrib.learn` DNNClassifier on arrays, as in the iris tutorial; a DNNRegressor."""

import tempfile

import numpy as np

from tests.support.models.estimator_runs import Graphs

TOLERANCE = 1e-4  # six training steps


def build(tf):
    learn, random = tf.contrib.learn, np.random.RandomState(0)
    x = random.randn(30, 4).astype("f")
    y = (x.sum(1) > 0).astype("i") + (x[:, 0] > 0)
    graphs = Graphs(tf)
    with tempfile.TemporaryDirectory() as folder:
        columns = learn.infer_real_valued_columns_from_input(x)
        model = learn.DNNClassifier(
            [6, 4],
            columns,
            folder,
            n_classes=3,
            activation_fn=tf.nn.tanh,
            dropout=0.25,
            config=learn.RunConfig(tf_random_seed=3),
        )
        wrapped = learn.SKCompat(model)
        wrapped.fit(x, y, batch_size=8, steps=6, monitors=[graphs.hook])
        scored = wrapped.score(x, y, batch_size=10)
        told = wrapped.predict(x[:7], batch_size=4)
        names = model.get_variable_names()
        values = [[scored[name] for name in sorted(scored)], told["probabilities"]]
        values += [np.array(model.get_variable_value(name)) for name in names]
        facts = {
            "columns": [str(column) for column in columns],
            "names": names,
            "results": sorted(scored),
            "told": [sorted(told), [int(each) for each in told["classes"]]],
        }
    with tempfile.TemporaryDirectory() as folder:
        model = learn.DNNRegressor(
            [3],
            [tf.feature_column.numeric_column("x", shape=4)],
            folder,
            optimizer=lambda: tf.train.AdamOptimizer(0.1),
            label_dimension=2,
            config=learn.RunConfig(tf_random_seed=3),
        )
        pairs = np.stack([x[:, 0], x[:, 1]], 1)

        def input_fn():
            return {"x": tf.constant(x)}, tf.constant(pairs)

        model.fit(input_fn=input_fn, steps=3, monitors=[graphs.hook])
        found = model.evaluate(input_fn=input_fn, steps=1)
        scores = list(model.predict_scores(input_fn=input_fn))
        values += [[found["loss"]], scores]
        facts["more"] = [model.get_variable_names(), sorted(found)]
    facts["graphs"] = graphs.seen
    tf.summary.FileWriterCache.clear()  # stops the writer threads
    fed = [tf.placeholder(tf.float32) for _ in values]
    step = ("values", [tf.identity(t) for t in fed], dict(zip(fed, values)))
    return {"facts": facts, "steps": [step]}
