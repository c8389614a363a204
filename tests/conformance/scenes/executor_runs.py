"""Steps that block, call, loop and fail: queues in branches and loops, nested calls, shared memory, partial runs."""

import numpy as np

from tests.conformance.scenes.compiler_results import _said


def queues_in_a_step(tf, stage):
    def queue(*values, capacity=40, name="q"):
        made = tf.FIFOQueue(capacity, tf.float32, shapes=[[]], name=name)
        return made, made.enqueue_many([tf.constant(values, tf.float32)])

    def in_a_loop():
        q, fill = queue(1.0, 2.0, 3.0, 4.0)
        with tf.control_dependencies([fill]):
            test, step = lambda i, s: i < 3, lambda i, s: (i + 1, s * 10.0 + q.dequeue())
            i, s = tf.while_loop(test, step, [0, 0.0], parallel_iterations=1)
        with tf.control_dependencies([s]):
            return i, s, q.size()

    def in_a_branch():
        q, fill = queue(1.0, 2.0)
        p = tf.placeholder_with_default(True, [], name="p")
        with tf.control_dependencies([fill]):
            made = tf.cond(p, lambda: q.dequeue() * 2.0, lambda: tf.to_float(q.size()) * 100.0)
        with tf.control_dependencies([made]):
            return made, q.size()

    def from_one_to_another():
        one, fill = queue(1.0, 2.0, 3.0)
        two, _ = queue(name="two")
        with tf.control_dependencies([fill]):
            moved = [two.enqueue(one.dequeue()) for _ in range(1)]
        with tf.control_dependencies(moved):
            return two.dequeue() + 0.5, one.size()

    def loop_in_a_loop():
        q, fill = queue(*range(1, 10))
        inner = lambda s: tf.while_loop(  # noqa: E731
            lambda j, t: j < 2, lambda j, t: (j + 1, t + q.dequeue()), [0, s], parallel_iterations=1
        )[1]
        with tf.control_dependencies([fill]):
            made = tf.while_loop(
                lambda i, s: i < 3,
                lambda i, s: (i + 1, inner(s) * 2.0),
                [0, 0.0],
                parallel_iterations=1,
            )
        with tf.control_dependencies(made):
            return made, q.size()

    def in_a_function():
        q, fill = queue(5.0, 6.0)

        @tf.function
        def take(x):
            return x + q.dequeue()

        with tf.control_dependencies([fill]):
            return take(1.0)

    def closed():
        q, fill = queue(1.0)
        with tf.control_dependencies([fill]):
            end = q.close()
        with tf.control_dependencies([end]):
            return tf.while_loop(lambda s: s < 99.0, lambda s: s + q.dequeue(), [0.0])

    def too_many():
        q, fill = queue(1.0, 2.0, 3.0)
        with tf.control_dependencies([fill]):
            some = q.dequeue_up_to(2)
        with tf.control_dependencies([some]):
            end = q.close()
        with tf.control_dependencies([end]):
            return some, q.dequeue_up_to(5)

    cases = {
        "in_a_loop": in_a_loop,
        "in_a_branch": in_a_branch,
        "from_one_to_another": from_one_to_another,
        "loop_in_a_loop": loop_in_a_loop,
        "in_a_function": in_a_function,
        "closed": closed,
        "too_many": too_many,
    }
    _said(tf, stage, cases, ({}, {"p": False}))


