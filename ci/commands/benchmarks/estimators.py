"""Whole Estimator processes, from the import to the last checkpoint.

Also runs under Python 3.7, with TensorFlow 1.15.5.
"""

import subprocess
import sys
import tempfile
import time

from ci.commands.benchmarks.workloads import once

SCRIPT = """\
import numpy as np
import {module} as tf

random = np.random.RandomState(0)
x = random.rand(10000, 784).astype("f")
y = random.randint(0, 10, 10000).astype("i")


def model(features, labels, mode):
    hidden = tf.layers.dense(features["x"], 256, tf.nn.relu)
    logits = tf.layers.dense(tf.layers.dense(hidden, 256, tf.nn.relu), 10)
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    train = tf.train.AdamOptimizer().minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)


inputs = tf.estimator.inputs.numpy_input_fn({{"x": x}}, y, 128, None, shuffle=True)
tf.estimator.Estimator(model, {folder!r}).train(inputs, steps=200)
"""


@once
def estimator_mlp(tf):
    """An Estimator of the MLP 784-256-256-10, 200 steps from numpy_input_fn, in a separate process."""
    with tempfile.TemporaryDirectory() as directory:
        code = SCRIPT.format(module=tf.__name__, folder=directory)
        begin = time.time()
        subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code], check=True, stderr=subprocess.DEVNULL
        )
        return {"wall": time.time() - begin}
