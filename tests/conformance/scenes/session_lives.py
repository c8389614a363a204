"""Lives of sessions: blocks that fail, what is closed and opened again, several graphs, what is left after an error."""

import threading

import numpy as np


def _adder(tf):
    v = tf.Variable(1.0, name="v")
    return v, tf.assign_add(v, 1.0, name="add")


def _stack(tf, stage):
    session = tf.get_default_session()
    stage.say(
        session is not None,
        tf.get_default_graph() is (session.graph if session else None),
        len(tf.get_default_graph().get_operations()),
    )


def closed_by_a_block(tf, stage):
    v, add = _adder(tf)
    with tf.Session() as session:
        session.run(v.initializer)
        stage.attempt(session.run, add)
    stage.attempt(session.run, add)
    stage.attempt(session.run, [])
    stage.attempt(session.partial_run_setup, [add], [])
    stage.attempt(session.make_callable(add, []))
    with stage.failing():
        session.list_devices()
    stage.attempt(session.close)
    stage.attempt(add.eval)
    _stack(tf, stage)


def closed_by_a_block_that_fails(tf, stage):
    v, add = _adder(tf)
    with stage.failing():
        with tf.Session() as session:
            session.run(v.initializer)
            _stack(tf, stage)
            raise KeyError("mine")
    _stack(tf, stage)
    stage.attempt(session.run, add)
    with tf.Session() as session:
        stage.attempt(session.run, add)


def a_block_that_ends_by_a_run(tf, stage):
    v, add = _adder(tf)
    with stage.failing():
        with tf.Session() as session:
            session.run(add)
    stage.attempt(session.run, v.initializer)
    _stack(tf, stage)


def a_second_block_of_one_session(tf, stage):
    v, add = _adder(tf)
    session = tf.Session()
    with session.as_default():
        session.run(v.initializer)
        stage.attempt(add.eval)
    with session.as_default() as same:
        stage.say(same is session)
        stage.attempt(add.eval)
    with session:
        stage.attempt(add.eval)
    with stage.failing():
        with session:
            stage.attempt(add.eval)
    _stack(tf, stage)


def entered_twice(tf, stage):
    v, add = _adder(tf)
    session = tf.Session()
    session.run(v.initializer)
    with session:
        with stage.failing():
            with session:
                stage.attempt(add.eval)
        stage.attempt(add.eval)
    _stack(tf, stage)


def as_default_with_a_failing_block(tf, stage):
    v, add = _adder(tf)
    session = tf.Session()
    with stage.failing():
        with session.as_default():
            raise ValueError("mine")
    _stack(tf, stage)
    session.run(v.initializer)
    stage.attempt(session.run, add)
    session.close()


def nested_of_two_graphs(tf, stage):
    one, two = tf.Graph(), tf.Graph()
    with one.as_default():
        a = tf.constant(1.0, name="a")
    with two.as_default():
        b = tf.constant(2.0, name="b")
    with tf.Session(graph=one) as outer:
        stage.attempt(a.eval)
        stage.attempt(b.eval)
        with tf.Session(graph=two) as inner:
            stage.attempt(b.eval)
            stage.attempt(a.eval)
            stage.attempt(a.eval, session=outer)
            stage.attempt(outer.run, "a:0")
            stage.attempt(inner.run, "a:0")
            stage.say(tf.get_default_graph() is two)
        stage.say(tf.get_default_graph() is one)
        stage.attempt(a.eval)
        stage.attempt(inner.run, b)
    _stack(tf, stage)


def nested_with_an_error_inside(tf, stage):
    one, two = tf.Graph(), tf.Graph()
    with tf.Session(graph=one):
        with stage.failing():
            with tf.Session(graph=two):
                raise ValueError("inner")
        stage.say(tf.get_default_graph() is one, tf.get_default_session().graph is one)
        tf.constant(1, name="in_one")
    stage.left(one)
    stage.left(two)