def calls(tf, stage):
    """Functions that call functions, with effects, branches, loops and errors; by reference and by value."""

    def twice(f, x):
        return f(f(x))

    def nested():
        @tf.function
        def one(x):
            return x * 2.0

        @tf.function
        def two(x, y):
            return one(x) + twice(one, y), x

        @tf.function
        def three(x):
            a, b = two(x, x + 1.0)
            return tf.cond(a > b, lambda: two(a, b)[0], lambda: one(b))

        return three(tf.placeholder_with_default(1.0, [], name="x"))

    def effects():
        v = tf.get_variable("v", initializer=1.0, use_resource=True)

        @tf.function
        def grow(x):
            v.assign_add(x)
            before = v.read_value()
            v.assign(v * 2.0)
            return before

        first = grow(tf.placeholder_with_default(1.0, [], name="x"))
        with tf.control_dependencies([first]):
            second = grow(10.0)
        with tf.control_dependencies([second]):
            return first, second, v.read_value()

    def unused_effects():
        v = tf.get_variable("v", initializer=1.0, use_resource=True)

        @tf.function
        def grow():
            v.assign_add(1.0)
            return tf.constant(3.0)

        with tf.control_dependencies([grow()]):
            return v.read_value()

    def loops():
        @tf.function
        def power(x, n):
            made = tf.constant(1.0)
            for _ in tf.range(n):
                made *= x
            return made

        n = tf.placeholder_with_default(3, [], name="n")
        return power(2.0, n), tf.gradients(power(tf.constant(3.0), n), n)

    def recursive():
        @tf.contrib.eager.defun
        def count(x):
            return tf.cond(x > 3.0, lambda: x, lambda: x + 1.0)

        return twice(count, twice(count, tf.placeholder_with_default(1.0, [], name="x")))

    def fails():
        @tf.function
        def inner(x):
            return tf.gather([1.0, 2.0], tf.to_int32(x) + 5)

        @tf.function
        def outer(x):
            return inner(x) + 1.0

        return outer(tf.placeholder_with_default(1.0, [], name="x"))

    def defuns():
        made = tf.contrib.eager.defun(lambda x: {"a": x, "b": [x * 2.0, None]})
        return made(tf.placeholder_with_default(1.0, [], name="x"))["b"][0]

    def many_results():
        made = tf.function(lambda x: tf.unstack(tf.stack([x, x * 2.0, x * 3.0])))
        parts = made(tf.placeholder_with_default(1.0, [], name="x"))
        return parts[2], parts[0]

    def mapped():
        x = tf.placeholder_with_default([1.0, 2.0, 3.0], [None], name="many")
        square = tf.function(lambda a: a * a)
        return tf.map_fn(square, x), tf.scan(lambda a, b: square(a) + b, x), tf.foldl(tf.add, x)

    def in_python():
        x = tf.placeholder_with_default(1.0, [], name="x")
        made = tf.py_func(lambda a: a * np.float32(2), [x], tf.float32)

        def step(i, s):
            return i + 1, s + tf.py_func(lambda a: a + np.float32(0.5), [s], tf.float32)

        return made, tf.while_loop(lambda i, s: i < 3, step, [0, made], parallel_iterations=1)

    cases = {
        "nested": nested,
        "effects": effects,
        "unused_effects": unused_effects,
        "loops": loops,
        "recursive": recursive,
        "fails": fails,
        "defuns": defuns,
        "many_results": many_results,
        "mapped": mapped,
        "in_python": in_python,
    }
    _said(tf, stage, cases, ({}, {"x": 2.5, "n": 0, "many": [4.0]}, {"x": -7.0}))


def memory(tf, stage):
    """Writes to arrays fed or fetched by a user have no other effects."""
    x = tf.placeholder(tf.float32, [2, 2], name="x")
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="v")
    r = tf.get_variable("r", initializer=[[1.0, 2.0], [3.0, 4.0]], use_resource=True)
    c = tf.constant([[1.0, 2.0], [3.0, 4.0]], name="c")
    fetches = {
        "identity": tf.identity(x),
        "reshaped": tf.reshape(x, [4]),
        "turned": tf.transpose(x),
        "row": x[1],
        "sum": x + 1.0,
        "variable": v,
        "read": tf.identity(v),
        "variable_row": v[0],
        "resource": r,
        "resource_read": r.read_value(),
        "resource_flat": tf.reshape(r, [-1]),
        "constant": c,
        "constant_view": tf.reshape(c, [4]),
        "twice": [c, c],
        "expanded": tf.expand_dims(x, 0),
        "split": tf.split(x, 2),
        "unstacked": tf.unstack(r),
        "branch": tf.cond(tf.constant(True), lambda: x, lambda: c),
        "loop": tf.while_loop(lambda i, s: i < 1, lambda i, s: (i + 1, s), [0, x])[1],
        "stopped": tf.stop_gradient(r),
        "broadcast": tf.broadcast_to(x[:, :1], [2, 2]),
    }
    given = np.float32([[5, 6], [7, 8]])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for name, fetch in fetches.items():
            found = session.run(fetch, {x: given})
            for array in tf.nest.flatten(found):
                stage.say(name, array.flags.writeable)
                if array.flags.writeable:
                    array += 100.0
            stage.say(given, session.run([v, r, c]))
            stage.say(session.run(fetch, {x: given}))
            given[...] = [[5, 6], [7, 8]]
        call = session.make_callable([v, r, x + 1.0], [x])
        for _ in range(2):
            for array in call(given):
                if array.flags.writeable:
                    array *= 0.0
        stage.say(call(given), given)


