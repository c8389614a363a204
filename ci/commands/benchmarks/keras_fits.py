"""Epochs of tf.keras models.

Also runs under Python 3.7, with TensorFlow 1.15.5.
"""

import time
from statistics import median

import numpy as np

from ci.commands.benchmarks.workloads import once


def start(tf):
    """Creates a new graph, and a session with two threads as Keras's."""
    tf.keras.backend.clear_session()
    tf.set_random_seed(1)
    config = tf.ConfigProto(intra_op_parallelism_threads=2, inter_op_parallelism_threads=2)
    tf.keras.backend.set_session(tf.Session(config=config))
    return tf.keras.layers


def epoch(model, x, y, batch_size):
    """Seconds of one epoch, without compilation."""
    model.train_on_batch(x[:batch_size], y[:batch_size])
    begin, busy = time.perf_counter(), time.process_time()
    model.fit(x, y, batch_size=batch_size, epochs=1, verbose=0)
    return {"wall": time.perf_counter() - begin, "cpu": time.process_time() - busy}


@once
def keras_mlp(tf):
    """Sequential 784-256-256-10 fitted to 60,000 rows, one epoch, batch 128."""
    layers = start(tf)
    model = tf.keras.Sequential(
        [
            layers.Dense(256, activation="relu", input_shape=(784,)),
            layers.Dense(256, activation="relu"),
            layers.Dense(10, activation="softmax"),
        ]
    )
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    random = np.random.RandomState(0)
    x, y = random.rand(60000, 784).astype("f"), random.randint(0, 10, 60000)
    return epoch(model, x, y, 128)


@once
def keras_lstm(tf):
    """A classifier of 2,000 texts of 80 words: embedding, LSTM of 64 units, one epoch, batch 32."""
    layers = start(tf)
    model = tf.keras.Sequential(
        [layers.Embedding(5000, 64), layers.LSTM(64), layers.Dense(1, activation="sigmoid")]
    )
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    random = np.random.RandomState(0)
    x, y = random.randint(0, 5000, (2000, 80)), random.randint(0, 2, 2000)
    return epoch(model, x, y, 32)


@once
def keras_adds(tf):
    """The time that `fit` adds to a step over a loop of `session.run` of the same fetches on the same batches."""
    layers = start(tf)
    model = tf.keras.Sequential([layers.Dense(10, activation="softmax", input_shape=(16,))])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    random = np.random.RandomState(0)
    count, size = 500, 32
    x, y = random.rand(count * size, 16).astype("f"), random.randint(0, 10, (count * size, 1))
    model.train_on_batch(x[:size], y[:size])
    step = model.train_function
    session = tf.keras.backend.get_session()
    fetches = [*step.outputs, step.updates_op]
    placeholders = step.inputs

    def bare():
        begin = time.perf_counter()
        for first in range(0, count * size, size):
            batch = x[first : first + size], y[first : first + size]
            session.run(fetches, dict(zip(placeholders, batch)))
        return (time.perf_counter() - begin) / count

    def time_fit():
        begin = time.perf_counter()
        model.fit(x, y, batch_size=size, verbose=0)
        return (time.perf_counter() - begin) / count

    bare(), time_fit()
    rounds = [(time_fit(), bare()) for _ in range(7)]
    return {"adds": median(f - b for f, b in rounds), "bare": median(b for _, b in rounds)}
