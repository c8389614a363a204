"""Checks of each op sample and golden program on GPUs, the fake's and a card's alike."""

import numpy as np

import tfmini as tf
from tests import comparing, recording
from tests.conformance import test_every_op
from tfmini._src.compiler.placement.gpu_kernels import host_arguments
from tfmini._src.graph.opdef import raw

SAMPLES = [s for s in test_every_op.SAMPLES if s.build is None]
BUILT = [s for s in test_every_op.SAMPLES if s.build is not None]
NO_GRADIENT = {"Digamma-half": "TensorFlow has no Polygamma of halves"}
DIFFERENTIABLE = [s for s in test_every_op.CHECKED if s.build is None and str(s) not in NO_GRADIENT]
PROGRAMS = recording.names_in("recorded_programs")


# Relative, of the largest element: a card adds up in another order, and its functions differ in the last digits.
TOLERANCES = {"e": 4e-3, "E": 2e-2, "f": 3e-5, "F": 3e-5, "d": 1e-9, "D": 1e-9}
# Of each element of a program's values, where large terms may have cancelled.
_OF_PROGRAMS = 1e-4


def check_value(sample):
    """The op of a row gives what the row expects; nodes go to GPU:0 wherever TensorFlow has a kernel there."""
    with tf.Graph().as_default(), tf.Session() as session:
        arguments, feed = test_every_op.feeds(sample, True)
        result = getattr(raw, sample.op)(*arguments, **sample.attrs)
        outputs = test_every_op.outputs_of(result)
        if host_arguments((outputs[0] if outputs else result).op) is None:
            return
        if sample.op == "Cast" and overflows(*sample.inputs, sample.attrs["DstT"]):
            return
        got = session.run(outputs, feed)
        assert all(isinstance(v, np.ndarray | np.generic) for v in got)
    test_every_op.compare(sample, got, test_every_op.expected(sample, sample.inputs))


def overflows(values, dtype):
    """Whether some number is none of the integers of `dtype`: what a card makes of it is its own affair."""
    if values.dtype.kind != "f" or not dtype.is_integer:
        return False
    return not bool(((values > dtype.min - 1.0) & (values < dtype.max + 1.0)).all())


def check_gradient(sample):
    """The gradients of a row are on a GPU what they are on the CPU."""
    compare_gradients(gradients(sample, tf.ConfigProto()), gradients(sample, without_gpus()))


def compare_gradients(found, expected):
    """Of the same dtypes and shapes, and as near as other orders of sums leave them."""
    assert len(found) == len(expected)
    for got, want in zip(found, expected):
        assert (got.dtype, got.shape) == (want.dtype, want.shape)
        largest = np.abs(want[np.isfinite(want)]).max(initial=1e-30)
        limit = TOLERANCES[want.dtype.char]
        # Terms of the order of one that cancel, as normalized numbers do in their sum, leave some units of rounding.
        rounding = 4 * np.finfo(want.dtype).eps if want.dtype.kind in "fc" else 0.0
        atol = limit * float(largest) + float(rounding)
        np.testing.assert_allclose(got, want, rtol=limit, atol=atol)


def without_gpus():
    return tf.ConfigProto(device_count={"GPU": 0})


def gradients(sample, config):
    """The gradients of the sum of a row's outputs, each times its own number, by the inputs that have some."""
    with tf.Graph().as_default():
        values = test_every_op.flat_inputs(sample)
        tensors = [tf.constant(value) for value in values]
        arguments = test_every_op.arguments_of(sample, tensors)
        result = getattr(raw, sample.op)(*arguments, **sample.attrs)
        outputs = test_every_op.outputs_of(result)
        floats = [t for t in outputs if t.dtype.is_floating or t.dtype.is_complex]
        chosen = [outputs[n] for n in sample.through] if sample.through else floats
        backwards = [tf.ones_like(t) * (n + 1) for n, t in enumerate(chosen)]
        by = [tensors[n] for n in test_every_op.wanted(sample)]
        found = [g for g in tf.gradients(chosen, by, backwards) if g is not None]
        found = [tf.convert_to_tensor(g) for g in found]
        with tf.Session(config=config) as session:
            return [np.asarray(v) for v in session.run(found)]


def check_program(name):
    """Each step of a golden program fetches what it fetched in TensorFlow."""
    want = recording.read(recording.path_of(name))
    steps = recording.record(tf, name)["steps"]
    tolerance = max(recording.tolerance(name), _OF_PROGRAMS)
    lines = comparing.step_differences(want["steps"], steps, tolerance)
    assert not lines, "\n".join(lines[:20])
