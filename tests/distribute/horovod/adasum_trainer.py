"""Steps combined by Adasum in two processes; prints the variable after each step."""

import json

import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()


def train(passes):
    with tf.Graph().as_default():
        weights = tf.get_variable("weights", initializer=[1.0, 2.0])
        own = [[1.0, 0.0], [1.0, 1.0]][hvd.rank()]
        loss = tf.reduce_sum(weights * own)
        optimizer = hvd.DistributedOptimizer(
            tf.train.MomentumOptimizer(0.5, 0.0), op=hvd.Adasum, backward_passes_per_step=passes
        )
        step = optimizer.minimize(loss, global_step=tf.train.get_or_create_global_step())
        assert optimizer.get_slot_names() == ["momentum", "delta_start"]
        assert optimizer.get_slot(weights, "delta_start") is not None
        with tf.train.MonitoredTrainingSession() as session:
            seen = []
            for _ in range(4):
                session.run(step)
                seen.append(session.run(weights).tolist())
            return seen


print("seen " + json.dumps({"each": train(1), "second": train(2)}), flush=True)
