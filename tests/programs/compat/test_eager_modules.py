"""`tensorflow.python.eager`: modules that libraries and tests import by their private names."""

import pytest

import tfmini as tf
from tfmini._src.session.eager.enable import eager_mode
from tfmini.compat.python.eager import backprop, context, core, execute, tape


@pytest.fixture(autouse=True)
def _eager():
    with eager_mode():
        yield


def run(name, inputs, *attrs):
    return execute.quick_execute(name, 1, inputs, attrs, context.context())


def test_ops_by_name():
    number = tf.float32.as_datatype_enum
    assert float(run(b"Mul", [tf.constant(3.0), 2.0], "T", number)[0]) == 6.0
    parts = run("Split", [0, [1.0, 2.0, 3.0, 4.0]], "num_split", 2, "T", number)
    assert [part.numpy().tolist() for part in parts] == [[1.0, 2.0], [3.0, 4.0]]
    index = tf.int32.as_datatype_enum
    joined = run("ConcatV2", [[1.0], [2.0], 0], "N", 2, "T", number, "Tidx", index)
    assert joined[0].numpy().tolist() == [1.0, 2.0]


def test_ops_that_are_named_wrongly():
    with pytest.raises(tf.errors.NotFoundError, match="not registered 'Nothing'"):
        run("Nothing", [])
    with pytest.raises(tf.errors.InvalidArgumentError, match="no attr named 'depth'"):
        run("Identity", [1.0], "depth", 1)
    with pytest.raises(tf.errors.InvalidArgumentError, match="pairs"):
        run("Identity", [1.0], "T")
    with pytest.raises(tf.errors.InvalidArgumentError, match="1 inputs too many"):
        run("Identity", [1.0, 2.0])


def test_tapes():
    x, variable = tf.constant(3.0), tf.Variable(2.0, use_resource=True)
    opened = tape.push_new_tape()
    tape.watch(opened, x)
    tape.watch_variable(opened, variable)
    y = x * variable
    assert tape.could_possibly_record() and tape.should_record([y]) and not tape.should_record([1])
    z = tf.constant(1.0)
    tape.record_operation("Mine", [z], [y], lambda dz: dz * 7.0)
    tape.pop_tape(opened)
    assert [op.type for op in opened.recorded][-1] == "IdentityN"
    assert not tape.could_possibly_record()


def test_a_gradient_of_its_own():
    def f(x):
        y = tf.constant(1.0)
        tape.record_operation("Mine", [y], [x], lambda dy: dy * 7.0)
        tape.variables_accessed([])
        return y

    assert float(backprop.gradients_function(f)(2.0)[0]) == 7.0
    opened = backprop.GradientTape()
    assert opened.watched_variables() == ()


def test_seeds_and_order():
    context.set_global_seed(3)
    assert context.global_seed() == 3
    context.set_global_seed(None)
    context.ensure_initialized()
    context.async_wait()
    context.async_clear_error()
    assert not context.is_async()


def test_errors_of_the_interface():
    assert isinstance(core._status_to_exception(5, "gone"), tf.errors.NotFoundError)
    assert isinstance(core._status_to_exception(999, "?"), tf.errors.UnknownError)
    assert core._NotOkStatusException("why", 3).message == "why"


def test_captures_and_results_of_a_body():
    variable = tf.Variable(2.0, use_resource=True)
    concrete = tf.function(lambda: {"a": variable * 1.0}).get_concrete_function()
    assert concrete.graph.external_captures == [variable.handle]
    assert concrete.graph.internal_captures == concrete.inputs
    assert list(concrete.graph.structured_outputs) == ["a"]
