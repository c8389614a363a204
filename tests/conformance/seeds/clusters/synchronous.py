"""Row T23: synchronous training by SyncReplicasOptimizer, run by `python -m tfmini run` or TensorFlow."""

import os
import sys
import time

import numpy as np
import tensorflow as tf


def main(ps_hosts, worker_hosts, job, task, logdir, steps):
    cluster = tf.train.ClusterSpec({"ps": ps_hosts.split(","), "worker": worker_hosts.split(",")})
    task, steps = int(task), int(steps)
    server = tf.train.Server(cluster, job_name=job, task_index=task)
    if job == "ps":
        server.join()
    is_chief = task == 0
    workers = cluster.num_tasks("worker")
    setter = tf.train.replica_device_setter(
        worker_device="/job:worker/task:{}".format(task), cluster=cluster
    )
    with tf.device(setter):
        x = tf.placeholder(tf.float32, [None, 4])
        y = tf.placeholder(tf.float32, [None, 1])
        weights = tf.get_variable("weights", [4, 1], initializer=tf.zeros_initializer())
        loss = tf.reduce_mean(tf.square(tf.matmul(x, weights) - y))
        global_step = tf.train.get_or_create_global_step()
        optimizer = tf.train.SyncReplicasOptimizer(
            tf.train.GradientDescentOptimizer(0.4),
            replicas_to_aggregate=workers,
            total_num_replicas=workers,
        )
        train = optimizer.minimize(loss, global_step=global_step)
    hooks = [
        optimizer.make_session_run_hook(is_chief),
        tf.train.StopAtStepHook(last_step=steps),
    ]
    random = np.random.RandomState(task)
    config = tf.ConfigProto(device_filters=["/job:ps", "/job:worker/task:{}".format(task)])
    patience = tf.RunOptions(timeout_in_ms=4000)
    own, value = 0, float("nan")
    begun = [os.path.join(logdir, "begun-{}".format(number)) for number in range(workers)]
    with tf.train.MonitoredTrainingSession(
        master=server.target,
        is_chief=is_chief,
        checkpoint_dir=logdir,
        hooks=hooks,
        config=config,
        save_summaries_steps=None,
        log_step_count_steps=None,
        stop_grace_period_secs=5,
    ) as session:
        while not session.should_stop():
            features = random.rand(16, 4).astype("float32")
            feed = {x: features, y: features.dot([[1], [2], [3], [4]])}
            try:
                _, step, value = session.run(
                    [train, global_step, loss], feed, options=patience if own else None
                )
            except tf.errors.DeadlineExceededError:
                # Slow, or the other worker has made the last step and left: the hook stops at the step it sees.
                step = session.run(global_step)
                continue
            own += 1
            if own == 1:  # each has a token for its first step: all take part
                open(begun[task], "w").close()
                while not all(map(os.path.exists, begun)):
                    time.sleep(0.05)
    print("step {} own {} loss {:.4f}".format(step, own, value), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
