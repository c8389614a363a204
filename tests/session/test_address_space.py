"""A process with limited address space: oversized steps fail alone, and variables stay intact."""

import subprocess
import sys

import pytest

PROGRAM = """
import resource
import numpy as np
import tfmini as tf

times = tf.placeholder(tf.int32, [])
w = tf.get_variable("w", [512, 512], initializer=tf.ones_initializer())
loss = tf.reduce_sum(tf.square(tf.tile(w, [times, 1])))
train = tf.train.AdamOptimizer(0.1).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(train, {times: 2})
    before = session.run(tf.global_variables())
    # Room for the stacks and thread-local data of threads that start later: where these fail, glibc ends the process.
    with open("/proc/self/statm") as file:
        now = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + (1 << 30), resource.RLIM_INFINITY))
    for fetched in (train, tf.tile(w, [times, 1]), tf.broadcast_to(w, [times, 512, 512])):
        try:
            session.run(fetched, {times: 4000})
        except tf.errors.ResourceExhaustedError as error:
            print(error.message[:8])
    after = session.run(tf.global_variables())
    print(all((a == b).all() for a, b in zip(before, after)))
    session.run(train, {times: 2})
    print((session.run(w) != before[0]).all())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
def test_oom_step_changes_no_variable():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert done.stdout.split("\n")[:5] == ["OOM when"] * 3 + ["True"] * 2, done.stderr
