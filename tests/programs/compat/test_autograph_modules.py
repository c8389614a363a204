"""`tensorflow.python.autograph`: its operators and calls, under the names that tests and libraries use."""

import pytest

import tfmini as tf
from tests.support.sessions import run
from tfmini._src.graph.autograph_status import python_loops
from tfmini._src.session.eager.enable import eager_mode
from tfmini.compat.python.autograph import utils
from tfmini.compat.python.autograph.core import ag_ctx, converter, function_wrappers
from tfmini.compat.python.autograph.impl import api
from tfmini.compat.python.autograph.operators import control_flow
from tfmini.compat.python.autograph.utils import misc
from tfmini.compat.python.autograph.utils.tensor_list import TensorList, dynamic_list_append


class State:
    """A tensor that blocks modify in addition to their variables."""

    def __init__(self, value):
        self.value = tf.constant(value)

    def get(self):
        return (self.value,)

    def set(self, values):
        (self.value,) = values


def test_loops():
    state = State(0)

    def body(i, s):
        state.value += i
        return i + 1, s + i

    n = tf.constant(5)
    result = control_flow.while_stmt(lambda i, s: i < n, body, state.get, state.set, (0, 0))
    assert run([*result, state.value]) == [5, 10, 10]
    assert control_flow.while_stmt(lambda i: i < 3, lambda i: (i + 1,), None, None, (0,)) == (3,)

    def digits(i, s):
        return (s * 10 + i,)

    for items in (tf.constant([1, 2, 3]), tf.range(1, 4)):
        (result,) = control_flow.for_stmt(items, lambda s: s < 12, digits, tuple, None, (0,))
        assert run(result) == 12
    start = (tf.constant(0, tf.int64),)
    result = control_flow.for_stmt(tf.data.Dataset.range(5), None, digits, tuple, None, start)
    assert run(result[0]) == 1234
    assert control_flow.for_stmt(range(5), lambda s: True, digits, None, None, (0,)) == (1234,)


def test_endless_loop_hits_iteration_limit(monkeypatch):
    monkeypatch.setattr(python_loops, "max_iterations", 100)
    with pytest.raises(ValueError, match="iteration limit"):
        control_flow.while_stmt(lambda i: True, lambda i: (i + 1,), None, None, (0,))


def test_conditions():
    state = State(1)

    def negated():
        state.value = -state.value
        return 1, 2

    def chosen(condition):
        return control_flow.if_stmt(condition, negated, lambda: (3, 4), state.get, state.set)

    assert chosen(False) == (3, 4)
    result = chosen(tf.constant(True))
    assert run([*result, state.value]) == [1, 2, -1]
    assert run(chosen(tf.constant(False))) == (3, 4)


def absolute(x):
    return -x if x < 0 else x


def test_calls():
    options = converter.ConversionOptions(recursive=True)
    negative = tf.constant(-2)
    assert run(api.converted_call(absolute, options, (negative,), None)) == 2
    assert api.converted_call(len, options, (tf.constant([0]),), {}) == 1
    unconverted = converter.ConversionOptions(internal_convert_user_code=False)
    with pytest.raises(TypeError, match="bool"):
        api.converted_call(absolute, unconverted, (negative,), {})
    enabled = ag_ctx.ControlStatusCtx(ag_ctx.Status.ENABLED)
    disabled = ag_ctx.ControlStatusCtx(ag_ctx.Status.DISABLED)
    unspecified = ag_ctx.control_status_ctx()
    assert run(api.tf_convert(absolute, enabled)(negative)) == 2
    assert run(api.tf_convert(absolute, unspecified)(negative)) == 2
    for created in (
        api.tf_convert(absolute, disabled),
        api.tf_convert(absolute, unspecified, convert_by_default=False),
    ):
        assert api.tf_convert(created, enabled) is created
        with pytest.raises(TypeError, match="bool"):
            created(negative)
    with disabled:
        status = api.call_with_unspecified_conversion_status(ag_ctx.control_status_ctx)()
        assert ag_ctx.control_status_ctx().status is ag_ctx.Status.DISABLED
    assert status.status is ag_ctx.Status.UNSPECIFIED
    assert options.call_options().internal_convert_user_code
    assert utils.fake_tf() is tf


def test_function_scopes():
    names = converter.ConversionOptions(
        user_requested=True, optional_features=converter.Feature.NAME_SCOPES
    )
    with function_wrappers.FunctionScope("_f", "scope", names) as scope:
        assert scope.mark_return_value(tf.constant(1)).name == "fn_f/Const:0"
        assert ag_ctx.control_status_ctx().status is ag_ctx.Status.ENABLED
    with function_wrappers.FunctionScope("f", "scope", converter.STANDARD_OPTIONS):
        assert tf.constant(1).name == "Const:0"


def test_tensor_lists():
    with eager_mode():
        a, b = tf.constant(3.0), tf.constant(2.0)
        held = TensorList(a.shape, a.dtype)
        assert dynamic_list_append(held, a) is held
        held[0] = b
        assert (held[0].numpy(), held.count().numpy(), held.pop().numpy()) == (2.0, 1, 2.0)
        array = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
        assert dynamic_list_append(array, a).stack().numpy().tolist() == [3.0]
        held.append(a)
        assert (
            tf.raw_ops.TensorListLength(input_handle=dynamic_list_append(held.list_, a)).numpy()
            == 2
        )
        assert misc.alias_tensors(a) is not a and misc.alias_tensors("s", 1) == ("s", 1)
        for start, limit, delta in [(-3, 2, 2), (2, -3, -2), (1, 0, 1), (0, 4, 2)]:
            length = misc.get_range_len(*map(tf.constant, (start, limit, delta)))
            assert length.numpy() == len(range(start, limit, delta))
    with pytest.raises(ValueError, match="at least one"):
        misc.alias_tensors()
    assert [misc.capitalize_initial(text) for text in ("", "ab")] == ["", "Ab"]
