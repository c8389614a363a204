"""Eager training in two processes: tapes, a Keras model; prints both results."""

import json

import horovod.tensorflow as hvd
import horovod.tensorflow.keras as hvd_keras
import numpy as np
import tensorflow as tf

tf.enable_eager_execution()
hvd.init()
rank = hvd.rank()
seen = {"mean": hvd.allreduce(tf.constant([2.0 * rank])).numpy().tolist()}
weights = tf.Variable([1.0, 2.0])
unused = tf.Variable(3.0)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(weights * (rank + 1.0))
tape = hvd.DistributedGradientTape(tape)
grads = tape.gradient(loss, {"weights": weights, "unused": unused})
seen["tape"] = [grads["weights"].numpy().tolist(), grads["unused"]]
tf.train.GradientDescentOptimizer(1.0).apply_gradients([(grads["weights"], weights)])
weights.assign_add([float(rank), 0.0])
hvd.broadcast_variables([weights], 1)
seen["weights"] = weights.numpy().tolist()

dense = tf.keras.layers.Dense(1, input_shape=(1,), kernel_initializer=tf.ones_initializer())
model = tf.keras.Sequential([dense])
model.compile(hvd_keras.DistributedOptimizer(tf.keras.optimizers.SGD(0.5)), "mae", run_eagerly=True)
x = np.full([4, 1], 1.0 + rank, np.float32)
callbacks = [hvd_keras.callbacks.BroadcastGlobalVariablesCallback(0)]
model.fit(x, x * 0 + 9, batch_size=4, epochs=2, verbose=0, callbacks=callbacks)
seen["model"] = [each.tolist() for each in model.get_weights()]
print("seen " + json.dumps(seen), flush=True)
