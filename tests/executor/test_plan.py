"""plan and emit: one function per step, its debug output, and the node of a failing line."""

import gc
import weakref

import numpy as np
import pytest

import tfmini as tf
from tests.executor.programs import lowered
from tfmini._src.compiler.program import debug
from tfmini._src.executor.plan import Plan
from tfmini._src.executor.state.resources import Resources


def plan(*fetches, feeds=(), targets=()):
    return Plan(lowered(*fetches, feeds=feeds, targets=targets), Resources())


def test_plan_is_one_function():
    x = tf.placeholder(tf.float32, [], name="x")
    compiled = plan(tf.exp(x * 2.0), feeds=[x])
    assert compiled.text.splitlines()[0] == "def plan(feeds):"
    assert compiled.run([np.float32(0)]) == (1.0,)


def test_scalars_use_operators_and_arrays_ufuncs():
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.placeholder(tf.float32, [3], name="y")
    text = plan(x * x + x, y * y, feeds=[x, y]).text
    assert "t0 * t0" in text and "multiply(t1, t1)" in text


def test_large_values_are_freed_and_reused():
    x = tf.placeholder(tf.float32, [4000], name="x")
    square = x * x
    product = tf.matmul(tf.reshape(square, [1, -1]), tf.reshape(tf.exp(square), [-1, 1]))
    text = plan(tf.exp(x) + product, feeds=[x]).text
    assert "= None" in text
    chain = plan(tf.sqrt(tf.exp(tf.reshape(x * x, [40, 100]))), feeds=[x])
    assert chain.run([np.zeros(4000, "f")])[0].shape == (40, 100)


def test_debug_output(monkeypatch, capsys):
    x = tf.placeholder(tf.float32, [], name="x")
    monkeypatch.setattr(debug, "FLAGS", {"plan", "stages"})
    plan(tf.exp(tf.identity(x)), feeds=[x])
    output = capsys.readouterr()
    assert not output.out
    for stage in ("prune", "simplify"):
        assert f"{stage}\nfeeds t0\n" in output.err
    assert "if_convert\n" not in output.err  # no changes
    assert "t1 = Identity(t0)  # Identity" in output.err
    assert "<tfmini plan " in output.err and "def plan(feeds):" in output.err


def test_state_changing_plans_are_marked():
    """Ctrl-C waits for them to finish."""
    v = tf.Variable(1.0, use_resource=False)
    x = tf.placeholder(tf.float32, [])
    assert plan(targets=[tf.assign_add(v, 2.0).op])._changes_state
    assert not plan(tf.exp(x) + 1.0, feeds=[x])._changes_state


def failure(fetch, feed=None):
    with tf.Session() as session, pytest.raises(tf.errors.OpError) as caught:
        session.run(fetch, feed)
    return caught.value


def test_failure_names_node_and_line():
    x = tf.placeholder(tf.float32, [None], name="x")
    bad = tf.check_numerics(x, "not good", name="bad")
    error = failure(tf.exp(bad), {x: [np.inf]})
    assert type(error) is tf.errors.InvalidArgumentError
    assert error.op is bad.op and error.node_def.name == "bad" and error.error_code == 3
    first, second = error.message.split("\n")[:2]
    assert first == "not good : Tensor had Inf values"
    line = test_failure_names_node_and_line.__code__.co_firstlineno + 2
    assert second == f"\t [[node bad (defined at {__file__}:{line}) ]]"


def test_uninitialized_fetch_names_fetch_node():
    """TensorFlow names its node for the fetch, numbered among the names of all fetches, which the graph lacks."""
    v = tf.Variable([1.0, 2.0], name="v")
    first = tf.constant(1.0, name="c")
    last = tf.constant(2.0, name="x")
    text = "Attempting to use uninitialized value v\n\t [[{{node _retval_v_0_%d}}]]"
    for fetches, index in ((v, 0), ([v, last], 0), ([last, v, v, first], 1)):
        error = failure(fetches)
        assert type(error) is tf.errors.FailedPreconditionError
        assert error.message == text % index
        assert error.op is None and error.node_def is None
    assert "[[node v/read (defined at " in failure(v.value()).message
    chosen = tf.cond(tf.constant(True), lambda: v._ref(), lambda: v._ref())
    assert failure(chosen).op.name == "cond/Merge"


@pytest.mark.parametrize(
    "build, message",
    [
        (lambda x: tf.raw_ops.MatMul(a=x, b=x), "Matrix size-incompatible: In[0]: [2,3], In[1]: [2,3]"),
        (lambda x: x + tf.zeros([7]), "Incompatible shapes: [2,3] vs. [7]"),
        (lambda x: tf.reshape(x, [4]), "Input to reshape is a tensor with 6 values, but the requested shape has 4"),
        (lambda x: tf.gather(x, [9]), "indices[0] = 9 is not in [0, 2)"),
        (lambda x: tf.concat([x, tf.zeros([1, 1])], 0),
         "ConcatOp : Dimensions of inputs should match: shape[0] = [2,3] vs. shape[1] = [1,1]"),
    ],
)  # fmt: skip
def test_kernel_error_messages(build, message):
    x = tf.placeholder(tf.float32, None, name="x")
    error = failure(build(x), {x: np.zeros([2, 3])})
    assert type(error) is tf.errors.InvalidArgumentError
    assert error.message.split("\n\t [[")[0] == message


def test_fused_group_error_names_member():
    x, y = (tf.placeholder(tf.float32, [None]) for _ in range(2))
    wrong = tf.add(x, y, name="wrong")
    error = failure(tf.exp(wrong) * 2.0, {x: np.zeros(3), y: np.zeros(4)})
    assert error.op is wrong.op


def test_py_func_errors_map_to_op_errors():
    def fail(value):
        raise ValueError("from inside")

    x = tf.placeholder(tf.float32, [])
    error = failure(tf.py_func(fail, [x], tf.float32), {x: 1.0})
    assert type(error) is tf.errors.InvalidArgumentError and "from inside" in error.message


def test_interrupts_are_not_translated():
    def interrupt(value):
        raise KeyboardInterrupt

    x = tf.placeholder(tf.float32, [])
    y = tf.py_func(interrupt, [x], tf.float32)
    with tf.Session() as session, pytest.raises(KeyboardInterrupt):
        session.run(y, {x: 1.0})


def test_oom_is_resource_exhausted():
    x = tf.placeholder(tf.int32, [2])
    error = failure(tf.fill(x, 1.0), {x: [2**30, 2**20]})
    assert type(error) is tf.errors.ResourceExhaustedError
    assert error.message.startswith(
        "OOM when allocating tensor with shape[1073741824,1048576] and type float on "
        "/job:localhost/replica:0/task:0/device:CPU:0 by allocator cpu"
    )


def test_looped_plan_forms_no_reference_cycle():
    def inner(i, x):
        return tf.while_loop(lambda j, x: j < 3, lambda j, x: (j + 1, x + i), [0, x])[1]

    total = tf.while_loop(lambda i, x: i < 4, lambda i, x: (i + 1, inner(i, x)), [0, 0])[1]
    compiled = plan(total)
    assert compiled.run([]) == (18,)
    function = weakref.ref(compiled._function)
    gc.collect()
    gc.disable()
    try:
        del compiled
        assert function() is None
    finally:
        gc.enable()
