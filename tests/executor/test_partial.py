"""partial: partial runs execute each node once, in TensorFlow's order and with its messages."""

import pytest

import tfmini as tf


@pytest.fixture
def inputs():
    return [tf.placeholder(tf.float32, [], name=name) for name in "abc"]


def refused(session, handle, fetches, feed):
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        session.partial_run(handle, fetches, feed)
    return caught.value.message


def test_parts_run_once_feeds_arrive(session, inputs):
    a, b, c = inputs
    total, product = a + b, (a + b) * c
    handle = session.partial_run_setup([total, product], [a, b, c])
    first = session.partial_run(handle, {"total": [total]}, {a: 1, b: 2})
    assert first == {"total": [3.0]}
    assert session.partial_run(handle, (product,), {c: first["total"][0] * 10}) == (90.0,)
    assert refused(session, handle, product, {}) == (
        "Must run 'setup' before performing partial runs!"
    )


def test_feeds_without_fetches_and_by_name(session, inputs):
    tf.multiply(inputs[0], inputs[1], name="product")
    handle = session.partial_run_setup("product:0", ["a:0", "b:0"])
    assert session.partial_run(handle, [], {"a:0": 3}) == []
    assert session.partial_run(handle, "product:0", {"b:0": 4}) == 12.0


def test_invalid_partial_runs(session, inputs):
    a, b, c = inputs
    total, product = a + b, (a + b) * c
    other = tf.exp(a, name="other")
    handle = session.partial_run_setup([total, product], [a, b, c])
    assert refused(session, handle, product, {a: 1, b: 2}) == (
        "Fetch c:0 can't be computed from the feeds that have been fed so far."
    )
    assert refused(session, handle, other, {a: 1}) == (
        "The fetch other:0 was not specified in partial_run_setup."
    )
    assert session.partial_run(handle, total, {a: 1, b: 2}) == 3.0
    assert refused(session, handle, total, {}) == "The fetch add:0 has already been fetched."
    assert refused(session, handle, product, {a: 1}) == "The feed a:0 has already been fed."
    stranger = tf.placeholder(tf.float32, [], name="stranger")
    assert refused(session, handle, product, {stranger: 1}) == (
        "The feed stranger:0 was not specified in partial_run_setup."
    )
    assert session.partial_run(handle, product, {c: 2}) == 6.0


def test_partial_runs_are_independent(session, inputs):
    a, b, c = inputs
    total, product = a + b, (a + b) * c
    one, two = (session.partial_run_setup([total, product], [a, b, c]) for _ in range(2))
    assert session.partial_run(one, total, {a: 1, b: 2}) == 3.0
    assert session.partial_run(two, total, {a: 10, b: 20}) == 30.0
    assert session.partial_run(one, product, {c: 2}) == 6.0
    assert session.partial_run(two, product, {c: 3}) == 90.0


def test_effects_run_once_after_dependencies(session, inputs):
    a, b, _ = inputs
    v = tf.Variable(1.0)
    r = tf.Variable(1.0, use_resource=True)
    early = v.assign_add(a)
    with tf.control_dependencies([tf.group(early, r.assign_add(b).op)]):
        late = v.assign_add(10.0)
        result = tf.identity(late)
    session.run(tf.global_variables_initializer())
    handle = session.partial_run_setup([early, result], [a, b])
    assert refused(session, handle, result, {a: 5}).startswith("Fetch b:0 can't be computed")
    assert session.partial_run(handle, early, {a: 5}) == 6.0
    assert session.run([v, r]) == [6.0, 1.0]
    assert session.partial_run(handle, result, {b: 2}) == 16.0
    assert session.run([v, r]) == [16.0, 3.0]


@pytest.mark.parametrize("choice, expected", [(1.0, 4.0), (0.0, 0.0)])
def test_cond_across_parts(session, inputs, choice, expected):
    p, x, y = inputs
    result = tf.cond(p > 0, lambda: tf.exp(x) + y, lambda: tf.sin(x) * y)
    handle = session.partial_run_setup([result], [p, x, y])
    session.partial_run(handle, [], {x: 0.0})
    session.partial_run(handle, [], {p: choice})
    assert session.partial_run(handle, result, {y: 3.0}) == expected


def test_failed_part_ends_run(session, inputs):
    a, b, _ = inputs
    checked = tf.check_numerics(a, "bad")
    product = checked * b
    handle = session.partial_run_setup([checked, product], [a, b])
    assert refused(session, handle, checked, {a: float("nan")}).startswith("bad : Tensor had NaN")
    assert refused(session, handle, product, {b: 1.0}).startswith("Must run 'setup'")


def test_random_ops_draw_once(session, inputs):
    a, b, _ = inputs
    draw = tf.random_uniform([3], seed=1)
    one, two = draw + a, draw * b
    handle = session.partial_run_setup([one, two], [a, b])
    first = session.partial_run(handle, one, {a: 0})
    assert session.partial_run(handle, two, {b: 1}).tolist() == first.tolist()


def test_fetched_arrays_survive_later_parts(session):
    x = tf.placeholder(tf.float32, [4000], name="x")
    go = tf.placeholder(tf.float32, [], name="go")
    middle = tf.exp(x)
    end = tf.sqrt(middle) * go
    handle = session.partial_run_setup([middle, end], [x, go])
    fed = [0.0] * 4000
    got = session.partial_run(handle, middle, {x: fed})
    got[:] = 100.0
    assert session.partial_run(handle, end, {go: 2.0})[0] == 2.0


def test_loop_waits_for_later_feed_on_gpu(gpu, inputs):
    a, b, _ = inputs
    one = tf.add(a, 1.0)
    body = lambda i, s: (i + 1, s + b)  # noqa: E731
    loop = tf.while_loop(lambda i, s: i < 3, body, [0, one])[1]
    with tf.Session() as session:
        handle = session.partial_run_setup([one, loop], [a, b])
        assert session.partial_run(handle, one, {a: 1.0}) == 2.0
        assert session.partial_run(handle, loop, {b: 2.0}) == 8.0
