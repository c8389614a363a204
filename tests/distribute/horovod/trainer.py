"""A trainer for several processes: `python -m tfmini launch --ranks 2 trainer.py`."""

import sys

import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf

hvd.init()
rank, size = hvd.rank(), hvd.size()
if len(sys.argv) > 1 and rank == 1:  # fails once
    marker = sys.argv[1]
    try:
        open(marker, "x").close()
        sys.exit(3)
    except FileExistsError:
        pass
x = tf.placeholder(tf.float32, [None, 4])
y = tf.placeholder(tf.float32, [None, 1])
table = tf.get_variable("table", [6, 1], initializer=tf.constant_initializer(float(rank + 1)))
weights = tf.get_variable("weights", [4, 1], initializer=tf.constant_initializer(float(rank)))
rows = tf.nn.embedding_lookup(table, [rank, 5])
loss = tf.reduce_mean(tf.square(tf.matmul(x, weights) - y)) + 0.1 * tf.reduce_sum(rows)
step = tf.train.get_or_create_global_step()
optimizer = hvd.DistributedOptimizer(tf.train.GradientDescentOptimizer(0.2))
train = optimizer.minimize(loss, global_step=step)
large = tf.constant(np.arange(100_000, dtype=np.float32) * (rank + 1))
mean = hvd.allreduce(large)
total = hvd.allreduce(tf.constant([2.0, rank]), op=hvd.Sum, compression=hvd.Compression.fp16)
joined = hvd.allgather(tf.fill([rank + 1], rank))
root = hvd.broadcast(tf.constant(rank * 10), 1)
slope = tf.gradients(hvd.allgather(weights * 2.0) * tf.constant([[1.0 + rank]]), weights)[0]
random = np.random.RandomState(rank)
own = []
with tf.train.MonitoredTrainingSession(hooks=[hvd.BroadcastGlobalVariablesHook(0)]) as session:
    begun = session.run(weights).ravel().tolist()
    for _ in range(20):
        features = random.rand(8, 4).astype("float32")
        feed = {x: features, y: features.dot([[1], [2], [3], [4]])}
        session.run(train, feed)
    assert np.array_equal(session.run(mean), np.arange(100_000, dtype=np.float32) * (size + 1) / 2)
    found = session.run([weights, table, total, joined, root, slope])
print([np.round(np.asarray(each, float), 5).ravel().tolist() for each in found], begun, flush=True)
print("place", rank, size, hvd.local_rank(), hvd.local_size(), flush=True)
