"""Fed constants: each op, built with another value of an input, computes with the fed one, and
nothing downstream relies on the shape inferred from the original."""

import functools
import itertools

import numpy as np

import tfmini as tf
from tests.conformance.samples import SAMPLES
from tests.conformance.test_every_op import (
    arguments_of,
    compare,
    expected,
    flat_inputs,
    outputs_of,
)
from tests.conformance.wrong_inputs import of_other_elements
from tests.support import cases
from tfmini._src.graph.opdef import raw, registry

FEW = 16  # elements of an input that may determine a shape
HANDLES = (tf.resource, tf.variant)


@np.errstate(over="ignore")
def alternatives(value):
    """Arrays of the same shape that an op may accept in place of an input."""
    result = list(of_other_elements(value).values())
    if value.dtype.kind == "i":
        result += [np.flip(value), np.ones_like(value), np.subtract(value, 1, dtype=value.dtype)]
    elif value.dtype.kind == "b":
        result.append(~value)
    elif value.dtype.kind == "f" and not value.ndim:
        result.append(np.asarray(value * 2, value.dtype))
    return [other for other in result if not np.array_equal(other, value)]


@functools.cache
def rows():
    """By op: its samples, with an input's index and its replacement arrays."""
    result = {}
    for sample in SAMPLES:
        if sample.build is None and not registry[sample.op].device_only:
            for index, value in enumerate(flat_inputs(sample)):
                if value.size <= FEW and (arrays := alternatives(value)):
                    result.setdefault(sample.op, []).append((sample, index, arrays))
    return result


def run(sample, number, replaced):
    """The outputs, their shapes and reshaped outputs, of an op built with another input; None if it rejects that."""
    values = flat_inputs(sample)
    with tf.Graph().as_default(), tf.Session() as session:
        constants = [tf.constant(v) for v in (*values[:number], replaced, *values[number + 1 :])]
        try:
            output = getattr(raw, sample.op)(*arguments_of(sample, constants), **sample.attrs)
        except (ValueError, tf.errors.OpError):
            return None
        outputs = outputs_of(output)
        if any(tensor.dtype in HANDLES for tensor in outputs):
            return None
        uses = [(t, raw.Shape(t), tf.reshape(t, [-1])) for t in outputs]
        return session.run(uses, {constants[number]: values[number]})


@cases.parametrize([cases.Group("ops", rows)])
def test_value(group, check_each):
    check_each(group, check)


def check(rows_of_op):
    for sample, number, arrays in rows_of_op:
        for actual in itertools.islice(filter(None, (run(sample, number, a) for a in arrays)), 2):
            compare(sample, [value for value, _, _ in actual], expected(sample, sample.inputs))
            for value, shape, flat in actual:
                assert shape.tolist() == list(np.shape(value))
                assert len(flat) == np.size(value)
