"""ownership: results and feeds are never written to, buffers are reused only after their last read."""

import numpy as np
import pytest

import tfmini as tf
from tests.executor.programs import lowered, pruned
from tfmini._src.compiler.analysis.ownership import analyze

SIZE = 4000  # large enough for results to be written to dead inputs


def slot_of(program, name):
    return next(n.outputs[0] for n in program.nodes if n.origin.name == name)


def test_alias_classes():
    x = tf.placeholder(tf.float32, [SIZE])
    y = tf.exp(x, name="y")
    view = tf.reshape(y, [2, -1], name="view")
    part = tf.slice(view, [0, 0], [1, 10], name="part")
    program = lowered(tf.reduce_sum(part) + tf.reduce_sum(view), feeds=[x])
    result = analyze(program)
    y, view, part = (slot_of(program, n) for n in ("y", "view", "part"))
    assert result.base[view] == result.base[part] == {y}
    assert result.is_borrowed(program.feeds[0]) and not result.is_borrowed(view)
    assert view in result.whole and part not in result.whole
    last = result.last_use[y]
    assert result.dies_at(view, last) and not result.dies_at(view, last - 1)
    assert not result.dies_at(part, last)


def test_merge_aliases_its_inputs():
    x, is_true = tf.placeholder(tf.float32, [SIZE]), tf.placeholder(tf.bool, [])
    false, true = tf.raw_ops.Switch(data=x, pred=is_true)
    either = tf.raw_ops.Merge(inputs=[tf.reshape(false, [-1]), tf.exp(true, name="exp")])
    variables = [tf.Variable(0.0, name=name, use_resource=False) for name in "ab"]
    one = tf.raw_ops.RefMerge(inputs=[tf.raw_ops.RefIdentity(input=v._ref()) for v in variables])
    program = pruned(either.output, one.output, feeds=[x, is_true])
    base = analyze(program).base
    assert {program.feeds[0], slot_of(program, "exp")} <= base[program.fetches[0]]
    assert base[program.fetches[1]] == {slot_of(program, f"RefIdentity{n}") for n in ("", "_1")}


def test_feeds_are_not_overwritten(session):
    x = tf.placeholder(tf.float32, [SIZE])
    y = tf.exp(tf.sin(x + 1.0) * 2.0)
    fed = np.zeros(SIZE, "f")
    fed.flags.writeable = False
    session.run([y, tf.identity(x) + 1.0, tf.nn.relu(x)], {x: fed})
    assert not fed.any()


def test_variable_copies_assigned_feeds(session):
    x = tf.placeholder(tf.float32, [SIZE])
    v = tf.Variable(tf.zeros([SIZE]))
    r = tf.Variable(tf.zeros([SIZE]), use_resource=True)
    fed = np.ones(SIZE, "f")
    session.run([v.assign(x), r.assign(x), v.assign(tf.identity(x))], {x: fed})
    fed[:] = 7
    assert session.run(v)[0] == session.run(r)[0] == 1


def test_fetches_are_not_aliased(session):
    v = tf.Variable(tf.ones([SIZE]))
    r = tf.Variable(tf.ones([SIZE]), use_resource=True)
    c = tf.constant(np.ones(SIZE, "f"))
    x = tf.placeholder(tf.float32, [SIZE])
    session.run(tf.global_variables_initializer())
    fed = np.ones(SIZE, "f")
    # not `x`: a fed tensor is returned as it was fed, as in TensorFlow
    fetches = [v, v.value(), v + 0.0, r, r.value(), c, tf.identity(c), tf.reshape(x, [2, -1])]
    fetches.append(tf.raw_ops.MirrorPadGrad(input=x, paddings=[[0, 0]], mode="REFLECT"))
    first = session.run(fetches, {x: fed})
    for array in first:
        array[:] = 5  # writable, without effect
    assert (fed == 1).all()
    for array in session.run(fetches, {x: fed}):
        assert (array == 1).all()
    session.run([v.assign_add(fed), r.assign_add(fed)])
    assert all((array == 5).all() for array in first)


def test_fetches_of_one_run_share_no_memory(session):
    x = tf.placeholder(tf.float32, [SIZE])
    y = tf.exp(x)
    parts = [y, tf.identity(y), tf.reshape(y, [2, -1]), y[10:], *tf.split(y, 2), tf.transpose(y)]
    got = session.run(parts, {x: np.zeros(SIZE)})
    for i, one in enumerate(got):
        for other in got[i + 1 :]:
            assert not np.shares_memory(one, other)


def test_live_values_are_not_overwritten(session):
    x = tf.placeholder(tf.float32, [SIZE])
    a = tf.exp(x)
    view = tf.reshape(a, [2, -1])
    b = a + 1.0
    c = view * 2.0
    d = b * b
    e = tf.reshape(c, [-1]) + b + d
    got = session.run([e, b], {x: np.zeros(SIZE)})
    assert (got[0] == 2 + 2 + 4).all() and (got[1] == 2).all()


def test_variables_can_be_swapped(session):
    v, w = tf.Variable(tf.fill([SIZE], 1.0)), tf.Variable(tf.fill([SIZE], 2.0))
    old = tf.identity(v + 0.0)
    with tf.control_dependencies([old]):
        first = v.assign(w)
    with tf.control_dependencies([first]):
        second = w.assign(old)
    session.run(tf.global_variables_initializer())
    session.run(second)
    values = session.run([v, w])
    assert (values[0] == 2).all() and (values[1] == 1).all()
    session.run(v.assign_add(tf.ones([SIZE])))
    assert (session.run(w) == 1).all()


def test_variables_initialized_from_variables_are_not_aliased(session):
    v = tf.Variable(tf.ones([SIZE]))
    w = tf.Variable(v.initialized_value())
    r = tf.Variable(w.initialized_value(), use_resource=True)
    session.run(tf.global_variables_initializer())
    session.run(v.assign_add(tf.ones([SIZE])))
    assert (session.run(w) == 1).all() and (session.run(r) == 1).all()


@pytest.mark.parametrize("resource", [False, True])
def test_read_before_update_keeps_value(session, resource):
    v = tf.Variable(tf.ones([SIZE]), use_resource=resource)
    before = tf.identity(v.read_value() * 1.0)
    kept = v.read_value() if resource else before
    with tf.control_dependencies([before, kept]):
        update = v.assign_add(tf.ones([SIZE]))
    with tf.control_dependencies([update]):
        after = kept + 0.0
    session.run(v.initializer)
    got = session.run([before, after, update])
    assert [array[0] for array in got] == [1, 1, 2]


def test_fetches_survive_later_runs(session):
    x = tf.placeholder(tf.float32, [SIZE])
    v = tf.Variable(tf.zeros([SIZE]))
    step = v.assign_add(x * 2.0)
    session.run(v.initializer)
    kept = [session.run(step, {x: np.full(SIZE, 1.0)}) for _ in range(5)]
    assert [array[0] for array in kept] == [2, 4, 6, 8, 10]
