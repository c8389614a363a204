"""The MNIST tutorial's network; hand-computed shapes, names and numbers."""

import numpy as np

import tfmini as tf
from tfmini._src.programs.hook.shims import mnist_tutorial as mnist


def test_training_step():
    images = tf.placeholder(tf.float32, [3, mnist.IMAGE_PIXELS])
    labels = tf.placeholder(tf.int32, [3])
    logits = mnist.inference(images, 5, 4)
    loss = mnist.loss(logits, labels)
    step, right = mnist.training(loss, 0.1), mnist.evaluation(logits, labels)
    assert [v.op.name for v in tf.trainable_variables()] == [
        f"{layer}/{name}"
        for layer in ("hidden1", "hidden2", "softmax_linear")
        for name in ("weights", "biases")
    ]
    assert logits.shape.as_list() == [3, mnist.NUM_CLASSES]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        feeds = {images: np.zeros([3, 784]), labels: [1, 2, 1]}
        # No image, no bias: all logits are 0, and no class ranks first alone.
        assert np.isclose(session.run(loss, feeds), np.log(10.0))
        assert session.run(right, feeds) == 3
        session.run(step, feeds)
        biases = session.run("softmax_linear/biases:0")
        # 0.1 times (occurrences / 3 - 1 / 10)
        assert np.allclose(biases[:4], [-0.01, 0.2 / 3 - 0.01, 0.1 / 3 - 0.01, -0.01])
        assert session.run("global_step:0") == 1
