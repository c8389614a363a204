"""Each sample row in eager mode: an eager op returns the same as in a graph."""

import tfmini as tf
from tests.conformance.samples import Rows
from tests.conformance.test_every_op import arguments_of, compare, expected, flat_inputs
from tests.support import cases
from tfmini._src.graph.opdef import raw, registry
from tfmini._src.session.eager import execute
from tfmini._src.session.eager.enable import eager_mode

ROWS = Rows(lambda s: s.build is None and not registry[s.op].device_only)


@cases.parametrize(ROWS.groups())
def test_value(group, check_each):
    check_each(group, check_value)


def check_value(sample):
    execute._op_by_call.forget()
    execute._compiled_ops.forget()  # random ops continue after their last call with the same seeds
    with eager_mode():
        tensors = [tf.constant(value) for value in flat_inputs(sample)]
        outputs = getattr(raw, sample.op)(*arguments_of(sample, tensors), **sample.attrs)
        actual = [tensor.numpy() for tensor in values_of(outputs)]
    compare(sample, actual, expected(sample, sample.inputs))


def values_of(result):
    """The output tensors of a call, as a flat list."""
    if result is None:
        return []
    if isinstance(result, tf.Tensor):
        return [result]
    return [tensor for part in result for tensor in values_of(part)]
