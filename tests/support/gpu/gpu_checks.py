"""Checks of op samples and golden programs on GPUs, both emulated and real."""

import math

import numpy as np
from google.protobuf.message import DecodeError

import tfmini as tf
from tests.conformance import test_every_op
from tests.conformance.samples import Rows
from tests.support.gpu import idle_on_gpus
from tests.support.gpu.gpu_session import GpuSession
from tests.support.programs import comparing, recording
from tfmini._src.devices.cuda.gpu_kernels import host_arguments
from tfmini._src.graph.opdef import raw

SAMPLES = Rows(lambda s: s.build is None)
BUILT = Rows(lambda s: s.build is not None)
NO_GRADIENT = {"Digamma-half": "TensorFlow has no Polygamma of halves"}
DIFFERENTIABLE = Rows(
    lambda s: s.build is None and str(s) not in NO_GRADIENT and test_every_op.wanted(s)
)
PROGRAMS = recording.names_in("conformance/recorded_programs")


# Relative to the largest element: a GPU has another summation order, and its functions differ in the last digits.
TOLERANCES = {"e": 4e-3, "E": 2e-2, "f": 3e-5, "F": 3e-5, "d": 1e-9, "D": 1e-9}


def check_value(sample):
    """Runs a row's op, on GPU:0 if TensorFlow has a GPU kernel, and checks for the expected result.

    Returns `GpuSession.judge`'s verdict on its launches.
    """
    with tf.Graph().as_default(), GpuSession() as session:
        arguments, feed = test_every_op.feeds(sample, True)
        if not feed:  # with constant inputs it would be folded
            arguments, feed = test_every_op.feeds(sample, False)
        result = getattr(raw, sample.op)(*arguments, **sample.attrs)
        outputs = test_every_op.outputs_of(result)
        if host_arguments((outputs[0] if outputs else result).op) is None:
            return idle_on_gpus.NO_KERNEL
        if sample.op == "Cast" and overflows(*sample.inputs, sample.attrs["DstT"]):
            return "casts out of range, undefined on a GPU"
        got = session.run(outputs, feed)
        assert all(isinstance(v, np.ndarray | np.generic) for v in got)
    want = test_every_op.expected(sample, sample.inputs)
    if sample.op == "Svd" and sample.attrs.get("compute_uv", True):
        got = singular_values_and_vectors(got, want)
    test_every_op.compare(sample, got, want)
    return session.judge(str(sample), idle_on_gpus.VALUES, idle_on_gpus.LAUNCHING_VALUES)


def singular_values_and_vectors(got, want):
    """A decomposition normalized to the expected signs: each pair of singular vectors is unique only up to sign."""
    values, *vectors = map(np.asarray, got)
    signs = [np.sign((a * b).sum(-2, keepdims=True)) for a, b in zip(vectors, want[1:])]
    pairs = values.shape[-1]
    np.testing.assert_array_equal(signs[0][..., :pairs], signs[1][..., :pairs])
    return [values, *(a * sign for a, sign in zip(vectors, signs))]


def overflows(values, dtype):
    """Whether a number is out of range for the integer `dtype`: the conversion is undefined on hardware."""
    if values.dtype.kind != "f" or not dtype.is_integer:
        return False
    return not bool(((values > dtype.min - 1.0) & (values < dtype.max + 1.0)).all())


def check_gradient(sample):
    """Checks that a row's gradients on a GPU equal those on the CPU. Returns the verdict on its launches."""
    with tf.Graph().as_default(), GpuSession() as session:
        result = gradients(sample, session)
    with tf.Graph().as_default(), tf.Session(config=without_gpus()) as on_the_cpu:
        compare_gradients(result, gradients(sample, on_the_cpu))
    return session.judge(str(sample), idle_on_gpus.GRADIENTS, idle_on_gpus.LAUNCHING_GRADIENTS)


def check_built(sample):
    """Runs a row's steps with constants fed, and checks the results. Returns the verdict on its launches."""
    with tf.Graph().as_default(), GpuSession(feeds_constants=True) as session:
        test_every_op.check_steps(sample, session)
    return session.judge(str(sample), idle_on_gpus.BUILT, idle_on_gpus.LAUNCHING_BUILT)


