"""Barriers, mutexes, and file records in random order."""

import os
import tempfile

import numpy as np

import tfmini as tf
from tests.conformance.samples import Sample
from tfmini._src.graph.opdef import raw

KEYS = np.array([b"a", b"b"], object)
X = np.array([1.0, 2.0], np.float32)
LOWEST = np.full(1, -(2**63), np.int64)


def barrier(*after):
    """A barrier of two components, the first of them inserted; then the result of `after` for its handle."""

    def build(_):
        handle = raw.Barrier([tf.float32, tf.int32], shapes=[[], []])
        return [raw.BarrierInsertMany(handle, KEYS, X, 0), *(make(handle) for make in after)]

    return build


def complete(handle):
    return raw.BarrierInsertMany(handle, KEYS[1:], np.array([7], np.int32), 1)


def take(handle):
    return list(raw.BarrierTakeMany(handle, 1, [tf.float32, tf.int32]).values)


def take_all(handle):
    taken = raw.BarrierTakeMany(handle, 1, [tf.float32, tf.int32])
    return [taken.indices, taken.keys, *taken.values]


def in_turn(_):
    """Two nodes on one mutex: the second acquires it once the first is consumed."""
    mutex = raw.MutexV2(shared_name="m")
    first, second = raw.MutexLock(mutex), raw.MutexLock(mutex)
    with tf.control_dependencies([raw.ConsumeMutexLock(first)]):
        one = tf.constant(1.0) + 0.0
    with tf.control_dependencies([raw.ConsumeMutexLock(second)]):
        return [[one, tf.constant(2.0) + 0.0]]


def records(_):
    path = os.path.join(tempfile.gettempdir(), "tfmini_sample_records")
    with tf.python_io.TFRecordWriter(path) as writer:
        for record in (b"one", b"one"):
            writer.write(record)
    return [raw.RecordInput(path, batch_size=3, file_buffer_size=2, file_parallelism=1)]


SAMPLES = [
    Sample(
        "Barrier",
        expect=np.int32(2),
        build=barrier(lambda handle: raw.BarrierIncompleteSize(handle)),
    ),
    Sample("BarrierInsertMany", expect=(X[1:], np.array([7])), build=barrier(complete, take)),
    Sample(
        "BarrierTakeMany",
        expect=(LOWEST, KEYS[1:], X[1:], np.array([7], np.int32)),
        build=barrier(complete, take_all),
    ),
    Sample("BarrierReadySize", expect=np.int32(1), build=barrier(complete, raw.BarrierReadySize)),
    Sample("BarrierIncompleteSize", expect=np.int32(2), build=barrier(raw.BarrierIncompleteSize)),
    Sample(
        "BarrierClose",
        expect=np.int32(0),
        build=barrier(
            lambda handle: raw.BarrierClose(handle, cancel_pending_enqueues=True),
            raw.BarrierIncompleteSize,
        ),
    ),
    *(
        Sample(name, expect=(np.float32(1), np.float32(2)), build=in_turn)
        for name in ("MutexV2", "MutexLock", "ConsumeMutexLock")
    ),
    Sample("RecordInput", expect=np.array([b"one"] * 3, object), build=records),
]
