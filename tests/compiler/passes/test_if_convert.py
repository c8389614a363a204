"""if_convert: conditions become guards, and runs take TensorFlow's branches."""

import pytest

import tfmini as tf
from tests.executor.programs import pruned
from tfmini._src.compiler.passes.if_convert import if_convert

P, Q = True, False


def guards(program):
    return {node.origin.name: node.guard for node in program.nodes if node.kind == "op"}


def values(fetch, predicates, feeds=()):
    """The values of a fetch for every combination of the predicates."""
    results = []
    with tf.Session() as session:
        for index in range(2 ** len(predicates)):
            choice = {p: bool(index >> i & 1) for i, p in enumerate(predicates)}
            results.append(session.run(fetch, {**choice, **dict(feeds)}))
    return results


@pytest.fixture
def p():
    return tf.placeholder(tf.bool, [], name="p")


@pytest.fixture
def q():
    return tf.placeholder(tf.bool, [], name="q")


@pytest.fixture
def x():
    return tf.placeholder(tf.float32, [], name="x")


def switch(data, predicate):
    return tf.raw_ops.Switch(data=data, pred=predicate)


def merge(*inputs):
    return tf.raw_ops.Merge(inputs=list(inputs))


def test_branch_nodes_are_guarded(p, x):
    y = tf.cond(p, lambda: tf.exp(x, name="yes"), lambda: tf.sin(x, name="no"))
    program = if_convert(pruned(y, feeds=[p, x]))
    result = guards(program)
    assert result["cond/yes"] == ((0, True),) and result["cond/no"] == ((0, False),)
    assert result["cond/Merge"] == ()


def test_program_without_conds_is_unchanged(x):
    program = pruned(tf.exp(x), feeds=[x])
    assert if_convert(program) is program
    assert not program.fetch_guards


def test_nested_guards_are_deduplicated(p, q, x):
    def inner():
        return tf.cond(q, lambda: tf.exp(x, name="both"), lambda: tf.cond(p, lambda: x, lambda: -x))

    y = tf.cond(p, inner, lambda: tf.sin(x))
    result = guards(if_convert(pruned(y, feeds=[p, q, x])))
    assert result["cond/cond/both"] == ((0, True), (1, True))
    assert "cond/cond/cond/Neg" not in result  # not p, inside p: never


def test_nested_conds_and_gradients(p, q, x):
    def other():
        return tf.cond(q, lambda: tf.cond(p, lambda: x, lambda: x * 5.0), lambda: x * 7.0)

    y = tf.cond(p, lambda: tf.cond(q, lambda: x * 2.0, lambda: x * 3.0), other)
    (slope,) = tf.gradients(y, x)
    assert values([y, slope], [p, q], {x: 1.0}) == [[7, 7], [3, 3], [5, 5], [2, 2]]


def test_predicate_computed_in_branch(p, x):
    y = tf.cond(
        p,
        lambda: tf.cond(x > 0.0, lambda: x, lambda: -x),
        lambda: tf.cond(x > 5.0, lambda: x * 10.0, lambda: x * 100.0),
    )
    assert values(y, [p], {x: -1.0}) == [-100.0, 1.0]
    assert values(y, [p], {x: 6.0}) == [60.0, 6.0]


def test_only_taken_branch_has_effects(p):
    v, w = tf.Variable(0.0), tf.Variable(0.0, use_resource=True)
    outside = tf.Variable(0.0)
    add = outside.assign_add(1.0)

    def yes():
        with tf.control_dependencies([add]):
            return tf.group(v.assign_add(1.0))

    chosen = tf.cond(p, yes, lambda: tf.group(w.assign_add(10.0)))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for choice in (True, False, True):
            session.run(chosen, {p: choice})
        assert session.run([v, w, outside]) == [2.0, 10.0, 3.0]


def test_untaken_branch_raises_no_errors(p, x):
    y = tf.cond(p, lambda: tf.check_numerics(x, "bad"), lambda: tf.constant(1.0))
    late = tf.cond(p, lambda: tf.constant(1.0), lambda: tf.placeholder(tf.float32, []) * 2.0)
    with tf.Session() as session:
        assert session.run(y, {p: False, x: float("nan")}) == 1.0
        with pytest.raises(tf.errors.InvalidArgumentError, match="bad : Tensor had NaN"):
            session.run(y, {p: True, x: float("nan")})
        assert session.run(late, {p: True}) == 1.0
        with pytest.raises(tf.errors.InvalidArgumentError, match="You must feed a value"):
            session.run(late, {p: False})


def test_merge_reports_taken_input(p, q):
    no, yes = switch(tf.constant(3.0), p)
    yes_no, yes_yes = switch(yes, q)
    taken = merge(no * 10.0, yes_no * 100.0, yes_yes * 1000.0)
    assert values(list(taken), [p, q]) == [[30.0, 0], [300.0, 1], [30.0, 0], [3000.0, 2]]


