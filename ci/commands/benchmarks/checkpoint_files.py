"""Checkpoint writing and reading, for both sides; also runs under Python 3.7."""

import gc
import os
import shutil
import tempfile
import time

import numpy as np

from ci.commands.benchmarks.workloads import memory, once, reset_peak

TENSORS = 100
ELEMENTS = 2500000  # of each: 10 MB, 1 GB in all
ROUNDS = 3


def seconds(function):
    begin = time.perf_counter()
    function()
    return time.perf_counter() - begin


def wait_for_writes():
    """Waits until writes have reached the disk, so that they do not affect the next measurement."""
    gc.collect()
    os.sync()


def written_plainly(path, arrays):
    """Writes the same bytes from as many arrays, under a temporary name as for a checkpoint."""
    with open(path + ".new", "wb", 0) as file:
        for array in arrays:
            file.write(array)
    os.replace(path + ".new", path)


def read_plainly(path):
    values = []
    with open(path, "rb", 0) as file:
        for _ in range(TENSORS):
            values.append(np.empty(ELEMENTS, np.float32))
            file.readinto(memoryview(values[-1]).cast("B"))


def time_works(works):
    """Seconds of each work by name: medians of ROUNDS rounds in alternating order.

    A warm-up round, which allocates memory from the system, is discarded.
    """
    times = {name: [] for name in works}
    for round_index in range(1 + ROUNDS):
        for name in sorted(works, reverse=round_index % 2):
            wait_for_writes()
            times[name].append(seconds(works[name]))
    return {name: float(np.median(each[1:])) for name, each in times.items()}


def growth(function):
    """The MB of memory that `function` adds to the process."""
    gc.collect()
    reset_peak()
    before = memory()
    function()
    return memory("VmHWM") - before


@once
def checkpoint(tf):
    """1 GB in 100 variables saved, restored into new sessions and over values; the same plainly written and read."""
    directory = tempfile.mkdtemp()
    prefix, plain = os.path.join(directory, "model"), os.path.join(directory, "plain")
    arrays = [np.ones(ELEMENTS, np.float32) for _ in range(TENSORS)]
    try:
        with tf.Graph().as_default():
            values = [
                tf.get_variable(f"v{i:03d}", [ELEMENTS], initializer=tf.ones_initializer())
                for i in range(TENSORS)
            ]
            saver = tf.train.Saver()

            def restore():
                with tf.Session() as session:
                    saver.restore(session, prefix)

            with tf.Session() as session:
                session.run([v.initializer for v in values])

                def save():
                    saver.save(session, prefix, write_meta_graph=False)

                figures = time_works(
                    {"save": save, "written": lambda: written_plainly(plain, arrays)}
                )
                figures["save_memory"] = growth(save)
                saver.restore(session, prefix)
                over = growth(lambda: saver.restore(session, prefix))
            figures.update(time_works({"restore": restore, "read": lambda: read_plainly(plain)}))
            new = growth(restore) - TENSORS * ELEMENTS * 4 / 2.0**20
    finally:
        shutil.rmtree(directory)
    figures["save_over_plain"] = figures["save"] / figures["written"]
    figures["restore_over_plain"] = figures["restore"] / figures["read"]
    figures["restore_memory"] = max(over, new)
    return figures


@once
def checkpoint_open(tf):
    """A checkpoint of 10,000 tensors opened, and one of them read."""
    directory = tempfile.mkdtemp()
    prefix = os.path.join(directory, "model")
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
        shutil.rmtree(directory)
