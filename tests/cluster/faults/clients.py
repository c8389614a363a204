"""Clients of a cluster under faults: `trainer|waiter TARGET CLUSTER INDEX FOLDER`.

A trainer prints `from STEP` for each session created, and for each completed step its number, start time and
session. A waiter prints `waits`, and waits for a queue element.
"""

import functools
import json
import sys
import time

import tfmini as tf


def log_of_steps():
    """The parameter server's queue into which each step enqueues (trainer, number)."""
    with tf.device("/job:ps/task:0"):
        return tf.FIFOQueue(100_000, [tf.int64], shapes=[[2]], shared_name="steps")


def items():
    """The parameter server's queue on which waiters block."""
    with tf.device("/job:ps/task:0"):
        return tf.FIFOQueue(10, [tf.int64], shapes=[[]], shared_name="items")


def filters(index):
    """Device filters of a worker's session, as an Estimator sets them."""
    return tf.ConfigProto(device_filters=["/job:ps", f"/job:worker/task:{index}"])


def train(target, cluster, index, folder):
    manager = tf.train.SessionManager
    manager.__init__ = functools.partialmethod(manager.__init__, recovery_wait_secs=0.3)
    device = f"/job:worker/task:{index}"
    with tf.device(tf.train.replica_device_setter(cluster=cluster, worker_device=device)):
        step = tf.train.get_or_create_global_step()
        number = tf.placeholder(tf.int64, [])
        noted = log_of_steps().enqueue([tf.stack([tf.constant(index, tf.int64), number])])
        with tf.control_dependencies([noted]):
            add = tf.assign_add(step, 1, use_locking=True)

    class Beginning(tf.train.SessionRunHook):
        def after_create_session(self, session, coord):
            print("from", session.run(step), flush=True)

    with tf.train.MonitoredTrainingSession(
        target,
        is_chief=index == 0,
        checkpoint_dir=folder,
        save_checkpoint_secs=1,
        save_summaries_steps=None,
        log_step_count_steps=None,
        hooks=[Beginning()],
        config=filters(index),
    ) as session:
        while True:
            began = time.time()
            unique = time.monotonic_ns()
            session.run(add, {number: unique})
            print("step", unique, began, flush=True)
            time.sleep(0.02)


def wait(target, index):
    item = items().dequeue()
    with tf.Session(target, config=filters(index)) as session:
        session.run(tf.constant(1.0))
        print("waits", flush=True)
        print("taken", session.run(item), flush=True)


if __name__ == "__main__":
    kind, address, tasks, task, checkpoints = sys.argv[1:]
    if kind == "trainer":
        train(address, json.loads(tasks), int(task), checkpoints)
    else:
        wait(address, int(task))
