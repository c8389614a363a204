"""Checkpoints written and read, for both sides; they run under Python 3.7 too."""

import os
import shutil
import tempfile
import time

import numpy as np

from ci.benchmarks.workloads import memory, once, reset_peak

TENSORS = 100
ELEMENTS = 2500000  # of each: 10 MB, 1 GB in all


def seconds(function):
    begin = time.perf_counter()
    function()
    return time.perf_counter() - begin


def settled():
    """Waits until the disk has what was written, so that one figure does not pay for another."""
    os.sync()


def written_plainly(path, array):
    with open(path, "wb", 0) as file:
        for _ in range(TENSORS):
            file.write(array)


def read_plainly(path):
    values = []
    with open(path, "rb", 0) as file:
        for _ in range(TENSORS):
            values.append(np.empty(ELEMENTS, np.float32))
            file.readinto(memoryview(values[-1]).cast("B"))


def with_peak(function):
    """How long it takes, and the MB by which the process grows meanwhile."""
    reset_peak()
    before = memory()
    spent = seconds(function)
    return spent, memory("VmHWM") - before


@once
def checkpoint(tf):
    """1 GB in 100 variables: saved, restored into a new session, and beside that plainly written and read."""
    folder = tempfile.mkdtemp()
    prefix = os.path.join(folder, "model")
    figures = {}
    try:
        with tf.Graph().as_default():
            values = [
                tf.get_variable(f"v{i:03d}", [ELEMENTS], initializer=tf.ones_initializer())
                for i in range(TENSORS)
            ]
            saver = tf.train.Saver()
            with tf.Session() as session:
                session.run([v.initializer for v in values])
                figures["save"], figures["save_memory"] = with_peak(
                    lambda: saver.save(session, prefix, write_meta_graph=False)
                )
                settled()
            with tf.Session() as session:
                figures["restore"], grown = with_peak(lambda: saver.restore(session, prefix))
                figures["restore_memory"] = grown - TENSORS * ELEMENTS * 4 / 1e6 / 1.048576
        plain = os.path.join(folder, "plain")
        array = np.ones(ELEMENTS, np.float32)
        figures["save_over_plain"] = figures["save"] / seconds(
            lambda: written_plainly(plain, array)
        )
        settled()
        figures["restore_over_plain"] = figures["restore"] / seconds(lambda: read_plainly(plain))
    finally:
        shutil.rmtree(folder)
    return figures


@once
def checkpoint_open(tf):
    """A checkpoint of 10,000 tensors opened, and one of them read."""
    folder = tempfile.mkdtemp()
    prefix = os.path.join(folder, "model")
    with tf.Graph().as_default(), tf.Session() as session:
        names = [f"layer_{i:05d}/weights" for i in range(10000)]
        values = [np.full([64], i, np.float32) for i in range(10000)]
        write = tf.raw_ops.SaveV2(
            prefix=prefix, tensor_names=names, shape_and_slices=[""] * 10000, tensors=values
        )
        session.run(write)
    try:
        return {"seconds": seconds(lambda: tf.train.load_variable(prefix, "layer_05000/weights"))}
    finally:
        shutil.rmtree(folder)