def errors_inside(tf, stage):
    """The node named by an error from a loop, a branch or a call, and the remaining state."""
    v = tf.Variable(0.0, name="v")
    x = tf.placeholder_with_default([1.0, 2.0], [None], name="x")

    def body(i, s):
        with tf.control_dependencies([tf.assign_add(v, 1.0)]):
            return i + 1, s + tf.gather(x, i)

    cases = {
        "loop": tf.while_loop(
            lambda i, s: i < 5, body, [0, 0.0], parallel_iterations=1, name="loop"
        ),
        "branch": tf.cond(x[0] > 0.0, lambda: tf.reshape(x, [3]), lambda: x, name="branch"),
        "other_branch": tf.cond(x[0] < 0.0, lambda: tf.reshape(x, [3]), lambda: x, name="other"),
        "assert": tf.Assert(x[0] < 0.0, [x, "text", tf.constant(7)], name="asserts"),
        "check": tf.check_numerics(x / 0.0, "not finite", name="checks"),
        "equal": tf.assert_equal(tf.shape(x), [5], message="shapes", name="equal"),
        "shapes": tf.subtract(x, tf.placeholder_with_default([1.0] * 4, [None]), name="less"),
        "product": tf.matmul(
            x[None], tf.placeholder_with_default([[1.0]], [None, None]), name="mm"
        ),
        "concat": tf.concat(
            [x[None], tf.placeholder_with_default([[1.0]], [None, None])], 0, "concat"
        ),
        "slice": tf.slice(x, [1], [5], name="slice"),
        "index": x[tf.size(x) + 4],
        "cast": tf.string_to_number(tf.as_string(x[:1]) + "z", name="number"),
        "decode": tf.image.decode_png(tf.as_string(x[0]), name="decode"),
        "read": tf.read_file(tf.as_string(x[0]), name="read"),
        "python": tf.py_func(lambda a: 1 / 0, [x], tf.float32, name="python"),
        "python_dtype": tf.py_func(lambda a: a.astype("f8"), [x], tf.float32, name="dtype"),
        "python_stop": tf.py_func(lambda a: next(iter(())), [x], tf.float32, name="stop"),
        "unset": tf.Variable(1.0, name="unset"),
        "unset_resource": tf.get_variable("unset_r", initializer=1.0, use_resource=True),
        "unset_resource_used": tf.get_variable("more", initializer=1.0, use_resource=True) * 2.0,
        "division": tf.constant([1]) // tf.placeholder_with_default([0], [1]),
        "unique": tf.unique(tf.placeholder_with_default([[1]], None), name="unique"),
        "segment": tf.segment_sum(x, tf.placeholder_with_default([1, 0], [2]), name="segments"),
        "sparse": tf.sparse_to_dense([5], [2], x[0], name="dense"),
        "negative": tf.ones(tf.placeholder_with_default([-1], [1]), name="ones"),
        "top": tf.nn.top_k(x, 5, name="top"),
        "one_hot": tf.one_hot(tf.to_int32(x), tf.placeholder_with_default(-1, []), name="hot"),
        "range": tf.range(0, tf.placeholder_with_default(5, []), 0, name="range"),
        "split": tf.split(x, tf.placeholder_with_default([1, 5], [2]), name="split"),
        "transpose": tf.transpose(x, tf.placeholder_with_default([1], [1]), name="turned"),
    }
    with tf.Session() as session:
        session.run(v.initializer)
        for name, case in cases.items():
            stage.say(name)
            stage.attempt(session.run, case)
            stage.attempt(session.run, case, {x: [-1.0, 2.0, 3.0]})
            stage.say(session.run(v))


