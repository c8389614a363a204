"""Sessions on a server of this process, called directly and over the wire."""

import contextlib
import functools
import importlib
import random
import re
import socket

import numpy as np

_STARTS = ("INFO Started server with target", "INFO Start master session")
HERE, WIRE = 0, 1


def _port():
    """A free port outside the ephemeral range: gRPC also accepts a port that is free on ::1 only."""
    while True:
        port = random.SystemRandom().randrange(10_000, 32_000)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)):
                return port


@contextlib.contextmanager
def _server(tf, stage):
    """A server's targets, for this process and for others."""
    server = tf.train.Server({"local": [f"localhost:{_port()}"]})
    try:
        yield server.target, server.target.replace("localhost", "127.0.0.1")
    finally:
        if hasattr(server, "_stop"):  # TensorFlow's cannot be stopped
            server._stop()
        stage.lines[:] = [
            x for x in stage.lines if not x.startswith(_STARTS)
        ]  # C++ logs similar lines


def _served(*ways):
    """Runs a scene in a separate graph for each way to reach a server."""

    def scene_of(body):
        @functools.wraps(body)
        def scene(tf, stage):
            with _server(tf, stage) as targets:
                for way in ways:
                    with tf.Graph().as_default():
                        tf.set_random_seed(1)
                        body(tf, stage, targets[way])

        return scene

    return scene_of


def _attempt(stage, function, *args, **kwargs):
    """Records what a call returns; of an error, its class, its message up to node names, and its own node."""
    try:
        stage.say("->", function(*args, **kwargs))
    except Exception as error:
        text = getattr(error, "message", None) or str(error)
        text = re.sub("[0-9a-f]{16}", "HANDLE", text)
        lines = text.replace("node ", "").split("\n\t [[")[0].split("\n")
        node = getattr(error, "op", None)
        stage.say("!!", type(error).__name__, " / ".join(lines[:2]), node and node.name)


def _attempts(stage, *functions):
    for function in functions:
        _attempt(stage, function)


@_served(HERE, WIRE)
def steps(tf, stage, target):
    """Feeds and fetches of all forms."""
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    n = tf.placeholder_with_default(np.int64(7), [], name="n")
    text = tf.placeholder(tf.string, name="text")
    few = tf.sparse_placeholder(tf.float64, name="few")
    made = {
        "sum": tf.reduce_sum(x, 1),
        "more": [n + 1, (tf.strings.join([text, "!"]), few)],
        "few": tf.sparse.to_dense(few),
    }
    pairs = np.array([[1.5, 2.0], [np.nan, -np.inf]], "f")
    feed = {x: pairs, text: ["a", b"\xff", ""], few: ([[1]], [2.5], [3])}
    slices = tf.IndexedSlices(x, tf.constant([4, 2]), tf.constant([9, 2]))
    parts = tf.split(tf.range(6), 3, name="parts")
    nothing = tf.no_op("nothing")
    kinds = [tf.half, tf.int8, tf.uint64, tf.complex128, tf.bool]
    cast = [tf.cast(parts[0], kind) for kind in kinds]
    session = tf.Session(target)
    run = session.run
    _attempts(
        stage,
        lambda: run(made, feed),
        lambda: run(made, {**feed, n: -(1 << 63)})["more"][0],
        lambda: run([x, x, x + 1], {x: [[1, 2]]}),
        lambda: run({"a": parts[1], "b": (parts[1], nothing)}),
        lambda: run(nothing),
        lambda: run([]),
        lambda: run(slices, {x: pairs}),
        lambda: run(slices, {x: pairs[:0]}),
        lambda: [v.dtype.name for v in run(cast)],
        lambda: run(cast),
        lambda: run(["parts:2", "nothing", parts[0].op]),
        lambda: run(parts[0] * 2, {parts[0]: [5, 6]}),
        lambda: run(parts[0] * 2, {"parts:0": np.array([5, 6], "i8")}),
        lambda: run(tf.zeros([0, 3])),
        lambda: run(tf.constant([], tf.string)),
        lambda: run(x),
        lambda: run(x, {x: [1.0]}),
        lambda: run(x, {x: [["a", "b"]]}),
        lambda: run("parts:3"),
        lambda: run("none"),
        lambda: run(tf.Graph().get_operations()),
        lambda: run(3),
        lambda: run(n, {n: 1.5}),
        lambda: run(n, {nothing: 1}),
        lambda: run(few, {few: tf.SparseTensorValue([[0]], [1.0], [1])}),
        lambda: session.make_callable([n, parts[2]], [n])(4),
        lambda: session.make_callable({"a": nothing}, [])(),
        lambda: session.make_callable(n + 0, [n, x])(4),
        lambda: session.make_callable(n, accept_options=True)(
            options=tf.RunOptions(timeout_in_ms=9000)
        ),
        lambda: [(d.device_type, d.memory_limit_bytes) for d in session.list_devices()][0],
        lambda: session.sess_str == target,
        lambda: session.graph is tf.get_default_graph(),
    )
    session.close()
    _attempts(stage, lambda: run(n), session.list_devices, session.close)