def blocks_that_cross(tf, stage):
    one, two = tf.Session(), tf.Session()
    first, second = one.as_default(), two.as_default()

    def cross():
        first.__enter__()
        second.__enter__()
        with stage.failing():
            first.__exit__(None, None, None)
        stage.say(tf.get_default_session() is two, tf.get_default_session() is one)

    thread = threading.Thread(target=cross)  # whose default sessions stay so
    thread.start()
    thread.join()


def interactive(tf, stage):
    v, add = _adder(tf)
    session = tf.InteractiveSession()
    stage.say(tf.get_default_session() is session)
    v.initializer.run()
    stage.attempt(add.eval)
    with tf.Graph().as_default():
        c = tf.constant(1.0)
        stage.attempt(c.eval)
        with tf.Session():
            stage.attempt(c.eval)
    stage.attempt(add.eval)
    session.close()
    stage.attempt(add.eval)
    stage.attempt(session.run, add)
    _stack(tf, stage)


def interactive_of_a_graph(tf, stage):
    graph = tf.Graph()
    with graph.as_default():
        a = tf.constant([1, 2], name="a")
    session = tf.InteractiveSession(graph=graph)
    stage.attempt(a.eval)
    stage.say(tf.get_default_graph() is graph)
    tf.constant(3, name="late")
    session.close()
    stage.say(tf.get_default_graph() is graph)
    stage.left(graph)


def resource_variables_of_each_session(tf, stage):
    v = tf.Variable([1.0], use_resource=True, name="v")
    add = v.assign_add([2.0])
    one, two = tf.Session(), tf.Session()
    one.run(v.initializer)
    stage.attempt(one.run, add)
    stage.attempt(two.run, add)
    stage.attempt(two.run, tf.report_uninitialized_variables())
    stage.attempt(one.run, tf.report_uninitialized_variables([v]))


def a_failing_run_leaves_what_ran_before(tf, stage):
    v, add = _adder(tf)
    with tf.control_dependencies([add]):
        fails = tf.Assert(v < 2.5, ["too large:", v], name="check")
    with tf.Session() as session:
        session.run(v.initializer)
        for _ in range(3):
            stage.attempt(session.run, fails)
            stage.attempt(session.run, v)


def a_run_refused_runs_nothing(tf, stage):
    v, add = _adder(tf)
    x = tf.placeholder(tf.float32, [2], name="x")
    y = tf.add(x, add)
    with tf.Session() as session:
        session.run(v.initializer)
        for feed in ({}, {x: [1.0]}, {x: "a"}, {x: [[1.0, 2.0]]}, {x: None}, {"y:0": 1}, {3: 1}):
            stage.attempt(session.run, y, feed)
        stage.attempt(session.run, v)
        stage.attempt(session.run, [y, None])
        stage.attempt(session.run, [y, "nothing"], {x: [1.0, 2.0]})
        stage.attempt(session.run, v)
        stage.attempt(session.run, y, {x: [1.0, 2.0]})


def feeds_in_turn(tf, stage):
    x = tf.placeholder(tf.float32, [None], name="x")
    y = tf.placeholder_with_default([1.0, 2.0], [None], name="y")
    total = tf.reduce_sum(x * y, name="total")
    with tf.Session() as session:
        stage.attempt(session.run, total, {x: [1, 2]})
        stage.attempt(session.run, total, {x: [1, 2, 3]})
        stage.attempt(session.run, total, {x: [1, 2, 3], y: [1]})
        stage.attempt(session.run, total, {x: np.arange(2)})
        stage.attempt(session.run, total, {"x:0": [2.5], "y:0": [2.0]})
        stage.attempt(session.run, total, {total: 5})
        stage.attempt(session.run, [total, x], {total: 5})
        stage.attempt(session.run, {"a": (total, [y])}, {x: [3, 3]})
        stage.attempt(session.run, total, {x: [1, 2], "x:0": [3, 4]})
        stage.attempt(session.run, total, {(x, y): ([1.0], [2.0])})


