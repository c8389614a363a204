"""A trainer with one emulated GPU per process: `python -m tfmini launch --ranks 2 gpu_trainer.py`."""

import json

import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf

from tests.support.gpu.gpus import fake_gpus


def train(machine):
    """Trains over NCCL, and again on the same gradients between the hosts; returns the results."""
    rank = hvd.rank()
    x = tf.placeholder(tf.float32, [None, 4])
    with tf.device("/gpu:0"):
        weights = tf.get_variable("w", [4, 3], initializer=tf.constant_initializer(rank + 0.5))
        bias = tf.get_variable("b", [3], initializer=tf.constant_initializer(rank))
        table = tf.get_variable("t", [6, 3], initializer=tf.constant_initializer(rank + 1.0))
        rows = tf.nn.embedding_lookup(table, [rank, 5])
        loss = tf.reduce_sum(tf.square(tf.matmul(x, weights) + bias)) + tf.reduce_sum(rows)
        sgd = tf.train.GradientDescentOptimizer(0.01)
        small = hvd.DistributedOptimizer(sgd, compression=hvd.Compression.fp16)
        train_op = hvd.DistributedOptimizer(sgd).minimize(loss)
        halves = [grad for grad, _ in small.compute_gradients(loss, [weights, bias])]
        over_gpus = hvd.allreduce(weights, op=hvd.Sum)
        joined = hvd.allgather(weights[: rank + 1])
        slope = tf.gradients(hvd.allgather(weights) * (1.0 + rank), weights)[0]
    on_hosts = hvd.DistributedOptimizer(sgd, device_dense="/cpu:0", device_sparse="/cpu:0")
    grads = [grad for grad, _ in on_hosts.compute_gradients(loss, [weights, bias])]
    feed = {x: np.random.RandomState(rank).rand(5, 4).astype("float32")}
    launched = machine.counters.launch_names
    options = tf.GPUOptions(visible_device_list=str(hvd.local_rank()), allow_growth=True)
    hooks = [hvd.BroadcastGlobalVariablesHook(0)]
    config = tf.ConfigProto(gpu_options=options)
    with tf.train.MonitoredTrainingSession(hooks=hooks, config=config) as session:
        assert launched["broadcast"] == 3
        result = session.run([weights, grads, halves, over_gpus, joined, slope], feed)
        before = launched["allReduce"], machine.counters.copies["d2h"]
        for _ in range(8):  # the last of them are captured graphs
            session.run(train_op, feed)
        # The gradients of two variables, in one bucket; the host sees only the indices of the third's.
        assert launched["allReduce"] - before[0] == 8 and launched["graph"], launched
        copied = machine.counters.copies["d2h"] - before[1]
        result += session.run([weights, bias, table], feed)
    for half, whole in zip(result[2], result[1]):
        np.testing.assert_allclose(
            half, whole, rtol=2e-3
        )  # rounded to float16 before and after the sum
    assert np.array_equal(result[3], result[0] * 2) and result[4].shape == (3, 3)
    results = [*result[1], result[5], *result[6:]]
    return [np.round(each.astype(float), 5).tolist() for each in results], copied


with fake_gpus(devices=2, memory=128 << 20) as machine:
    machine.polls_before_done = 1  # ranks poll their events
    hvd.init()
    print(json.dumps(train(machine)), flush=True)
    hvd.shutdown()
