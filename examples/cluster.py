"""Classifies handwritten digits, trained by two parameter servers and two workers: four processes, one command.

Each worker builds the same graph: variables on the parameter servers round-robin, everything else on itself. In
asynchronous training, each worker's step updates the variables when it completes; in synchronous training, one update
applies both workers' gradients.

    python examples/cluster.py                # asynchronous, takes some seconds
    python examples/cluster.py --synchronous

On several machines, run the script on each, with TF_CONFIG set to the cluster and the task's role:

    TF_CONFIG='{"cluster": {"ps": ["a:2222"], "worker": ["b:2222", "c:2222"]}, "task": {"type": "worker", "index": 1}}'
"""

import argparse
import json
import os
import subprocess
import sys

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

import tfmini as tf

PIXELS, HIDDEN, CLASSES, BATCH = 64, 128, 10, 50


def load():
    """The scans as [n, 64] floats from 0 to 1 and their digits as [n] ints, split 80 to 20."""
    digits = load_digits()
    pixels = (digits.data / 16).astype(np.float32)
    return train_test_split(pixels, digits.target.astype(np.int32), test_size=0.2, random_state=0)


def dense(name, x, units):
    """x @ weights + biases, with variables of the scope `name`."""
    with tf.variable_scope(name):
        weights = tf.get_variable("weights", [x.shape[1], units])
        biases = tf.get_variable("biases", [units], initializer=tf.zeros_initializer())
        return tf.nn.bias_add(tf.matmul(x, weights), biases)


class Reader:
    """The graph, on the devices of the `tf.device` around it."""

    def __init__(self, optimizer):
        self.pixels = tf.placeholder(tf.float32, [None, PIXELS])
        self.digits = tf.placeholder(tf.int32, [None])
        logits = dense("output", tf.nn.relu(dense("hidden", self.pixels, HIDDEN)), CLASSES)
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=self.digits, logits=logits)
        right = tf.equal(tf.argmax(logits, axis=1, output_type=tf.int32), self.digits)
        self.accuracy = tf.reduce_mean(tf.cast(right, tf.float32))
        self.step = tf.train.get_or_create_global_step()
        self.train = optimizer.minimize(tf.reduce_mean(losses), global_step=self.step)


def work(server, cluster, task, options):
    """The part of one worker; the first is the chief, which initializes the variables and reports the accuracy."""
    is_chief, own = task == 0, f"/job:worker/task:{task}"
    optimizer = tf.train.AdamOptimizer(2e-3)
    with tf.device(tf.train.replica_device_setter(cluster=cluster, worker_device=own)):
        if options.synchronous:
            optimizer = tf.train.SyncReplicasOptimizer(optimizer, cluster.num_tasks("worker"))
        reader = Reader(optimizer)
        starting = {"init_op": tf.global_variables_initializer()}
        if options.synchronous:
            starting["local_init_op"] = (
                optimizer.chief_init_op if is_chief else optimizer.local_step_init_op
            )
            starting["ready_for_local_init_op"] = optimizer.ready_for_local_init_op
            tokens, runner = optimizer.get_init_tokens_op(), optimizer.get_chief_queue_runner()
    supervisor = tf.train.Supervisor(
        is_chief=is_chief,
        summary_op=None,
        saver=None,
        recovery_wait_secs=1,
        **starting,
    )
    train_pixels, test_pixels, train_digits, test_digits = load()
    random = np.random.RandomState(task)
    # A worker connects to the parameter servers only, not to other workers, which may exit earlier.
    config = tf.ConfigProto(device_filters=["/job:ps", own])
    patience = tf.RunOptions(timeout_in_ms=3000)
    with supervisor.managed_session(server.target, config) as session:
        if options.synchronous and is_chief:
            supervisor.start_queue_runners(session, [runner])
            session.run(tokens)
        step = steps = 0
        while step < options.steps:
            chosen = random.randint(len(train_pixels), size=BATCH)
            feed = {reader.pixels: train_pixels[chosen], reader.digits: train_digits[chosen]}
            try:
                _, step = session.run([reader.train, reader.step], feed, options=patience)
            except tf.errors.DeadlineExceededError:
                step = session.run(
                    reader.step
                )  # the other worker is slow, or has made the last step
                continue
            steps += 1
        print(f"{steps} steps of {step}")
        if is_chief:
            feed = {reader.pixels: test_pixels, reader.digits: test_digits}
            print(f"test accuracy: {session.run(reader.accuracy, feed):.3f}")
        supervisor.request_stop()  # later exceptions in threads are not failures
        session.close()  # ends the chief's thread that waits for gradients
    supervisor.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--steps", type=int, default=1200, help="total updates by all workers")
    parser.add_argument("--synchronous", action="store_true")
    options = parser.parse_args()
    if "TF_CONFIG" not in os.environ:
        tasks = ["launch", "--ps", "2", "--workers", "2"]
        sys.exit(subprocess.call([sys.executable, "-m", "tfmini", *tasks, __file__, *sys.argv[1:]]))
    config = json.loads(os.environ["TF_CONFIG"])
    job, task = config["task"]["type"], config["task"]["index"]
    cluster = tf.train.ClusterSpec(config["cluster"])
    server = tf.train.Server(cluster, job_name=job, task_index=task)
    if job == "ps":
        server.join()
    work(server, cluster, task, options)


if __name__ == "__main__":
    main()