def feeds_that_cannot_be(tf, stage):
    v, add = _adder(tf)
    c = tf.constant([1.0], name="c")
    r = tf.Variable(1.0, use_resource=True, name="r")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        tf.get_default_graph().prevent_feeding(c)
        tf.get_default_graph().prevent_fetching(add.op)
        stage.attempt(session.run, v, {c: [2.0]})
        stage.attempt(session.run, add)
        stage.attempt(session.run, v)
        stage.attempt(session.run, c)
        stage.attempt(session.run, c, {r.handle: 1.0})
        stage.attempt(session.run, c, {v: 7.0})
        stage.attempt(session.run, [v, c], {v: 7.0})
        stage.attempt(session.run, v)
        stage.attempt(session.run, c, {v.initializer: 1.0})


def numbers_fed_that_do_not_fit(tf, stage):
    x = tf.placeholder(tf.int8, [], name="x")
    b = tf.placeholder(tf.bool, [], name="b")
    u = tf.placeholder(tf.uint8, name="u")
    s = tf.placeholder(tf.string, name="s")
    with tf.Session() as session:
        for value in (127, 128, 1.5, True, np.int64(3), np.float32(2.0), "1", [1]):
            stage.attempt(session.run, x, {x: value})
        for value in (1, 0.5, "", None, np.bool_(True)):
            stage.attempt(session.run, b, {b: value})
        for value in ([-1], [256], np.zeros([0, 2])):
            stage.attempt(session.run, u, {u: value})
        for value in ("é", b"\xff", ["a", b"b"], 1, np.array(["x"], object)):
            stage.attempt(session.run, s, {s: value})


def arrays_given_belong_to_the_user(tf, stage):
    v = tf.Variable([1.0, 2.0], name="v")
    x = tf.placeholder(tf.float32, [2])
    put = tf.assign(v, x)
    with tf.Session() as session:
        given = np.array([5.0, 6.0], np.float32)
        first = session.run(put, {x: given})
        given[0] = 100.0
        stage.attempt(session.run, v)
        first[0] = 200.0
        stage.attempt(session.run, v)
        same = session.run([v, v], {x: given})
        same[0][1] = -1.0
        stage.say(same, given)


def fetched_twice_and_nested(tf, stage):
    v, add = _adder(tf)
    sparse = tf.SparseTensor([[0, 1]], [1.5], [2, 2])
    slices = tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([3]))
    with tf.Session() as session:
        session.run(v.initializer)
        stage.attempt(session.run, [add, add, "add:0", add.op])
        stage.attempt(session.run, {"a": [add], "b": (v, {"c": v})})
        stage.attempt(session.run, sparse)
        stage.attempt(session.run, [slices, sparse.dense_shape])
        for empty in ([], {}, (), [[], {}]):
            stage.attempt(session.run, empty)
        stage.attempt(session.run, v.initializer)
        stage.attempt(session.run, [v])
        for wrong in (None, 1, [1.0], {"a": None}, "v", "v:1", "add:x", "", tf.Graph()):
            stage.attempt(session.run, wrong)


def sessions_of_another_graph(tf, stage):
    v, add = _adder(tf)
    other = tf.Graph()
    with other.as_default():
        x = tf.placeholder(tf.float32, name="x")
        y = x + 1.0
    with tf.Session(graph=other) as session:
        stage.attempt(session.run, v)
        stage.attempt(session.run, y, {v: 1.0})
        stage.attempt(session.run, y, {x: 1.0})
        stage.attempt(session.run, y, {x: tf.constant(1.0)})
        stage.attempt(session.run, v.initializer)
        stage.attempt(v.initializer.run)
        stage.attempt(v.eval)
        stage.say(session.graph is other, session.graph_def.node[0].name)
    stage.left(other)


