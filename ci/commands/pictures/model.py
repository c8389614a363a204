"""A program that writes data for TensorBoard: scalars, histograms, images, the graph, embeddings."""

from __future__ import annotations

import os

import numpy as np

import tfmini as tf
from tfmini.contrib.tensorboard.plugins import projector

STEPS = 60
ROWS = 200


def digits(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Images of bars, [count, 8, 8, 1], and the bars' positions."""
    random = np.random.RandomState(3)
    labels = random.randint(0, 8, count)
    pictures = random.uniform(0, 0.3, [count, 8, 8, 1]).astype(np.float32)
    pictures[np.arange(count), labels] += 0.7
    return pictures, labels.astype(np.int64)


def train(directory: str) -> None:
    """Trains a small network and writes its summaries into a folder."""
    pictures, labels = digits(ROWS)
    x = tf.placeholder(tf.float32, [None, 8, 8, 1], name="pictures")
    y = tf.placeholder(tf.int64, [None], name="labels")
    with tf.variable_scope("hidden"):
        hidden = tf.layers.dense(tf.layers.flatten(x), 16, tf.nn.tanh, name="dense")
        tf.summary.histogram("activations", hidden)
    with tf.variable_scope("output"):
        logits = tf.layers.dense(hidden, 8, name="dense")
    with tf.name_scope("loss"):
        loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
        tf.summary.scalar("cross_entropy", loss)
        right = tf.equal(tf.argmax(logits, 1), y)
        tf.summary.scalar("accuracy", tf.reduce_mean(tf.cast(right, tf.float32)))
    for variable in tf.trainable_variables():
        tf.summary.histogram(variable.op.name, variable)
    tf.summary.image("bars", x, max_outputs=3)
    step = tf.train.AdamOptimizer(0.05).minimize(loss)
    summaries = tf.summary.merge_all()
    feed = {x: pictures, y: labels}
    with tf.Session() as session, tf.summary.FileWriter(directory, session.graph) as writer:
        session.run(tf.global_variables_initializer())
        for index in range(STEPS):
            _, summary = session.run([step, summaries], feed)
            writer.add_summary(summary, index)
        # TensorBoard reads checkpoints only if TensorFlow is installed, but always tables.
        np.savetxt(os.path.join(directory, "hidden.tsv"), session.run(hidden, feed), "%.5f", "\t")
        np.savetxt(os.path.join(directory, "labels.tsv"), labels, "%d")
        settings = projector.ProjectorConfig()
        settings.embeddings.add(
            tensor_name="hidden", tensor_path="hidden.tsv", metadata_path="labels.tsv"
        )
        projector.visualize_embeddings(writer, settings)