@_served(WIRE)
def errors(tf, stage, target):
    """Failures: error class, node, and remaining state."""
    a = tf.placeholder(tf.float32, [], name="a")
    v = tf.Variable(2.0, name="v")
    r = tf.get_variable("r", [2], use_resource=True)
    count = v.assign_add(1.0)
    with tf.control_dependencies([count]):
        after = tf.check_numerics(1.0 / a, "is infinite", name="after")
    q = tf.FIFOQueue(2, [tf.int32], name="q")
    put, close, get = q.enqueue([3]), q.close(), q.dequeue()
    rows = tf.data.Dataset.range(2).make_initializable_iterator()
    row = rows.get_next()

    def refuse(value):
        raise ValueError(f"no {value}")

    class Own(Exception):
        pass

    def own(value):
        raise Own("mine")

    loop = tf.while_loop(
        lambda i: i < 3, lambda i: tf.to_int32(tf.check_numerics(tf.to_float(i) / a, "at")) + 1, [0]
    )
    branch = tf.cond(a > 0, lambda: tf.gather([1.0, 2.0], tf.cast(a, tf.int32)), lambda: -a)
    said = tf.Assert(a > 0, [a, "is", [1, 2, 3, 4]], summarize=2, name="said")
    wrong = [
        tf.py_func(refuse, [a], tf.float32, name="refuse"),
        tf.py_func(own, [a], tf.float32, name="own"),
        tf.reshape(tf.range(4), [tf.to_int32(a), -1], name="shaped"),
        tf.cholesky([[a, 0.0], [0.0, -1.0]], name="root"),
        tf.strings.to_number(tf.as_string(a) + "x", name="number"),
        tf.read_file("/nowhere/at/all", name="read"),
        tf.io.decode_png("none", name="png"),
    ]
    tf.Session.reset(target)
    with tf.Session(target) as session:
        run = session.run
        _attempts(
            stage,
            lambda: run(v),
            lambda: run(count),
            lambda: run(r),
            lambda: run([v.initializer, rows.initializer]),
            lambda: run(after, {a: 0.0}),
            lambda: run(v),
            lambda: run(after, {a: 0.5}),
            lambda: run(v),
            lambda: run(loop, {a: 0.0}),
            lambda: run(loop, {a: 1.0}),
            lambda: run(branch, {a: 1.0}),
            lambda: run(branch, {a: 2.0}),
            lambda: run(branch, {a: -2.0}),
            lambda: run(said, {a: 0.0}),
            lambda: run([row, row]),
            lambda: run(row),
            lambda: run(row),
            lambda: run(row),
            lambda: run([put, q.size()])[0],
            lambda: run(close),
            lambda: run(put),
            lambda: run(get),
            lambda: run(get),
            lambda: run(a),
        )
        for each in wrong:
            _attempt(stage, run, each, {a: 3.0})
        _attempt(stage, run, tf.constant(8, name="later") + 1)
        _attempt(stage, run, [v, q.size()])
    with tf.Session(target) as session:
        _attempt(stage, session.run, [v, q.size()])
        _attempt(stage, session.run, row)
    tf.Session.reset(target)
    with tf.Session(target) as session:
        _attempt(stage, session.run, v)
    stage.say(len(tf.get_default_graph().get_operations()))