def timeouts_of_a_run(tf, stage):
    queue = tf.FIFOQueue(1, tf.float32, shared_name="q")
    take, put = queue.dequeue(name="take"), queue.enqueue(1.0)
    late = tf.RunOptions(timeout_in_ms=60_000)
    with tf.Session() as session:
        stage.attempt(session.run, take, options=tf.RunOptions(timeout_in_ms=30))
        session.run(put)
        stage.attempt(session.run, take, options=late)
        stage.attempt(session.run, queue.size())
    with tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=30)) as session:
        stage.attempt(session.run, take)
        session.run(put, options=late)
        stage.attempt(session.run, queue.size(), options=late)


def metadata_of_runs(tf, stage):
    v, add = _adder(tf)
    full = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE, output_partition_graphs=True)
    with tf.Session() as session:
        metadata = tf.RunMetadata()
        session.run(v.initializer, options=full, run_metadata=metadata)
        stage.say(len(metadata.partition_graphs), metadata.HasField("step_stats"))
        session.run(add, run_metadata=metadata)
        stage.say(len(metadata.partition_graphs), metadata.HasField("step_stats"))
        session.run(add, options=full)
        stage.attempt(session.run, add, options=1)
        stage.attempt(session.run, add, run_metadata=1)
        stage.attempt(session.run, "none", options=full, run_metadata=metadata)
        stage.say(len(metadata.partition_graphs), metadata.HasField("step_stats"))


def closed_while_another_thread_waits(tf, stage):
    queue = tf.FIFOQueue(1, tf.float32, shared_name="waits")
    take = queue.dequeue(name="take")
    session = tf.Session()
    begun = threading.Event()

    def wait():
        begun.set()
        try:
            session.run(take)
        except tf.errors.CancelledError as error:
            stage.say(type(error).__name__)

    thread = threading.Thread(target=wait)
    thread.start()
    begun.wait()
    with tf.Graph().as_default():
        tf.Session().run(tf.constant(1))
    session.close()
    thread.join()
    stage.attempt(session.run, take)


def threads_have_defaults_of_their_own(tf, stage):
    v, add = _adder(tf)
    with tf.Session() as session:
        session.run(v.initializer)

        def work():
            stage.say(tf.get_default_session(), tf.get_default_graph() is session.graph)
            stage.attempt(add.eval)
            stage.attempt(session.run, add)
            with session.as_default():
                stage.attempt(add.eval)

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        stage.attempt(v.eval)


def counts_of_threads(tf, stage):
    v = tf.Variable(0, name="v")
    add = tf.assign_add(v, 1, use_locking=True)
    with tf.Session() as session:
        session.run(v.initializer)
        run = session.make_callable(add)
        threads = [threading.Thread(target=lambda: [run() for _ in range(20)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        stage.attempt(session.run, v)


def reset_of_containers(tf, stage):
    v, add = _adder(tf)
    session = tf.Session()
    session.run(v.initializer)
    stage.attempt(tf.Session.reset, "")
    stage.attempt(tf.Session.reset, "", ["a"])
    stage.attempt(session.run, v)


def freed_before_it_is_closed(tf, stage):
    v, add = _adder(tf)
    session = tf.Session()
    session.run(v.initializer)
    run = session.make_callable(add)
    stage.attempt(run)
    session.close()
    session.close()
    stage.attempt(run)
    stage.attempt(session.run, add)


def methods_without_a_session(tf, stage):
    v, add = _adder(tf)
    stage.attempt(add.eval)
    stage.attempt(v.eval)
    stage.attempt(v.initializer.run)
    stage.attempt(v.load, 1.0)
    with tf.Session() as session:
        stage.attempt(v.load, 5.0)
        stage.attempt(v.eval)
        stage.attempt(v.load, [1.0, 2.0])
        stage.attempt(v.load, 6.0, session)
        stage.attempt(v.eval)
    stage.attempt(v.eval)
    with tf.Graph().as_default(), tf.Session():
        stage.attempt(v.eval)
        stage.attempt(v.load, 1.0)
