"""Ops in each dtype of TensorFlow's GPU kernels, beyond the sample rows: on the emulator, which rejects
what CuPy rejects, they and their gradients launch kernels and return the CPU's results."""

import dataclasses
import functools

import numpy as np
import pytest

import tfmini as tf
from tests.conformance import test_every_op
from tests.support.gpu import gpu_checks, idle_on_gpus
from tests.support.gpu.gpu_session import GpuSession
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.devices.cuda.gpu_kernels import op_kernels
from tfmini._src.graph.opdef import raw, registry

DRAWN = {"Multinomial", "RandomGamma", "RandomPoisson", "RandomPoissonV2", "TruncatedNormal"}


@functools.cache
def first():
    """The first row of each op."""
    return {sample.op: sample for sample in reversed(gpu_checks.SAMPLES)}


def variants():
    """The first row of each op, with the inputs of one attr cast to each other dtype of a GPU kernel."""
    for name, sample in sorted(first().items()):
        allowed = {}
        for kernel in op_kernels(name):
            for attr, dtypes in kernel.constraints:
                allowed.setdefault(attr, set()).update(dtypes)
        for attr, dtypes in allowed.items():
            result = [n for n, arg in enumerate(registry[name].inputs) if arg.type_attr == attr]
            values = [sample.inputs[n] for n in result if n < len(sample.inputs)]
            if values and not any(is_text(value) for value in values):
                yield from ((sample, attr, result, kind) for kind in sorted(dtypes))


def is_text(value):
    return np.asarray(value[0] if isinstance(value, list) and value else value).dtype == object


def cast(value, dtype):
    with np.errstate(all="ignore"):
        if isinstance(value, list):
            return [np.asarray(one).astype(dtype) for one in value]
        return np.asarray(value).astype(dtype)


def cases():
    """(label, row with converted inputs, dtype) for each variant."""
    for sample, attr, numbers, kind in variants():
        dtype = getattr(tf, kind, None)
        if dtype is None or kind in ("string", "variant", "resource", "qint8"):
            continue  # qint8: the GPU's MaxPool requires NCHW_VECT_C
        inputs = [
            cast(value, dtype.as_numpy_dtype) if n in numbers else value
            for n, value in enumerate(sample.inputs)
        ]
        attrs = {**sample.attrs, **({attr: dtype} if attr in sample.attrs else {})}
        yield (
            f"{sample} {attr}={kind}",
            dataclasses.replace(sample, inputs=inputs, attrs=attrs),
            dtype,
        )


def computed(sample, session):
    """Its outputs; None if the op does not support this dtype or these values."""
    try:
        arguments, feed = test_every_op.feeds(sample, True)
        if not feed:
            arguments, feed = test_every_op.feeds(sample, False)
        result = getattr(raw, sample.op)(*arguments, **sample.attrs)
    except (TypeError, ValueError):
        return None
    return session.run(test_every_op.outputs_of(result), feed)


def gradients(sample, session):
    """Its gradients; None if TensorFlow has none for this dtype."""
    try:
        return gpu_checks.gradients(sample, session)
    except (TypeError, NotImplementedError):
        return None


def on_the_cpu(function, sample):
    with tf.Graph().as_default(), tf.Session(config=gpu_checks.without_gpus()) as session:
        try:
            return function(sample, session)
        except tf.errors.OpError:
            return None


def compared(function, sample, exceptions, same):
    """The difference between its GPU and CPU results, "" if equal; None without CPU results."""
    expected = on_the_cpu(function, sample)
    if expected is None:
        return None
    with fake_gpus(devices=1), tf.Graph().as_default(), GpuSession() as session:
        try:
            actual = function(sample, session)
        except tf.errors.OpError as error:
            return f"{type(error).__name__}: {error.message[:200]}"
        if not session.as_expected and str(sample) not in exceptions:
            return f"{session.launches} launches; to compute: {sorted(session.computing)}"
    return "" if sample.op in DRAWN or same(actual, expected) else "other values"


def same_values(actual, expected):
    return all(map(_same, actual, expected))


def _same(actual, expected):
    actual, expected = np.asarray(actual), np.asarray(expected)
    if (actual.dtype, actual.shape) != (expected.dtype, expected.shape):
        return False
    if actual.dtype.kind not in "fciu":
        return bool((actual == expected).all())
    limit = {"e": 1e-2, "f": 1e-4, "F": 1e-4}.get(actual.dtype.char, 1e-6)
    return np.allclose(actual.astype("D"), expected.astype("D"), limit, limit, equal_nan=True)


def same_gradients(actual, expected):
    try:
        gpu_checks.compare_gradients(actual, expected)
    except AssertionError:
        return False
    return True


pytestmark = [
    pytest.mark.full,
    pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::numpy.exceptions.ComplexWarning"),
    pytest.mark.usefixtures("gpu_environment"),
]


def test_every_dtype():
    exceptions = {**idle_on_gpus.VALUES, **idle_on_gpus.LAUNCHING_VALUES}
    result = {
        label: compared(computed, sample, exceptions, same_values) for label, sample, _ in cases()
    }
    assert sum(invalid is not None for invalid in result.values()) > 800
    assert {label: invalid for label, invalid in result.items() if invalid} == {}


def test_gradients_of_every_dtype():
    exceptions = {**idle_on_gpus.GRADIENTS, **idle_on_gpus.LAUNCHING_GRADIENTS}
    # Only the product with a sparse matrix launches, and its kernel supports only float32.
    exceptions["ExtractVolumePatches-inside"] = idle_on_gpus.NO_KERNEL
    result = {}
    for label, sample, dtype in cases():
        expected = test_every_op.wanted(first()[sample.op])
        values = test_every_op.flat_inputs(sample)
        if any(values[n].dtype == dtype.as_numpy_dtype for n in expected):
            row = dataclasses.replace(sample, gradient=expected)
            result[label] = compared(gradients, row, exceptions, same_gradients)
    assert sum(invalid is not None for invalid in result.values()) > 600
    assert {label: invalid for label, invalid in result.items() if invalid} == {}
