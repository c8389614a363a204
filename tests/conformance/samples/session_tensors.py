"""Session tensor handles: created, read, deleted."""

import numpy as np

import tfmini as tf
from tests.conformance.samples import Sample
from tfmini._src.graph.opdef import raw

X = np.array([1.0, 2.0], np.float32)
HANDLE = b"GetSessionHandle;0;/job:localhost/replica:0/task:0/device:CPU:0"


def kept(*after):
    """A stored tensor; then the result of `after`."""

    def build(_):
        with tf.device("/cpu:0"):
            return [raw.GetSessionHandle(X), *(make() for make in after)]

    return build


def length_of(_):
    with tf.device("/cpu:0"):
        return [tf.strings.length(raw.GetSessionHandle(X))]


def read():
    return raw.GetSessionTensor(HANDLE, tf.float32)


def value_of_second(_):
    made = raw.GetSessionHandleV2(X)
    return [lambda session: session.run(made).eval()]


def deleted(_):
    with tf.device("/cpu:0"):
        handle, value, deletes = raw.GetSessionHandle(X), read(), raw.DeleteSessionTensor(HANDLE)

    def is_gone(session):
        try:
            session.run(value)
        except tf.errors.InvalidArgumentError:
            return True

    return [handle, value, deletes, is_gone]


SAMPLES = [
    Sample("GetSessionHandle", expect=np.int32(len(HANDLE)), build=length_of),
    Sample("GetSessionHandleV2", expect=X, build=value_of_second),
    Sample("GetSessionTensor", expect=X, build=kept(read)),
    Sample("DeleteSessionTensor", expect=True, build=deleted),
]