def compare_gradients(found, expected):
    """Checks for equal dtypes and shapes, and for values equal up to summation order."""
    assert len(found) == len(expected)
    for got, want in zip(found, expected):
        assert (got.dtype, got.shape) == (want.dtype, want.shape)
        largest = np.abs(want[np.isfinite(want)]).max(initial=1e-30)
        limit = TOLERANCES[want.dtype.char]
        # Terms of order one that cancel, as in sums of normalized numbers, leave rounding errors of a few units.
        rounding = 4 * np.finfo(want.dtype).eps if want.dtype.kind in "fc" else 0.0
        atol = limit * float(largest) + float(rounding)
        np.testing.assert_allclose(got, want, rtol=limit, atol=atol)


def without_gpus():
    return tf.ConfigProto(device_count={"GPU": 0})


def gradients(sample, session):
    """Gradients of the weighted sum of a row's outputs, by all differentiable inputs.

    Inputs and upstream gradients are fed: a gradient of constants would be folded on the CPU.
    """
    result, feed, upstream = gradient_graph(sample)
    return [np.asarray(v) for v in session.run(result, {**feed, **upstream})]


def gradient_graph(sample):
    """Gradient tensors, feeds of the row's inputs, and feeds of the upstream gradients."""
    arguments, feed = test_every_op.feeds(sample, True)
    outputs = test_every_op.outputs_of(getattr(raw, sample.op)(*arguments, **sample.attrs))
    floats = [t for t in outputs if t.dtype.is_floating or t.dtype.is_complex]
    chosen = [outputs[n] for n in sample.through] if sample.through else floats
    tensors = [t for a in arguments for t in (a if isinstance(a, list) else [a])]
    by = [tensors[n] for n in test_every_op.wanted(sample)]
    upstream = {}
    for i, (tensor, shape) in enumerate(zip(chosen, shapes(chosen, feed))):
        dtype = tensor.dtype.base_dtype
        weights = np.linspace(0.5, 1.5, math.prod(shape)) * (i + 1)
        value = weights.reshape(shape).astype(dtype.as_numpy_dtype)
        upstream[tf.placeholder(dtype, shape)] = value
    result = [g for g in tf.gradients(chosen, by, [*upstream]) if g is not None]
    return [tf.convert_to_tensor(g) for g in result], feed, upstream


def shapes(tensors, feed):
    """The static shapes, or the shapes of a run on the CPU."""
    if all(t.shape.is_fully_defined() for t in tensors):
        return [t.shape.as_list() for t in tensors]
    with tf.Session(config=without_gpus()) as session:
        return [np.shape(value) for value in session.run(tensors, feed)]


def check_program(name):
    """Checks that each step of a golden program fetches the same values as in TensorFlow."""
    want = recording.read(recording.recording_path(name), tf.GraphDef)
    steps = recording.record(tf, name)["steps"]
    tolerance = max(recording.tolerance(name), recording.tolerance_on_gpus(name))
    read = [with_summaries_read(each) for each in (want["steps"], steps)]
    lines = comparing.step_differences(*read, tolerance)
    assert not lines, "\n".join(lines[:20])


def with_summaries_read(value):
    """Replaces serialized summaries in a recorded value by their tags and numbers, for numeric comparison."""
    if isinstance(value, dict) and value.keys() == {"bytes"}:
        return summary_numbers(value["bytes"].encode("latin1")) or value
    if isinstance(value, dict):
        return {key: with_summaries_read(each) for key, each in value.items()}
    return [with_summaries_read(each) for each in value] if isinstance(value, list) else value


def summary_numbers(data):
    """[tag, numbers] of each scalar and histogram of a serialized Summary; None for anything else."""
    try:
        summary = tf.Summary.FromString(data)
    except DecodeError:
        return None
    if summary.SerializeToString() != data or not all(v.tag for v in summary.value):
        return None
    results = []
    for value in summary.value:
        kind = value.WhichOneof("value")
        if kind not in ("simple_value", "histo"):
            return None
        number = value.simple_value
        histogram = [n for _, field in value.histo.ListFields() for n in np.ravel(field).tolist()]
        results.append([value.tag, histogram if kind == "histo" else number])
    return results
