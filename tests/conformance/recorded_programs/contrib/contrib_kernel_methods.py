"""Random Fourier features, the multiclass hinge loss, a classifier of mapped columns."""

import tempfile

import numpy as np

from tests.support.models.estimator_runs import Graphs

TOLERANCE = 1e-4  # three training steps

X = np.float32([[0.1, 0.9, -0.3], [1.0, 0.2, 0.4], [-0.7, 0.3, 0.8], [0.6, -0.6, 0.1]])


def build(tf):
    kernels, layers = tf.contrib.kernel_methods, tf.contrib.layers
    mapper = kernels.RandomFourierFeatureMapper(3, 5, stddev=2.0, seed=7, name="cosines")
    graphs = Graphs(tf)

    def input_fn():
        return {"x": tf.constant(X)}, tf.constant([[0], [2], [1], [0]])

    column = layers.real_valued_column("x", dimension=3)
    with tempfile.TemporaryDirectory() as folder:
        model = kernels.KernelLinearClassifier(
            n_classes=3,
            model_dir=folder,
            optimizer=tf.train.GradientDescentOptimizer(0.3),
            kernel_mappers={column: [mapper, kernels.RandomFourierFeatureMapper(3, 2)]},
            config=tf.contrib.learn.RunConfig(tf_random_seed=3),
        )
        model.fit(input_fn=input_fn, steps=3, monitors=[graphs.hook])
        chances = [row.tolist() for row in model.predict_proba(input_fn=input_fn)]
        classes = [int(row) for row in model.predict_classes(input_fn=input_fn)]
    tf.summary.FileWriterCache.clear()  # stops the writer threads
    rows = tf.constant(X)
    logits = tf.placeholder(tf.float32, [None, 3], name="logits")
    labels = tf.placeholder(tf.int64, [None, 1], name="labels")
    loss = kernels.sparse_multiclass_hinge_loss(labels, logits)
    weighted = kernels.sparse_multiclass_hinge_loss(
        tf.constant([0, 1, 2, 0]), rows, weights=[[1.0], [0.0], [2.0], [1.0]], scope="weighted"
    )
    odds = tf.placeholder(tf.float32, name="odds")
    values = [tf.identity(odds), mapper.map(rows), loss, weighted, *tf.gradients(loss, [logits])]
    feed = {odds: chances, logits: X * 3, labels: [[0], [2], [1], [0]]}
    return {
        "facts": {"graphs": graphs.seen, "classes": classes, "name": mapper.name},
        "steps": [("values", values, feed)],
    }