@_served(WIRE)
def kept(tf, stage, target):
    """Shared and isolated state of sessions, and cleared containers."""
    with tf.container("one"):
        one = tf.Variable(1.0, name="one")
        q = tf.FIFOQueue(5, [tf.float32], name="q", shared_name="q")
    two = tf.get_variable("two", [], initializer=tf.ones_initializer(), use_resource=True)
    table = tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1, name="table")
    add = [one.assign_add(1.0), two.assign_add(1.0), q.enqueue(one)]
    insert = table.insert(tf.constant(["a"]), tf.constant([3], tf.int64))
    draw = tf.random.uniform([], maxval=1000, dtype=tf.int32, seed=3)
    twice = draw * 2
    reads = lambda: [one, two, q.size(), table.size()]  # noqa: E731
    session, other = tf.Session(target), tf.Session(target)
    with session.as_default():
        session.run(tf.global_variables_initializer())
        session.run(add), session.run(insert)
        _attempt(stage, other.run, reads())
        stage.say([session.run(draw) for _ in range(3)], session.run(twice))
        stage.say([other.run(draw) for _ in range(2)], session.run([twice, draw]))
        _attempt(stage, session.run, one)
        for options in (
            {"isolate_session_state": True},
            {"isolate_session_state": False},
            {"device_filters": ["/job:local"]},
            {"allow_soft_placement": True},
            {"graph_options": tf.GraphOptions(place_pruned_graph=True)},
        ):
            with tf.Session(target, config=tf.ConfigProto(**options)) as third:
                stage.say(options)
                _attempt(stage, third.run, [two, q.size()])
                _attempt(
                    stage, lambda: [d.name for d in third.list_devices() if "XLA" not in d.name]
                )
        for containers in (["none"], ["one"], ["", "localhost"], ["local"], [], None):
            tf.Session.reset(target, containers)
            stage.say(containers)
            _attempt(stage, session.run, two)
            third = tf.Session(target)
            for each in reads():
                _attempt(stage, third.run, each)
            _attempt(stage, third.close)
        _attempts(stage, session.close, other.close)
    stage.attempts(
        lambda: tf.Session.reset(target, "one"),
        lambda: tf.Session.reset(target, 3),
        lambda: tf.Session.reset(target, ["one"], tf.ConfigProto(device_filters=["/job:ps"])),
    )


def places(tf, stage):
    """Requested node devices."""
    cases = {
        "": 1,
        "/cpu:0": 1,
        "/job:local": 1,
        "/job:local/replica:0/task:0/device:CPU:0": 1,
        "/cpu:1": 1,
        "/gpu:0": 1,
        "/job:worker": 1,
        "/job:local/task:1": 1,
        "/replica:1": 1,
        "/job:localhost": 1,
    }
    with _server(tf, stage) as targets:
        for soft in (False, True):
            for device in cases:
                with tf.Graph().as_default(), tf.device(device):
                    x = tf.constant(3.0, name="x") * 2.0
                    config = tf.ConfigProto(allow_soft_placement=soft, device_count={"CPU": 2})
                    with tf.Session(targets[soft], config=config) as session:
                        stage.say(device, soft)
                        _attempt(stage, session.run, x)
        config = tf.ConfigProto(device_filters=["/job:ps"])
        with tf.Session(targets[0], config=config) as session:
            _attempt(stage, lambda: [d.name for d in session.list_devices() if "XLA" not in d.name])
            _attempt(stage, session.run, tf.constant(1))


@_served(HERE, WIRE)
def traced(tf, stage, target):
    """Run metadata: the devices of nodes, and partition graphs."""
    x = tf.placeholder(tf.float32, [2], name="x")
    v = tf.Variable([1.0, 2.0], name="v")
    y = tf.add(x, v, name="y")
    z = tf.while_loop(lambda i: i < 2, lambda i: i + 1, [0], name="loop")
    with tf.Session(target) as session:
        session.run(v.initializer)
        for level in range(4):
            for parts in (False, True):
                options = tf.RunOptions(trace_level=level, output_partition_graphs=parts)
                metadata = tf.RunMetadata()
                stage.say(session.run([y, z], {x: [1, 2]}, options, metadata))
                stats = metadata.step_stats.dev_stats
                for device in [d for d in stats if "host" not in d.device]:
                    stage.say(device.device, len(device.node_stats) > 0)
                    names = {n.node_name for n in device.node_stats}
                    stage.say(sorted(names & {"y", "v", "v/read", "loop/Less"}))
                graphs = metadata.partition_graphs
                stage.say(len(graphs), [len(g.node) > 3 for g in graphs])
                ops = sorted(n.op for g in graphs for n in g.node if n.name in "xyv")
                stage.say(ops, metadata.HasField("cost_graph"), len(metadata.function_graphs))
        metadata = tf.RunMetadata()
        stage.say(session.run(y, {x: [1, 2]}, None, metadata), metadata.ByteSize())
        again = tf.RunOptions(trace_level=3)
        session.run(y, {x: [1, 2]}, again, metadata)
        first = len(metadata.step_stats.dev_stats)
        session.run(y, {x: [1, 2]}, again, metadata)
        stage.say(len(metadata.step_stats.dev_stats) == first)
        call = session.make_callable(y, [x], accept_options=True)
        _attempt(stage, call, [3, 4], options=again, run_metadata=metadata)


