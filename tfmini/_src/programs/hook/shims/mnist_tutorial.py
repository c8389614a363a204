"""`tensorflow.examples.tutorials.mnist.mnist`: the MNIST tutorial, shipped with TensorFlow until 1.14."""

from __future__ import annotations

import math
from typing import Any

import tfmini as tf

NUM_CLASSES = 10
IMAGE_SIZE = 28
IMAGE_PIXELS = IMAGE_SIZE * IMAGE_SIZE


def inference(images: Any, hidden1_units: int, hidden2_units: int) -> tf.Tensor:
    """Adds two hidden layers with ReLU and a linear layer.

    Args:
      images: float32 [batch, IMAGE_PIXELS].
      hidden1_units: the size of the first hidden layer.
      hidden2_units: the size of the second.

    Returns:
      The logits, float32 [batch, NUM_CLASSES].
    """
    hidden1 = tf.nn.relu(_linear("hidden1", images, IMAGE_PIXELS, hidden1_units))
    hidden2 = tf.nn.relu(_linear("hidden2", hidden1, hidden1_units, hidden2_units))
    return _linear("softmax_linear", hidden2, hidden2_units, NUM_CLASSES)


def loss(logits: Any, labels: Any) -> tf.Tensor:
    """Returns the mean cross entropy of `logits` [batch, NUM_CLASSES] and integer `labels` [batch]."""
    labels = tf.cast(labels, tf.int64)
    return tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)


def training(loss: Any, learning_rate: float) -> tf.Operation:
    """Adds a loss summary and returns a gradient descent step, which increments a variable named global_step."""
    tf.summary.scalar("loss", loss)
    global_step = tf.Variable(0, name="global_step", trainable=False)
    optimizer = tf.train.GradientDescentOptimizer(learning_rate)
    return optimizer.minimize(loss, global_step=global_step)


def evaluation(logits: Any, labels: Any) -> tf.Tensor:
    """Returns the number of correct predictions in the batch, an int32 scalar."""
    correct = tf.nn.in_top_k(predictions=logits, targets=labels, k=1)
    return tf.reduce_sum(tf.cast(correct, tf.int32))


def _linear(scope: str, x: Any, inputs: int, units: int) -> tf.Tensor:
    with tf.name_scope(scope):
        weights = tf.Variable(
            tf.truncated_normal([inputs, units], stddev=1.0 / math.sqrt(inputs)), name="weights"
        )
        biases = tf.Variable(tf.zeros([units]), name="biases")
        return tf.matmul(x, weights) + biases
