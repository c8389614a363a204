"""Lives of sessions: blocks that fail, what is closed and opened again, several graphs, what is left after an error."""

import threading

import numpy as np


def _adder(tf):
    v = tf.Variable(1.0, name="v")
    return v, tf.assign_add(v, 1.0, name="add")


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


def a_failing_run_leaves_what_ran_before(tf, stage):
    v, add = _adder(tf)
    with tf.control_dependencies([add]):
        fails = tf.Assert(v < 2.5, ["too large:", v], name="check")
    with tf.Session() as session:
        session.run(v.initializer)
        for _ in range(3):
            stage.attempt(session.run, fails)
            stage.attempt(session.run, v)


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
