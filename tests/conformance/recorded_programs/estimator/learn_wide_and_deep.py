"""The wide and deep tutorial on `contrib.learn`; a regression, and custom heads."""

import tempfile

import numpy as np

from tests.support.models.estimator_runs import Graphs

TOLERANCE = 1e-4  # some training steps


def build(tf):
    learn, layers, random = tf.contrib.learn, tf.contrib.layers, np.random.RandomState(0)
    age, jobs = random.rand(12, 1).astype("f"), random.choice(["nurse", "judge", "cook"], 12)
    classes, numbers = (age[:, 0] > 0.5).astype("i"), np.concatenate([age, 2 * age], 1)
    graphs, facts, values = Graphs(tf), {}, []

    def features():
        places = np.stack([np.arange(12), np.zeros(12, int)], 1)
        job = tf.SparseTensor(places, tf.constant(list(jobs)), [12, 1])
        return {"age": tf.constant(age), "job": job}

    def run(make, labels):
        job = layers.sparse_column_with_hash_bucket("job", 5)
        years = layers.real_valued_column("age")
        old = layers.bucketized_column(years, [0.3, 0.6])
        wide = [job, old, layers.crossed_column([job, old], 20)]
        deep = [years, layers.embedding_column(job, 3)]
        with tempfile.TemporaryDirectory() as folder:
            how = {"model_dir": folder, "config": learn.RunConfig(tf_random_seed=3)}
            model = make(wide, deep, how)

            def given():
                return features(), tf.constant(labels)

            model.fit(input_fn=given, steps=4, monitors=[graphs.hook])
            found = model.evaluate(input_fn=given, steps=1)
            facts[type(model).__name__] = [model.get_variable_names(), sorted(found)]
            values.append([float(found[name]) for name in sorted(found)])
            rows = list(model.predict(input_fn=features))
            if isinstance(rows[0], dict):
                key = "probabilities" if "classes" in rows[0] else "scores"
                rows = [row[key] for row in rows]
            values.append(rows)

    def both(kind, wide, deep, how, **more):
        columns = {"linear_feature_columns": wide, "dnn_feature_columns": deep}
        return kind(**columns, dnn_hidden_units=[4, 3], **how, **more)

    def classifier(wide, deep, how):
        more = {"dnn_dropout": 0.2, "gradient_clip_norm": 1.0}
        more["fix_global_step_increment_bug"] = True
        return both(learn.DNNLinearCombinedClassifier, wide, deep, how, **more)

    def regressor(wide, deep, how):
        more = {"label_dimension": 2, "dnn_activation_fn": tf.nn.tanh, "linear_optimizer": "SGD"}
        return both(learn.DNNLinearCombinedRegressor, wide, deep, how, **more)

    def estimator(wide, deep, how):
        more = {"fix_global_step_increment_bug": True, "_joint_linear_weights": True}
        head = learn.multi_class_head(2)
        return both(learn.DNNLinearCombinedEstimator, wide[:1], deep, how, head=head, **more)

    def linear(wide, deep, how):
        return learn.LinearEstimator(wide, learn.regression_head(label_dimension=2), **how)

    def network(wide, deep, how):
        return learn.DNNEstimator(learn.multi_class_head(2), [3], deep, **how)

    for make, labels in ((classifier, classes), (regressor, numbers), (estimator, classes)):
        run(make, labels)
    run(linear, numbers)
    run(network, classes)
    facts["graphs"] = graphs.seen
    tf.summary.FileWriterCache.clear()  # stops the writer threads
    values = [np.array(value) for value in values]
    fed = [tf.placeholder(tf.float32) for _ in values]
    step = ("values", [tf.identity(t) for t in fed], dict(zip(fed, values)))
    return {"facts": facts, "steps": [step]}
