"""train_and_evaluate: an evaluation after each checkpoint, exports each time and at the end; a resumed run."""

import glob
import os
import tempfile

import numpy as np

TOLERANCE = 1e-4  # eight steps of training


def build(tf):
    estimators, random = tf.estimator, np.random.RandomState(0)
    x, y = random.randn(40, 3).astype("f"), random.randn(40, 1).astype("f")
    seen, values = [], []

    class Mine(estimators.Exporter):
        name = "mine"

        def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
            folder = estimator.model_dir
            paths = export_path[len(folder) :], checkpoint_path[len(folder) :]
            seen.append([paths, int(eval_result["global_step"]), bool(is_the_final_export)])
            values.append(eval_result["loss"])
            return bool(is_the_final_export)

    def model(features, labels, mode):
        outputs = tf.layers.dense(features["x"], 1, name="out")
        if mode == estimators.ModeKeys.PREDICT:
            return estimators.EstimatorSpec(mode, outputs)
        loss = tf.losses.mean_squared_error(labels, outputs)
        train = tf.train.AdagradOptimizer(0.5).minimize(loss, tf.train.get_global_step())
        return estimators.EstimatorSpec(mode, outputs, loss, train)

    def rows():
        return tf.data.Dataset.from_tensor_slices(({"x": x}, y)).repeat().batch(10)

    def receive():
        fed = tf.placeholder(tf.float32, [None, 3])
        return estimators.export.ServingInputReceiver({"x": fed}, fed)

    facts = {}
    with tempfile.TemporaryDirectory() as folder:
        config = estimators.RunConfig(folder, tf_random_seed=5, save_checkpoints_steps=3)
        estimator = estimators.Estimator(model, config=config)
        for last in (5, 5, 8):
            exporters = [Mine(), estimators.FinalExporter("last", receive)]
            exporters.append(estimators.BestExporter("best", receive))
            evaluate = estimators.EvalSpec(rows, 2, exporters=exporters, throttle_secs=0)
            train = estimators.TrainSpec(rows, max_steps=last)
            metrics, exports = estimators.train_and_evaluate(estimator, train, evaluate)
            facts[f"{last}, {len(facts)}"] = [
                None if metrics is None else int(metrics["global_step"]),
                None
                if exports is None
                else [
                    os.path.basename(os.path.dirname(e)) if isinstance(e, bytes) else e
                    for e in exports
                ],
            ]
        facts["exports"] = len(glob.glob(folder + "/export/last/*"))
        facts["checkpoint"] = estimator.latest_checkpoint()[len(folder) :]
    for row in facts.values():
        if isinstance(row, list) and row[1]:
            row[1] = [e.decode() if isinstance(e, bytes) else e for e in row[1]]
    facts["seen"] = seen
    tf.summary.FileWriterCache.clear()  # stops the writer threads
    losses = tf.placeholder(tf.float32)
    return {"facts": facts, "steps": [("losses", tf.identity(losses), {losses: values})]}
