"""A process that saves in a loop, killed at a random moment: only the last complete checkpoint remains."""

import os
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import tfmini as tf

LOOP = """
import os, sys
import tfmini as tf
prefix, with_steps, sharded = sys.argv[1], sys.argv[2] == "steps", sys.argv[3] == "shards"
a = tf.get_variable("a", [40000], tf.float64, tf.zeros_initializer())
with tf.device("/cpu:1" if sharded else ""):
    b = tf.get_variable("b", [500], tf.float64, tf.zeros_initializer())
number = tf.placeholder(tf.float64, [])
both = [a.assign(tf.zeros([40000], tf.float64) + number), b.assign(tf.zeros([500], tf.float64) + number)]
saver = tf.train.Saver(max_to_keep=2, sharded=sharded)
config = tf.ConfigProto(device_count={"CPU": 2})
with tf.Session(config=config) as session:
    for i in range(1, 1 << 30):
        session.run(both, {number: i})
        saver.save(session, prefix, global_step=i if with_steps else None, write_meta_graph=False)
        sys.stdout.write(f"{i}\\n")
        sys.stdout.flush()
"""


def killed(prefix, steps, shards, wait):
    """Runs the loop and kills it some time after its first save; returns the last number that it printed."""
    command = [sys.executable, "-c", LOOP, prefix, steps, shards]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        first = process.stdout.readline()
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)
        rest = process.stdout.read().split(b"\n")[:-1]  # the last line may be truncated
    return int(rest[-1] if rest else first)


def restored(prefix):
    reader = tf.train.NewCheckpointReader(prefix)
    a, b = reader.get_tensor("a"), reader.get_tensor("b")
    assert (a == a[0]).all() and (b == a[0]).all()
    return int(a[0])


@pytest.mark.parametrize("shards", ["one", "shards"])
@pytest.mark.parametrize("steps", ["steps", "overwritten"])
def test_killed_saver_leaves_complete_checkpoint(tmp_path, steps, shards):
    chosen = random.Random(steps + shards)
    rounds = int(os.environ.get("TFMINI_KILLS", "4")) // 4
    for _ in range(rounds):
        prefix = str(tmp_path / "model")
        last_step = killed(prefix, steps, shards, chosen.uniform(0, 0.05))
        latest = tf.train.latest_checkpoint(str(tmp_path))
        # It may have saved once more than reported.
        assert restored(latest) in (last_step, last_step + 1)
        check_left(tmp_path)


def check_left(directory):
    """The next save removes leftover files."""
    with tf.Graph().as_default(), tf.Session() as session:
        tf.get_variable("other", initializer=np.float32(1))
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, str(directory / "other"), write_state=False)
    left = [name for name in os.listdir(directory) if "temp" in name]
    assert not left
