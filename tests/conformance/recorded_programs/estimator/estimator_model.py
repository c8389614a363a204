"""An Estimator trained by queues and by a dataset, evaluated, asked and exported: each graph, and the numbers."""

import tempfile

import numpy as np

TOLERANCE = 1e-4  # ten steps of training


class Graphs:
    """The nodes of each graph that a session is made for."""

    def __init__(self, tf):
        class Hook(tf.train.SessionRunHook):
            def after_create_session(hook, session, coord):
                nodes = [
                    node for node in session.graph.as_graph_def().node if node.op != "VarHandleOp"
                ]
                self.seen.append([[n.name, n.op, n.device, list(n.input)] for n in nodes])

        self.seen, self.hook = [], Hook()


def build(tf):
    estimators, random = tf.estimator, np.random.RandomState(0)
    x = random.randn(60, 4).astype("f")
    y = (x.sum(1) > 0).astype("i") + (x[:, 0] > 0)

    def model(features, labels, mode, params, config):
        hidden = tf.layers.dense(features["x"], params["units"], tf.nn.relu)
        logits = tf.layers.dense(hidden, 3)
        classes = tf.argmax(logits, 1)
        predictions = {"class": classes, "odds": tf.nn.softmax(logits)}
        if mode == estimators.ModeKeys.PREDICT:
            outputs = {"all": estimators.export.PredictOutput(predictions)}
            outputs["odds"] = estimators.export.ClassificationOutput(predictions["odds"])
            outputs["serving_default"] = outputs["all"]
            return estimators.EstimatorSpec(mode, predictions, export_outputs=outputs)
        loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
        train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss, tf.train.get_global_step())
        metrics = {"accuracy": tf.metrics.accuracy(labels, classes)}
        return estimators.EstimatorSpec(mode, predictions, loss, train, metrics)

    def of_datasets(params):
        rows = tf.data.Dataset.from_tensor_slices(({"x": x}, y))
        return rows.repeat().batch(params["batch"])

    arrays = estimators.inputs.numpy_input_fn
    graphs, values = Graphs(tf), []
    with tempfile.TemporaryDirectory() as folder:
        config = estimators.RunConfig(folder, tf_random_seed=3, save_checkpoints_steps=4)
        params = {"units": 5, "batch": 12}
        estimator = estimators.Estimator(model, config=config, params=params)
        untrained = estimator.evaluate(arrays({"x": x}, y, shuffle=False), steps=1)
        estimator.train(arrays({"x": x}, y, 20, None, shuffle=False), [graphs.hook], steps=6)
        estimator.train(of_datasets, [graphs.hook], max_steps=10)
        estimator.train(of_datasets, [graphs.hook], max_steps=10)
        found = estimator.evaluate(of_datasets, 3, [graphs.hook], name="twice")
        asked = estimator.predict(
            arrays({"x": x[:7]}, batch_size=4, shuffle=False), hooks=[graphs.hook]
        )
        asked = list(asked)
        whole = estimator.predict(
            arrays({"x": x[:7]}, batch_size=4, shuffle=False), ["odds"], yield_single_examples=False
        )
        sizes = [batch["odds"].shape for batch in whole]
        with tf.Graph().as_default():
            image = tf.placeholder(tf.float32, [None, 4], "image")
            receive = estimators.export.build_raw_serving_input_receiver_fn({"x": image})
        raw = estimator.export_saved_model(folder + "/raw", receive)
        spec = {"x": tf.FixedLenFeature([4], tf.float32)}
        receive = estimators.export.build_parsing_serving_input_receiver_fn(spec)
        parsing = estimator.export_saved_model(folder + "/parsing", receive)
        signatures = {}
        for name, path in (("raw", raw), ("parsing", parsing)):
            with tf.Graph().as_default() as graph, tf.Session() as session:
                meta = tf.saved_model.loader.load(session, ["serve"], path.decode())
                nodes = [[n.name, n.op, list(n.input)] for n in graph.as_graph_def().node]
                signatures[name] = [sorted(meta.signature_def), nodes]
        facts = {
            "graphs": graphs.seen,
            "names": estimator.get_variable_names(),
            "checkpoint": estimator.latest_checkpoint()[len(folder) :],
            "results": [sorted(untrained), sorted(found), int(found["global_step"])],
            "sizes": sizes,
            "kinds": [str(asked[0]["class"].dtype), len(asked)],
            "signatures": signatures,
        }
        values = [
            [untrained["loss"], found["loss"], found["accuracy"]],
            np.array([each["odds"] for each in asked]),
            estimator.get_variable_value("dense/kernel"),
        ]
    tf.summary.FileWriterCache.clear()  # which ends the threads that write
    fed = [tf.placeholder(tf.float32) for _ in values]
    return {
        "facts": facts,
        "steps": [("values", [tf.identity(t) for t in fed], dict(zip(fed, values)))],
    }
