"""Keras models trained by Horovod in two processes; the last line has each rank's results, for comparison."""

import json
import os
import tempfile

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf
from horovod.tensorflow import SyncBatchNormalization
from horovod.tensorflow.keras import callbacks

hvd.init()
rank = hvd.rank()
backend = tf.keras.backend
SGD = tf.keras.optimizers.SGD
random = np.random.RandomState(rank)
features = random.rand(16, 3).astype("float32")
targets = features.dot([[1.0], [2.0], [3.0]]) + rank
seen = {}


class Rates(tf.keras.callbacks.Callback):
    """The learning rate and the momentum of each batch."""

    def __init__(self):
        self.seen = []

    def on_batch_begin(self, batch, logs=None):
        optimizer = self.model.optimizer
        numbers = [optimizer.lr, optimizer.momentum]
        self.seen.append([float(backend.get_value(number)) for number in numbers])


def train(optimizer, given=(), epochs=2, start=0.5):
    """A trained model, the records of `fit`, and the weights."""
    backend.clear_session()
    constant = tf.keras.initializers.Constant(start)
    dense = tf.keras.layers.Dense(1, input_shape=(3,), kernel_initializer=constant)
    model = tf.keras.Sequential([dense])
    model.compile(optimizer, "mse", metrics=["mae"])
    history = fit(model, epochs, given)
    return model, history, [each.tolist() for each in model.get_weights()]


def fit(model, epochs, given=()):
    options = {"batch_size": 4, "epochs": epochs, "shuffle": False, "verbose": 0}
    history = model.fit(features, targets, callbacks=list(given), **options).history
    return {name: [float(value) for value in values] for name, values in history.items()}


def distributed(rate=0.1, momentum=0.0, **options):
    return hvd.DistributedOptimizer(SGD(rate, momentum=momentum), **options)


seen["average"] = train(distributed(), [callbacks.MetricAverageCallback()])[1:]
seen["sum"] = train(distributed(op=hvd.Sum))[2]
model, _, weights = train(distributed(backward_passes_per_step=2))
seen["passes"] = [weights, int(backend.get_value(model.optimizer.iterations))]
averages = {"backward_passes_per_step": 2, "average_aggregated_gradients": True}
seen["averaged passes"] = train(distributed(**averages))[2]
broadcast = callbacks.BroadcastGlobalVariablesCallback(1)
seen["broadcast"] = train(distributed(0.0), [broadcast], start=float(rank + 1))[2]

rates = Rates()
warmup = callbacks.LearningRateWarmupCallback(initial_lr=0.1, warmup_epochs=2, verbose=1)
_, history, weights = train(distributed(0.1, 0.9), [warmup, rates], 3)
seen["warmup"] = [rates.seen, history["lr"], weights]

rates, schedule = Rates(), callbacks.LearningRateScheduleCallback
steps = [
    schedule(initial_lr=0.1, multiplier=1.0, end_epoch=1),
    schedule(initial_lr=0.1, multiplier=0.5, start_epoch=1, end_epoch=2),
    schedule(0.1, lambda epoch: 0.1**epoch, 2, staircase=False, momentum_correction=False),
]
_, history, weights = train(distributed(0.1, 0.9), [*steps, rates], 3)
seen["schedule"] = [rates.seen, history["lr"], weights]

backend.clear_session()
constant = tf.keras.initializers.Constant(0.5)
dense = tf.keras.layers.Dense(2, input_shape=(3,), kernel_initializer=constant)
last = tf.keras.layers.Dense(1, kernel_initializer=constant)
model = tf.keras.Sequential([dense, SyncBatchNormalization(momentum=0.5), last])
model.compile(distributed(), "mse")
history = fit(model, 2)
predicted = model.predict(features[:4], batch_size=4).ravel().tolist()
updates = len(tf.compat.v1.get_collection("update_ops"))
seen["batch normalization"] = [predicted, [each.tolist() for each in model.get_weights()], updates]

adam = tf.keras.optimizers.Adam(0.01)
model, _, weights = train(hvd.DistributedOptimizer(adam, compression=hvd.Compression.fp16))
path = os.path.join(tempfile.mkdtemp(), "model.h5")
model.save(path)
backend.clear_session()
loaded = hvd.load_model(path)
seen["adam"] = [weights, [type(each.optimizer).__name__ for each in (model, loaded)]]
fit(loaded, 1)
iterations = int(backend.get_value(loaded.optimizer.iterations))
seen["loaded"] = [[each.tolist() for each in loaded.get_weights()], iterations]
values = [hvd.allreduce([1.0 + rank]), hvd.allreduce([1.0 + rank], op=hvd.Sum)]
values += [hvd.allgather([rank]), hvd.broadcast([rank], 1)]
seen["values"] = [np.asarray(value).tolist() for value in values]
print("seen " + json.dumps(seen), flush=True)
