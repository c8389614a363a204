"""Eager workloads: single ops, a training step under a tape or as a `tf.function`, an epoch of Keras.

Also runs under Python 3.7, with TensorFlow 1.15.5.
"""

import importlib

import numpy as np

from ci.commands.benchmarks.workloads import Step, labelled_batch, steady, weights

ADDS = 100
LAYERS = ((784, 256), (256, 256), (256, 10))
RATE = 0.01


def eager_mode(tf):
    """A function that returns a context for eager mode."""
    package = "compat.python" if tf.__name__ == "tfmini" else "python"
    return importlib.import_module(f"{tf.__name__}.{package}.eager.context").eager_mode


@steady
def eager_adds(tf):
    """100 adds of two small tensors, each executed at once."""
    mode = eager_mode(tf)
    with mode():
        value = tf.constant(np.ones((8, 8), np.float32))

    def run():
        with mode():
            for _ in range(ADDS):
                result = value + value
        return result.numpy()

    return Step(run, lambda: run().sum())


def training_step(tf):
    """A function that runs a gradient descent step and returns the loss."""
    random = np.random.RandomState(0)
    images, digits = labelled_batch(random, 128)
    inputs, labels = tf.constant(images), tf.constant(digits.argmax(1))
    parameters = []
    for rows, columns in LAYERS:
        parameters.append(tf.Variable(weights(random, rows, columns)))
        parameters.append(tf.Variable(np.zeros(columns, np.float32)))

    def step():
        with tf.GradientTape() as tape:
            hidden = inputs
            for index in range(0, len(parameters), 2):
                hidden = tf.matmul(hidden, parameters[index]) + parameters[index + 1]
                if index < len(parameters) - 2:
                    hidden = tf.nn.relu(hidden)
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=hidden)
            )
        for parameter, gradient in zip(parameters, tape.gradient(loss, parameters)):
            parameter.assign_sub(RATE * gradient)
        return loss

    return step


def run_step(tf, mode, step):
    def run():
        with mode():
            return step().numpy()

    return Step(run, run)


@steady
def eager_mlp(tf):
    """An MLP training step under a gradient tape, op by op."""
    mode = eager_mode(tf)
    with mode():
        return run_step(tf, mode, training_step(tf))


@steady
def function_mlp(tf):
    """The same step as one `tf.function`."""
    mode = eager_mode(tf)
    with mode():
        return run_step(tf, mode, tf.function(training_step(tf), autograph=False))


@steady
def keras_eager_fit(tf):
    """An epoch of `Model.fit` over a dataset of 100 batches of 32, of a small MLP."""
    mode = eager_mode(tf)
    with mode():
        random = np.random.RandomState(0)
        rows = random.rand(3200, 20).astype(np.float32), random.randint(0, 5, 3200)
        data = tf.data.Dataset.from_tensor_slices(rows).batch(32)
        begun = [tf.keras.initializers.glorot_uniform(seed) for seed in (1, 2)]
        layers = [
            tf.keras.layers.Dense(32, "relu", input_shape=(20,), kernel_initializer=begun[0]),
            tf.keras.layers.Dense(5, "softmax", kernel_initializer=begun[1]),
        ]
        model = tf.keras.Sequential(layers)
        still = tf.keras.optimizers.Adam(
            0.0
        )  # each epoch's loss is the same, regardless of the number of timed epochs
        model.compile(still, "sparse_categorical_crossentropy", metrics=["accuracy"])

    def run():
        with mode():
            history = model.fit(data, epochs=1, shuffle=False, verbose=0)
        return history.history["loss"][0]

    return Step(run, run)
