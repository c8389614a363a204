"""A TPUEstimator without TPUs, as in scripts of the time: a metrics function, a scaffold function."""

import tempfile

import numpy as np

from tests.support.models.estimator_runs import Graphs

TOLERANCE = 1e-4  # four training steps


def build(tf):
    tpu, random = tf.contrib.tpu, np.random.RandomState(0)
    x, y = random.randn(24, 3).astype("f"), random.randint(0, 2, 24).astype("i")
    seen = []

    def model(features, labels, mode, params):
        seen.append([mode, sorted(params.items())])
        logits = tf.layers.dense(features["x"], 2, name="out")
        odds = tf.nn.softmax(logits)
        if mode == "infer":
            return tpu.TPUEstimatorSpec(mode, {"odds": odds})
        each = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
        loss = tf.reduce_mean(each)
        if mode == "train":
            optimizer = tf.train.AdamOptimizer(params["rate"])
            if params["use_tpu"]:
                optimizer = tpu.CrossShardOptimizer(optimizer)
            train = optimizer.minimize(loss, tf.train.get_global_step())
            return tpu.TPUEstimatorSpec(
                mode, loss=loss, train_op=train, scaffold_fn=tf.train.Scaffold
            )

        def metrics(each, labels, logits):
            right = tf.metrics.accuracy(labels, tf.argmax(logits, 1))
            return {"right": right, "each": tf.metrics.mean(each)}

        return tpu.TPUEstimatorSpec(mode, loss=loss, eval_metrics=(metrics, [each, labels, logits]))

    def rows(params):
        seen.append(sorted(params.items()))
        data = tf.data.Dataset.from_tensor_slices(({"x": x}, y))
        return data.repeat(2).batch(params["batch_size"], drop_remainder=True)

    graphs = Graphs(tf)
    with tempfile.TemporaryDirectory() as folder:
        config = tpu.RunConfig(
            model_dir=folder,
            tf_random_seed=3,
            save_checkpoints_steps=2,
            tpu_config=tpu.TPUConfig(iterations_per_loop=3, num_shards=8),
        )
        estimator = tpu.TPUEstimator(
            model,
            config=config,
            params={"rate": 0.1},
            use_tpu=False,
            train_batch_size=8,
            eval_batch_size=6,
            predict_batch_size=4,
        )
        estimator.train(rows, [graphs.hook], max_steps=4)
        found = estimator.evaluate(rows, 2, [graphs.hook])
        asked = list(estimator.predict(rows, hooks=[graphs.hook]))
        names = estimator.get_variable_names()
        facts = {
            "seen": seen,
            "names": names,
            "results": sorted(found),
            "config": [
                list(config.tpu_config),
                config.master,
                config.evaluation_master,
                estimator.config.log_step_count_steps,
            ],
            "graphs": graphs.seen,
        }
        values = [[found[name] for name in sorted(found)], [row["odds"] for row in asked]]
        values += [np.array(estimator.get_variable_value(name)) for name in names]
    tf.summary.FileWriterCache.clear()  # stops the writer threads
    fed = [tf.placeholder(tf.float32) for _ in values]
    step = ("values", [tf.identity(t) for t in fed], dict(zip(fed, values)))
    return {"facts": facts, "steps": [step]}
