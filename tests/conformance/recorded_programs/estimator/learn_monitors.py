"""`contrib.learn` monitors during Estimator training: logs, stored values and files."""

import glob
import os
import tempfile

import numpy as np

from tests.support.models.estimator_runs import lines

TOLERANCE = 1e-4  # seven training steps
BEGINNINGS = ("Step ", "Logging Trainable", "Saving checkpoints", "Create CheckpointSaver.")


def build(tf):
    learn, random = tf.contrib.learn, np.random.RandomState(0)
    monitors = learn.monitors
    x = random.randn(20, 3).astype("f")
    y = x.sum(1, keepdims=True)

    def model(features, labels, mode):
        outputs = tf.layers.dense(features, 1, name="out")
        loss = tf.losses.mean_squared_error(labels, outputs)
        tf.summary.scalar("mine", loss)
        train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
        return learn.ModelFnOps(mode, outputs, loss, train)

    with tempfile.TemporaryDirectory() as folder:
        kernel = monitors.CaptureVariable("out/kernel:0", every_n=3, first_n=2)
        given = [
            kernel,
            monitors.LoggingTrainable("out/b", every_n=4),
            monitors.PrintTensor({"loss": "mean_squared_error/value"}, every_n=3),
            monitors.StepCounter(2, folder + "/steps"),
            monitors.CheckpointSaver(folder + "/saved", save_steps=3, scaffold=None, saver=None),
            monitors.SummarySaver(None, 2, folder + "/summaries", scaffold=None),
        ]

        class Late(monitors.BaseMonitor):  # requires the graph
            def begin(self, max_steps=None):
                super().begin(max_steps)
                given[4]._saver = tf.train.Saver()
                given[5]._summary_op = tf.summary.merge_all()

        config = learn.RunConfig(tf_random_seed=5, save_checkpoints_secs=None)
        estimator = learn.Estimator(model, folder, config)
        with lines(tf, BEGINNINGS, folder) as logged:
            estimator.fit(
                input_fn=lambda: (tf.constant(x), tf.constant(y)),
                steps=7,
                monitors=[Late()] + given,
            )
        tf.summary.FileWriterCache.clear()  # stops the writer threads

        def events(name):
            for path in glob.glob(folder + "/" + name + "/events*"):
                for event in tf.train.summary_iterator(path):
                    for value in event.summary.value:
                        yield [int(event.step), value.tag]
                    if event.HasField("session_log"):
                        yield [int(event.step), event.session_log.checkpoint_path[len(folder) :]]

        facts = {
            "logged": logged,
            "kept": sorted(map(int, kernel.values)),
            "events": [list(events(name)) for name in ("steps", "saved", "summaries")],
            "saved": sorted(n for n in os.listdir(folder + "/saved") if n.endswith(".index")),
        }
    loss = tf.constant(1.0, name="loss")
    facts["default"] = [
        type(m).__name__ for m in monitors.get_default_monitors(loss, tf.constant(""))
    ]
    fed = tf.placeholder(tf.float32)
    values = [kernel.values[step] for step in sorted(kernel.values)]
    return {"facts": facts, "steps": [("kernels", tf.identity(fed), {fed: values})]}
