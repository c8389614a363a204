"""Each op, for each dtype that its OpDef allows: results of the declared dtypes, or an error of TensorFlow's class."""

import functools

import numpy as np
import pytest

import tfmini as tf
from tests.conformance.samples import SAMPLES
from tests.conformance.test_every_op import arguments_of, flat_inputs, outputs_of
from tests.support import cases
from tfmini._src.graph.opdef import raw, registry

DTYPES = [
    *(tf.bool, tf.int8, tf.uint8, tf.int16, tf.uint16, tf.int32, tf.uint32, tf.int64, tf.uint64),
    *(tf.float16, tf.bfloat16, tf.float32, tf.float64, tf.complex64, tf.complex128, tf.string),
    *(tf.qint8, tf.quint8, tf.qint32),
]
REFUSALS = (tf.errors.InvalidArgumentError, tf.errors.UnimplementedError, ValueError, TypeError)


def args_of(sample):
    """The argument of the op's signature for each flat input."""
    return [
        arg
        for arg, value in zip(registry[sample.op].inputs, sample.inputs)
        for _ in (value if isinstance(value, list) else [value])
    ]


@functools.cache
def rows():
    """By op: its first sample, an input dtype attr, and the dtypes to try."""
    result = {}
    for sample in SAMPLES:
        if sample.op in result or sample.build is not None or registry[sample.op].device_only:
            continue
        args = args_of(sample)
        attr = next((arg.type_attr for arg in args if arg.type_attr), None)
        if attr is not None and not any(arg.type_list_attr for arg in args):
            allowed = registry[sample.op].attrs[attr].allowed or DTYPES
            result[sample.op] = sample, attr, [each for each in DTYPES if each in allowed]
    return result


def converted(value, dtype):
    """A sample's input in another dtype."""
    if dtype is tf.string or value.dtype.kind == "O":
        if dtype is not tf.string:
            return np.arange(value.size).reshape(value.shape).astype(dtype.as_numpy_dtype)
        texts = [b"%d" % index for index in range(value.size)]
        return np.array(texts, object).reshape(value.shape)
    value = value.real if value.dtype.kind == "c" and not dtype.is_complex else value
    value = value.view(value.dtype[0]) if value.dtype.names else value
    return np.nan_to_num(value).astype(dtype.as_numpy_dtype)


@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
@cases.parametrize([cases.Group("ops", rows)])
def test_declared_dtypes(group, check_each):
    check_each(group, check)


def check(row):
    sample, attr, dtypes = row
    pairs = list(zip(args_of(sample), flat_inputs(sample)))
    invalid = []
    for dtype in dtypes:
        values = [converted(v, dtype) if arg.type_attr == attr else v for arg, v in pairs]
        with tf.Graph().as_default(), tf.Session() as session:
            try:
                inputs = [tf.placeholder(tf.as_dtype(value.dtype)) for value in values]
                output = getattr(raw, sample.op)(*arguments_of(sample, inputs), **sample.attrs)
                outputs = outputs_of(output)
                results = session.run(outputs, dict(zip(inputs, values)))
            except REFUSALS:
                continue
            except tf.errors.OpError as error:
                invalid.append(f"{dtype.name}: {error.message}")
                continue
            for tensor, value in zip(outputs, results):
                if tensor.dtype not in (tf.string, tf.resource, tf.variant):
                    kind = np.dtype(tensor.dtype.as_numpy_dtype)
                    if np.asarray(value).dtype != (kind[0] if kind.names else kind):
                        invalid.append(f"{dtype.name}: {np.asarray(value).dtype} for {tensor}")
    assert invalid == []