def test_merge_of_unrelated_switches(p, q):
    taken = merge(switch(tf.constant(3.0), p)[1], switch(tf.constant(5.0), q)[1])[0]
    after = taken + 1.0
    with tf.Session() as session:
        assert session.run([taken, after], {p: True, q: False}) == [3.0, 4.0]
        assert session.run([taken, after], {p: False, q: True}) == [5.0, 6.0]
        with pytest.raises(
            tf.errors.InvalidArgumentError, match=r"^Retval\[0\] does not have value"
        ):
            session.run(after, {p: False, q: False})


@pytest.mark.parametrize("swapped", [False, True])
def test_merge_of_branches_with_two_predicates(p, q, swapped):
    """Live if both or neither hold, which no single predicate can express."""
    no, yes = switch(tf.constant(3.0), p)
    branches = [switch(yes, q)[1] * 10.0, switch(no, q)[0] * 100.0]
    taken = merge(*branches[:: -1 if swapped else 1])
    with tf.Session() as session:
        for fetch in (taken[0], taken[0] + 0.0):
            assert session.run(fetch, {p: True, q: True}) == 30.0
            assert session.run(fetch, {p: False, q: False}) == 300.0
            for choice in ({p: True, q: False}, {p: False, q: True}):
                with pytest.raises(tf.errors.InvalidArgumentError, match="^Retval"):
                    session.run(fetch, choice)
        assert session.run(taken[1], {p: True, q: True}) == swapped


def test_dead_fetch_is_rejected(p):
    no, yes = switch(tf.constant(3.0), p)
    effect = tf.Variable(0.0)
    add = effect.assign_add(1.0)
    with tf.Session() as session:
        session.run(effect.initializer)
        assert session.run([add, yes], {p: True}) == [1.0, 3.0]
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            session.run([add, no], {p: True})
        assert caught.value.message == "Retval[1] does not have value"
        assert session.run(effect) == 2.0
        assert session.run(no, {p: False}) == 3.0


def test_control_dependents_of_dead_node_do_not_run(p):
    v = tf.Variable(1.0)
    with tf.control_dependencies([tf.identity(switch(tf.constant(3.0), p)[0])]):
        change = v.assign(5.0).op
    with tf.Session() as session:
        session.run(v.initializer)
        session.run(change, {p: True})
        assert session.run(v) == 1.0
        session.run(change, {p: False})
        assert session.run(v) == 5.0


def test_merge_without_switch():
    one = tf.constant(2.0)
    with tf.Session() as session:
        assert session.run(merge(one, one)[0]) == 2.0


def test_untaken_branch_gradients_are_zero(p):
    v = tf.Variable([1.0, 2.0])
    w = tf.Variable([1.0, 2.0], use_resource=True)
    slopes = tf.gradients(tf.cond(p, lambda: v * 2.0, lambda: w * 3.0), [v, w])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        result = [[s.tolist() for s in session.run(slopes, {p: choice})] for choice in (P, Q)]
    assert result == [[[2.0, 2.0], [0.0, 0.0]], [[0.0, 0.0], [3.0, 3.0]]]


def test_branch_node_can_be_fed(p, x):
    y = tf.cond(p, lambda: tf.multiply(x, 2.0, name="inner"), lambda: x)
    with tf.Session() as session:
        assert session.run(y, {p: True, x: 1.0, "cond/inner:0": 50.0}) == 50.0


def test_constant_predicate_keeps_one_branch(x):
    y = tf.cond(tf.constant(True), lambda: tf.exp(x), lambda: tf.sin(x))
    with tf.Session() as session:
        assert session.run(y, {x: 0.0}) == 1.0


@pytest.mark.parametrize(
    "p, q, value, expected", [(1, 1, 1, 200), (0, 1, 1, "dead"), (0, 0, 9, 1800)]
)
def test_predicate_from_possibly_dead_merge(p, q, value, expected):
    x, one, two = (tf.placeholder(t, []) for t in (tf.float32, tf.bool, tf.bool))
    _, taken = tf.raw_ops.Switch(data=x, pred=one)
    other, _ = tf.raw_ops.Switch(data=x * 2, pred=two)
    merged, _ = tf.raw_ops.Merge(inputs=[taken + 1, other])
    low, high = tf.raw_ops.Switch(data=merged, pred=merged > 10)
    result, _ = tf.raw_ops.Merge(inputs=[low * 100, high * 100])
    with tf.Session() as session:
        feeds = {x: value, one: bool(p), two: bool(q)}
        if expected == "dead":
            with pytest.raises(tf.errors.InvalidArgumentError, match="does not have value"):
                session.run(result, feeds)
        else:
            assert session.run(result, feeds) == expected


def test_control_trigger_ignores_dead_inputs(p):
    no, yes = switch(tf.constant(3.0), p)
    for waited_for in ([-no], [-no, -yes]):
        with tf.control_dependencies(waited_for):
            trigger = tf.raw_ops.ControlTrigger()
        with tf.control_dependencies([trigger]):
            after = tf.constant(7.0)
        assert values(after, [p]) == [7.0, 7.0]