@_served(HERE, WIRE)
def parts(tf, stage, target):
    """Partial runs."""
    x, y, z = (tf.placeholder(tf.float32, [], name=name) for name in "xyz")
    v = tf.Variable(0.0, name="v")
    first = x + 1
    second = tf.multiply(first, y, name="second")
    third = v.assign_add(z, name="third")
    bad = tf.check_numerics(y / 0.0, "is not", name="bad")
    session = tf.Session(target)
    session.run(v.initializer)
    set_up, go = session.partial_run_setup, session.partial_run
    h = set_up([first, second, third.op], [x, y, z])
    _attempts(
        stage,
        lambda: go(h, first, {x: 1.0}),
        lambda: go(h, second),
        lambda: go(h, second, {y: [4.0]}),
        lambda: go(h, first),
    )
    h = set_up([first, second, third.op], [x, y, z])
    _attempts(
        stage,
        lambda: go(h, [first, second], {x: 1.0, y: 3.0}),
        lambda: go(h, third.op, {z: 5.0}),
        lambda: session.run(v),
        lambda: go(h, [], {}),
    )
    h = set_up([first, bad], [x, y])
    _attempts(
        stage,
        lambda: go(h, first, {x: 1.0}),
        lambda: go(h, bad, {y: 1.0}),
        lambda: go(h, bad, {y: 1.0}),
    )
    h = set_up({"a": first, "b": [second]}, ["x:0", y])
    _attempts(
        stage,
        lambda: go(h, {"a": first}, {"x:0": 2.0}),
        lambda: go(h, {"b": [second]}, {y: 2.0}),
        lambda: go("none", first, {x: 1.0}),
        lambda: go(h, first, {x: "a"}),
        lambda: set_up([], [x]),
        lambda: type(set_up([first], [v])).__name__,
        lambda: set_up([3]),
        lambda: set_up(["none:0"]),
    )
    h = set_up([first, second], [x, y])
    _attempt(stage, go, h, first, {x: 2.0, z: 1.0})
    session.close()
    _attempt(stage, go, h, first, {x: 2.0})


@_served(HERE)
def grown(tf, stage, target):
    """A graph that grows between steps, including functions with gradients and seeds."""
    function = importlib.import_module(
        ("tensorflow" if tf.__name__ == "tensorflow" else "tfmini.compat")
        + ".python.framework.function"
    )
    tf.Session.reset(target)
    with tf.Graph().as_default() as graph:
        with tf.Session(target) as session:
            _attempt(stage, session.run, [])
            _attempt(stage, lambda: [d.name for d in session.list_devices() if "XLA" not in d.name])
        with tf.Session(target) as session:
            x = tf.constant(3.0, name="x")
            stage.say(session.run(x))

            @function.Defun(tf.float32)
            def square(a):
                return a * a

            y = square(x)
            stage.say(session.run([y, tf.gradients(y, x)[0]]))

            @tf.function
            def cube(a):
                if a > 2.0:
                    return a * a * a
                return a

            z = cube(x + y)
            stage.say(session.run([z] + tf.gradients(z, x)))

            @function.Defun(tf.int64)
            def tripled(i):
                return i * 3

            rows = tf.data.Dataset.range(4).map(lambda i: tripled(i)).batch(3)
            row = rows.make_one_shot_iterator().get_next()
            _attempts(stage, *[lambda: session.run(row)] * 3)
            array = tf.TensorArray(tf.float32, 2).unstack([1.0, 2.0])
            stage.say(session.run([array.stack(), array.size()]))
            with tf.control_dependencies([tf.print("-", output_stream="file:///dev/null")]):
                stage.say(session.run(tf.identity(x)))
            graph.finalize()
            _attempt(stage, session.run, y)
            _attempt(stage, lambda: tf.constant(1))


@_served(WIRE)
def trained(tf, stage, target):
    """Training sessions on a server: first run, hooks, checkpoints, a second session."""
    folder = stage.folder
    tf.Session.reset(target)
    for steps in (2, 3):
        with tf.Graph().as_default():
            step = tf.train.get_or_create_global_step()
            w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
            loss = tf.reduce_sum(w * w)
            train = tf.train.GradientDescentOptimizer(0.25).minimize(loss, step)
            with tf.train.MonitoredTrainingSession(
                master=target,
                checkpoint_dir=folder,
                hooks=[tf.train.StopAtStepHook(num_steps=steps)],
                save_summaries_steps=None,
                save_summaries_secs=None,
                log_step_count_steps=None,
            ) as session:
                while not session.should_stop():
                    session.run(train)
                    stage.say(session.run([step, loss]) if not session.should_stop() else "-")
            with tf.train.MonitoredTrainingSession(master=target, is_chief=False) as session:
                stage.say(session.run([step, loss]))
    stage.say(tf.train.latest_checkpoint(folder))
    with tf.Graph().as_default():
        w = tf.get_variable("w", [2])
        saver = tf.train.Saver()
        with tf.Session(target) as session:
            saver.restore(session, tf.train.latest_checkpoint(folder))
            stage.say(session.run(w), saver.save(session, folder + "/own"))
            _attempt(stage, saver.restore, session, folder + "/none")