def steps_in_parts(tf, stage):
    a, b, c = (tf.placeholder(tf.float32, [], name=name) for name in "abc")
    v = tf.Variable(1.0, name="v")
    one = tf.identity(a + v, name="one")
    two = tf.identity(one * b, name="two")
    three = tf.assign_add(v, two, name="three")
    four = tf.cond(c > 0.0, lambda: three + c, lambda: two - c, name="four")
    loop = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s + b), [0, one])[1]
    with tf.Session() as session:
        session.run(v.initializer)
        for turn in range(2):
            step = session.partial_run_setup([one, two, three.op, four, loop], [a, b, c])
            stage.attempt(session.partial_run, step, one, {a: 1.0})
            stage.attempt(session.partial_run, step, [two, loop], {b: 3.0})
            stage.attempt(session.partial_run, step, [four, three.op], {c: 2.0 - 3.0 * turn})
            stage.attempt(session.partial_run, step, four)
            stage.say(session.run(v))
        for setup in (
            *(([one], [a]), ([], [a]), ([one, two], []), (["one:0"], ["a:0"]), ([one], [a, a])),
            *(([three.op], [a, b]), (one, [a]), ([one], a), (None, [a])),
        ):
            with stage.failing():
                step = session.partial_run_setup(*setup)
                stage.attempt(session.partial_run, step, one, {a: 5.0})
                stage.attempt(session.partial_run, step, two, {b: 5.0})
        step = session.partial_run_setup([one, two], [a, b])
        stage.attempt(session.partial_run, step, two, {a: 1.0})
        stage.attempt(session.partial_run, step, two, {b: 1.0})
        stage.attempt(session.partial_run, step, [one])
        stage.attempt(session.partial_run, "nothing", one)


def examples_parsed(tf, stage):
    """Batches of Examples with each kind of feature, valid and damaged."""
    feature = tf.train.Feature

    def example(**given):
        kinds = {
            float: lambda v: feature(float_list=tf.train.FloatList(value=v)),
            int: lambda v: feature(int64_list=tf.train.Int64List(value=v)),
            bytes: lambda v: feature(bytes_list=tf.train.BytesList(value=v)),
        }
        made = {k: kinds[type(v[0])](v) if v else feature() for k, v in given.items()}
        return tf.train.Example(features=tf.train.Features(feature=made)).SerializeToString(
            deterministic=True
        )

    rows = {
        "whole": [example(f=[1.0, 2.0], i=[3], s=[b"a"]), example(f=[4.0, 5.0], i=[6], s=[b"bc"])],
        "missing": [example(f=[1.0, 2.0]), example(i=[6], f=[7.0, 8.0])],
        "empty": [example(f=[1.0, 2.0], i=[]), b""],
        "short": [example(f=[1.0], i=[1])],
        "kind": [example(f=[1, 2], i=[1])],
        "broken": [example(f=[1.0, 2.0], i=[1]), b"nonsense"],
        "none": [],
        "more": [example(f=[1.0, 2.0], i=[1], x=[1.0], v=[1.0, 2.0, 3.0, 4.0])],
    }
    of = tf.io
    specs = {
        "fixed": {
            "f": of.FixedLenFeature([2], tf.float32),
            "i": of.FixedLenFeature([], tf.int64, -1),
        },
        "strings": {"s": of.FixedLenFeature([1], tf.string, "none")},
        "ragged": {"i": of.VarLenFeature(tf.int64), "v": of.VarLenFeature(tf.float32)},
        "sequence": {"v": of.FixedLenSequenceFeature([2], tf.float32, allow_missing=True)},
        "padded": {
            "v": of.FixedLenSequenceFeature([], tf.float32, allow_missing=True, default_value=9.0)
        },
        "sparse": {"p": of.SparseFeature("i", "f", tf.float32, 10)},
    }
    given = tf.placeholder(tf.string, [None], name="given")
    parsed = {name: of.parse_example(given, spec) for name, spec in specs.items()}
    one = {name: of.parse_single_example(given[0], spec) for name, spec in specs.items()}
    with tf.Session() as session:
        for name, row in rows.items():
            for kind in specs:
                stage.say(name, kind)
                with stage.failing():
                    stage.say(sorted(session.run(parsed[kind], {given: row}).items()))
                if row:
                    with stage.failing():
                        stage.say(sorted(session.run(one[kind], {given: row}).items()))
