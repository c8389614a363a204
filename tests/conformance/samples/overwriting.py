"""Row updates and additions, and uninitialized tensors."""

import numpy as np

import tfmini as tf
from tests.conformance.samples import Sample

X = np.arange(12, dtype="f").reshape(4, 3)
V = np.array([[10.0, 20.0, 30.0], [1.0, 2.0, 3.0]], "f")


def changed(change):
    def expect(x, i, v):
        result = x.copy()
        for row, value in zip(i, v):
            result[row] = change(result[row], value)
        return result

    return expect


UPDATES = [
    Sample("InplaceUpdate", [X, np.array([2, 0], "i4"), V], expect=changed(lambda old, new: new)),
    Sample("InplaceUpdate", [X > 5, np.array([-1], "i4"), V[1:] > 1.5], expect=changed(lambda old, new: new),
           note="from the end"),
    Sample("InplaceAdd", [X, np.array([2, 2], "i4"), V], expect=changed(lambda old, new: old + new)),
    Sample("InplaceSub", [X.astype("i4"), np.array([3, 1], "i4"), V.astype("i4")],
           expect=changed(lambda old, new: old - new)),
    Sample("InplaceSub", [X, np.array([2, 2], "i4"), V], expect=changed(lambda old, new: old - new), note="floats"),
    Sample("InplaceAdd", [X.astype("i8"), np.array([2, 2], "i4"), V.astype("i8")],
           expect=changed(lambda old, new: old + new), note="of 64 bits"),
]  # fmt: skip

MADE = [
    Sample("Empty", [np.array([2, 3], "i4")], {"dtype": tf.float32, "init": True}, np.zeros((2, 3), "f")),
    Sample("Empty", [np.zeros(0, "i4")], {"dtype": tf.int64, "init": True}, np.array(0), note="scalar"),
    Sample("DeepCopy", [X], expect=X),
]  # fmt: skip

SAMPLES = UPDATES + MADE
