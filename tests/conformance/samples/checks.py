"""Assert, CheckNumerics, Print and PyFunc: their results without failures."""

import time

import numpy as np

from tests.conformance.samples import Sample
from tfmini._src.graph.opdef import raw

X = np.array([[1.0, -2.0, 3.0]], "f")
WORDS = np.array([b"a", b"b c"], object)


def passing_assert(tf):
    with tf.control_dependencies([raw.Assert(True, [X, WORDS])]):
        return [tf.identity(X)]


def printing(tf):
    with tf.control_dependencies([raw.PrintV2("", output_stream="stdout", end="")]):
        return [tf.identity(X)]


def python_function(tf):
    return [tf.py_func(lambda a, b: (a * 2, b + b"!"), [X, "hi"], [tf.float32, tf.string])]


def stateless_python_function(tf):
    return [tf.py_func(lambda a: a.sum(), [X], tf.float32, stateful=False)]


def eager_python_function(tf):
    return [tf.py_function(lambda a: a * 2 if a[0, 0] > 0 else a, [X], tf.float32)]


def clock(tf):
    return [tf.cast(raw.Timestamp() - time.time() < 60, tf.int32)]


SAMPLES = [
    Sample("Assert", build=passing_assert, expect=X),
    Sample("CheckNumerics", [X], {"message": "bad"}, expect=X, gradient=[0]),
    Sample("CheckNumerics", [X.astype("d")], {"message": "bad"}, expect=X, note="double"),
    Sample("Print", [X, [WORDS]], {"first_n": 0}, expect=X, gradient=[0]),
    Sample("PrintV2", build=printing, expect=X),
    Sample(
        "StringFormat",
        [[X, WORDS]],
        {"template": "x = %s, words = %s."},
        expect=np.array(b'x = [[1 -2 3]], words = ["a" "b c"].', object),
    ),
    Sample("PyFunc", build=python_function, expect=(X * 2, np.array(b"hi!", object))),
    Sample("PyFuncStateless", build=stateless_python_function, expect=np.float32(2)),
    Sample("EagerPyFunc", build=eager_python_function, expect=X * 2),
    Sample("Timestamp", build=clock, expect=1),
]
