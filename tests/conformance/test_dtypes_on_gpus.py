"""Ops in each dtype that TensorFlow has a GPU kernel for, beyond those of the sample rows: on the fake, which refuses
what CuPy refuses, they give what the CPU gives."""

import dataclasses

import numpy as np
import pytest

import tfmini as tf
from tests import gpu_checks
from tests.conformance import test_every_op
from tests.gpus import fake_gpus
from tfmini._src.compiler.placement.gpu_kernels import kernels_of
from tfmini._src.graph.opdef import raw, registry

FIRST = {sample.op: sample for sample in reversed(gpu_checks.SAMPLES)}
DRAWN = {"Multinomial", "RandomGamma", "RandomPoisson", "RandomPoissonV2", "TruncatedNormal"}


def variants():
    """The first row of each op, its inputs of one attr cast to each other dtype that some kernel there has."""
    for name, sample in sorted(FIRST.items()):
        allowed = {}
        for kernel in kernels_of(name):
            for attr, dtypes in kernel.constraints:
                allowed.setdefault(attr, set()).update(dtypes)
        for attr, dtypes in allowed.items():
            found = [n for n, arg in enumerate(registry[name].inputs) if arg.type_attr == attr]
            values = [sample.inputs[n] for n in found if n < len(sample.inputs)]
            if values and not any(is_text(value) for value in values):
                yield from ((sample, attr, found, kind) for kind in sorted(dtypes))


def is_text(value):
    return np.asarray(value[0] if isinstance(value, list) and value else value).dtype == object


def cast(value, dtype):
    with np.errstate(all="ignore"):
        if isinstance(value, list):
            return [np.asarray(one).astype(dtype) for one in value]
        return np.asarray(value).astype(dtype)


def computed(sample, config=None):
    """Its outputs; None where the op has not this dtype, or does not take these values."""
    with tf.Graph().as_default(), tf.Session(config=config) as session:
        try:
            arguments, feed = test_every_op.feeds(sample, True)
            result = getattr(raw, sample.op)(*arguments, **sample.attrs)
        except (TypeError, ValueError):
            return None
        return session.run(test_every_op.outputs_of(result), feed)


def on_the_cpu(sample):
    try:
        return computed(sample, gpu_checks.without_gpus())
    except tf.errors.OpError:
        return None


def same(got, want):
    got, want = np.asarray(got), np.asarray(want)
    if (got.dtype, got.shape) != (want.dtype, want.shape):
        return False
    if got.dtype.kind not in "fciu":
        return bool((got == want).all())
    limit = {"e": 1e-2, "f": 1e-4, "F": 1e-4}.get(got.dtype.char, 1e-6)
    return np.allclose(got.astype("D"), want.astype("D"), limit, limit, equal_nan=True)


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::numpy.exceptions.ComplexWarning")
def test_each_dtype(gpu_environment):
    wrong, tried = [], 0
    for sample, attr, numbers, kind in variants():
        dtype = getattr(tf, kind, None)
        if dtype is None or kind in ("string", "variant", "resource"):
            continue
        inputs = [
            cast(value, dtype.as_numpy_dtype) if n in numbers else value
            for n, value in enumerate(sample.inputs)
        ]
        attrs = {**sample.attrs, **({attr: dtype} if attr in sample.attrs else {})}
        other = dataclasses.replace(sample, inputs=inputs, attrs=attrs)
        want = on_the_cpu(other)
        if want is None:
            continue
        tried += 1
        try:
            with fake_gpus(devices=1):
                got = computed(other)
        except tf.errors.OpError as error:
            wrong.append(f"{sample} {attr}={kind}: {type(error).__name__}: {error.message[:200]}")
            continue
        if sample.op not in DRAWN and not all(map(same, got, want)):
            wrong.append(f"{sample} {attr}={kind}: other values")
    assert tried > 800
    assert wrong == []
