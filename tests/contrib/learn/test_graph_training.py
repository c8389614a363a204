"""Graphs trained by `tf.contrib.learn.train`: log lines and checkpoints as in TensorFlow 1.15.5."""

import tfmini as tf
from tests.support.models.estimator_runs import lines

learn = tf.contrib.learn
LINES = ("Training steps", "Step ", "training step", "Saving checkpoint for", "Exhausted", "Model")


def model():
    tf.train.create_global_step()
    weight = tf.get_variable("w", [], initializer=tf.constant_initializer(3.0))
    result = tf.square(weight)
    step = tf.train.GradientDescentOptimizer(0.1).minimize(result, tf.train.get_global_step())
    tf.summary.scalar("told", result)
    return step, result


def trained(directory, **options):
    """The log lines, without times."""
    with tf.Graph().as_default() as graph, lines(tf, LINES, directory) as logged:
        try:
            learn.train(graph, str(directory), *model(), **options)
        finally:
            tf.summary.FileWriterCache.clear()
    return logged


def test_training_resumes_from_checkpoint(tmp_path):
    saved = "INFO Saving checkpoint for step %d to checkpoint: FOLDER/model.ckpt."
    step = "INFO training step %d, loss = F (F sec/batch)."
    assert trained(tmp_path, steps=5, log_every_steps=2) == [
        "INFO Training steps [0,5)",
        "INFO Step 1: loss = F",
        *(step % 2, step % 4),
        "INFO Step 5: loss = F",
        *(step % 5, saved % 5),
    ]
    assert trained(tmp_path, max_steps=6)[0] == "INFO Training steps [5,6)"
    stop = learn.monitors.StopAtStep(num_steps=2)
    assert trained(tmp_path, steps=5, monitors=[stop]) == ["INFO Training steps [6,11)", saved % 8]
    feeds = iter([{}, {}])
    assert trained(tmp_path, feed_fn=lambda: next(feeds))[-2:] == [
        "INFO Exhausted input iterarator.",
        saved % 10,
    ]
    assert tf.train.latest_checkpoint(str(tmp_path)).endswith("model.ckpt-10")
