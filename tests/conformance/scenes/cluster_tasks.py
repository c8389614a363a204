"""Steps over several tasks: placement, shared state, and cross-task errors and branches."""

import contextlib
import functools
import random
import socket

from tests.conformance.scenes.cluster_sessions import _attempt, _attempts

_STARTS = ("INFO Started server with target", "INFO Start master session")


def _free_ports(count):
    """Free ports below the ephemeral range, which other tests' connections use meanwhile."""
    held = []
    while len(held) < count:
        held.append(socket.socket())
        try:
            held[-1].bind(("127.0.0.1", random.SystemRandom().randrange(10_000, 32_000)))
        except OSError:
            held.pop().close()
    ports = [each.getsockname()[1] for each in held]
    for each in held:
        each.close()
    return ports


@contextlib.contextmanager
def _servers(tf, stage, jobs):
    """Task targets by (job, number)."""
    ports = iter(_free_ports(sum(jobs.values())))
    cluster = {job: [f"127.0.0.1:{next(ports)}" for _ in range(n)] for job, n in jobs.items()}
    servers = {}
    try:
        for job, addresses in cluster.items():
            for number in range(len(addresses)):
                servers[job, number] = tf.train.Server(cluster, job, number)
        yield {task: server.target for task, server in servers.items()}
    finally:
        for server in servers.values():
            if hasattr(server, "_stop"):  # TensorFlow's cannot be stopped
                server._stop()
        stage.lines[:] = [
            x for x in stage.lines if not x.startswith(_STARTS)
        ]  # C++ logs similar lines


def _among(**jobs):
    """Runs a scene with a parameter server and two workers, or with given tasks."""

    def scene_of(body):
        @functools.wraps(body)
        def scene(tf, stage):
            with _servers(tf, stage, jobs or {"ps": 1, "worker": 2}) as targets:
                body(tf, stage, targets)

        return scene

    return scene_of


def _run(session, feed, fetches, more=None):
    return session.run(fetches, {**feed, **(more or {})})


def _devices(session):
    first, *others = [d.name for d in session.list_devices() if "XLA" not in d.name]
    return [first, *sorted(others)]


PS, ONE, TWO = "/job:ps/task:0", "/job:worker/task:0", "/job:worker/task:1"


@_among()
def placed(tf, stage, targets):
    """Values of every kind sent between tasks, and errors of each."""
    x = tf.placeholder(tf.float32, [], name="x")
    with tf.device(PS):
        a = tf.add(x, 1.0, name="a")
        words = tf.strings.join([tf.as_string(a, precision=1), "!"], name="words")
        few = tf.sparse.from_dense([[0, 3], [4, 0]])
    with tf.device(TWO):
        b = tf.multiply(a, 2.0, name="b")
        parts = tf.split(tf.cast([b, a, x], tf.float64), 3, name="parts")
        none = tf.zeros([0, 2], tf.complex64, name="none")
        longer = tf.strings.length(words, name="longer")
        bad = tf.check_numerics(b / x, "is not finite", name="bad")
        chosen = tf.gather([10, 20], tf.cast(a, tf.int32), name="chosen")
        fails = tf.py_func(lambda v: 1 // int(v), [x], tf.int64, name="fails")
    with tf.device(ONE):
        total = tf.add_n([a, b, x], name="total")
        dense = tf.sparse.to_dense(few) * 2
        later = tf.concat([none, tf.ones([1, 2], tf.complex64)], 0, name="later")
        after_bad = tf.identity(bad, name="after_bad")
        half = tf.cast(b, tf.half) + tf.cast(parts[1], tf.half)[0]
        flags = tf.logical_and(b > 2, a > 5)
        pixels = tf.cast(b, tf.uint8) - tf.constant(1, tf.uint8)
    for task in (("worker", 1), ("ps", 0)):
        with tf.Session(targets[task]) as session:
            run = functools.partial(_run, session, {x: 1.0})
            _attempts(
                stage,
                lambda: _devices(session),
                lambda: run([total, b, a, x]),  # noqa: B023
                lambda: run([words, longer, dense, later, half, flags, pixels]),  # noqa: B023
                lambda: run([parts[2], parts[0], none]),  # noqa: B023
                lambda: run([few, b.op]),  # noqa: B023
                lambda: run(after_bad, {x: 0.0}),  # noqa: B023
                lambda: run(bad, {x: 0.0}),  # noqa: B023
                lambda: run(chosen),  # noqa: B023
                lambda: run(chosen, {x: -1.0}),  # noqa: B023
                lambda: run(fails, {x: 1.0}),  # noqa: B023
                lambda: session.run(total),
                lambda: run(total, {b: 7.0}),  # noqa: B023
                lambda: run([b, total], {a: 7.0}),  # noqa: B023
            )
            handle = session.partial_run_setup([a, total], [x, b])
            _attempt(stage, session.partial_run, handle, a, {x: 2.0})
            _attempt(stage, session.partial_run, handle, total, {b: 1.0})
    for device in ("/job:worker/task:2", "/job:none", "/job:ps/cpu:1", "/replica:1", "/gpu:0"):
        with tf.Graph().as_default(), tf.Session(targets["worker", 1]) as session:
            with tf.device(device):
                y = tf.constant(1.0, name="y")
            _attempt(stage, session.run, y)
    with tf.Graph().as_default() as graph, tf.device(TWO):
        y = tf.constant(1.0, name="y") + 1
        for filters in (["/job:ps"], ["/job:worker"], ["/job:worker/task:1", "/job:ps"]):
            config = tf.ConfigProto(device_filters=filters)
            with tf.Session(targets["worker", 0], graph, config) as session:
                stage.say(filters)
                _attempt(stage, _devices, session)
                _attempt(stage, session.run, y)


@_among()
def shared(tf, stage, targets):
    """State shared by sessions of several tasks, and its clearing."""
    with tf.device(PS):
        v = tf.get_variable("v", [], initializer=tf.zeros_initializer())
        r = tf.get_variable("r", [2], initializer=tf.ones_initializer(), use_resource=True)
        q = tf.FIFOQueue(3, [tf.float32, tf.string], shapes=[[], []], name="q", shared_name="q")
        more = v.assign_add(1.0)
        size = q.size()
    with tf.device(TWO):
        own = tf.get_variable("own", [], initializer=tf.constant_initializer(5.0))
        put = q.enqueue((own, "from two"))
        moved = r.assign_sub([own, 1.0])
    with tf.device(ONE):
        got = q.dequeue()
        doubled = tf.multiply(v + own, 2.0)
        both = tf.group(more, put)
    init = tf.global_variables_initializer()
    reads = [v, r, own, size]
    one, two = tf.Session(targets["worker", 0]), tf.Session(targets["worker", 1])
    isolated = tf.ConfigProto(isolate_session_state=True)
    stage.say(v.device, r.device, own.device, got[0].device, doubled.device)
    _attempts(
        stage,
        lambda: one.run(v),
        lambda: one.run(r),
        lambda: one.run(own),
        lambda: one.run(init),
        lambda: two.run(both),
        lambda: one.run([more, doubled.op]),
        lambda: one.run(reads),
        lambda: two.run(moved),
        lambda: two.run(got),
        lambda: one.run([doubled, size]),
        lambda: tf.Session(targets["ps", 0], config=isolated).run(own),
        lambda: tf.Session(targets["ps", 0]).run(reads),
        lambda: tf.Session.reset(targets["worker", 0], ["ps"]),
        lambda: one.run(own),
        lambda: two.run(own),
        lambda: two.run(v),
        lambda: two.run(init),
        lambda: two.run(reads[:3]),
        lambda: tf.Session.reset(targets["worker", 0]),
        lambda: two.run(v),
        lambda: two.run(own),
    )


@_among(worker=2)
def flows(tf, stage, targets):
    """Conditions, loops, functions and control edges across tasks."""
    first, other = "/job:worker/task:0", "/job:worker/task:1"
    p = tf.placeholder(tf.bool, [], name="p")
    n = tf.placeholder_with_default(3, [], name="n")

    def there(value):
        with tf.device(other):
            return tf.multiply(value, 10, name="there")

    def here(value):
        with tf.device(first):
            return tf.subtract(value, 1, name="here")

    with tf.device(first):
        taken = tf.cond(p, lambda: there(n), lambda: here(n), name="taken")
        dead = tf.cond(p, lambda: there(here(n)), lambda: n, name="dead")
        looped = tf.while_loop(
            lambda i, s: i < n, lambda i, s: [here(i) + 2, there(s) + i], [0, 1], name="looped"
        )
        array = tf.TensorArray(tf.int32, n, name="array")
        written = tf.while_loop(
            lambda i, t: i < n, lambda i, t: [i + 1, t.write(i, i * i)], [0, array]
        )[1].stack()
    with tf.device(other):
        v = tf.get_variable("v", [], tf.int32, tf.zeros_initializer())
        count = v.assign_add(1)
    with tf.device(first), tf.control_dependencies([count]):
        behind = tf.add(n, 100, name="behind")
    with tf.device(other), tf.control_dependencies([behind]):
        last = tf.identity(v, name="last")
    with tf.device(other):
        slope = tf.gradients(tf.square(tf.to_float(n) * 2.0), [])
        draws = tf.random.uniform([2], maxval=100, dtype=tf.int32, seed=7)
        rows = tf.data.Dataset.range(5).map(lambda i: i * i).make_one_shot_iterator().get_next()
        check = tf.Assert(p, [n, "of", "others"], name="check")
    with tf.device(first), tf.control_dependencies([check]):
        checked = tf.identity(n, name="checked")
    with tf.Session(targets["worker", 0]) as session:
        run = session.run
        _attempts(
            stage,
            lambda: run(v.initializer),
            lambda: [run([taken, dead], {p: value}) for value in (True, False)],
            lambda: run(looped),
            lambda: run(looped, {n: 0}),
            lambda: run([written, looped[1]], {n: 4}),
            lambda: run([behind, last]),
            lambda: run(v),
            lambda: (slope, run(draws), run([draws, rows])),
            lambda: run([checked, rows], {p: True}),
            lambda: run(checked, {p: False}),
            lambda: run(taken),
            lambda: run(rows),
        )
        metadata = tf.RunMetadata()
        options = tf.RunOptions(trace_level=3, output_partition_graphs=True)
        stage.say(run([taken, last], {p: True}, options, metadata))
        ran = {}
        for device in metadata.step_stats.dev_stats:
            names = {node.node_name for node in device.node_stats}
            ran.setdefault(device.device, set()).update(names & {"last", "taken/there"})
        stage.say([(device, sorted(ran[device])) for device in sorted(ran) if "host" not in device])
        graphs = [sorted({node.device for node in g.node}) for g in metadata.partition_graphs]
        stage.say(sorted(graphs))
    with tf.Session(targets["worker", 1]) as session:
        stage.say(session.run([v, draws]))


@_among()
def trained(tf, stage, targets):
    """Two workers alternately train variables of a parameter server."""

    def worker(number, steps, **options):
        with tf.Graph().as_default():
            device = f"/job:worker/task:{number}"
            cluster = {"ps": ["a:1"], "worker": ["b:1", "c:1"]}
            setter = tf.train.replica_device_setter(worker_device=device, cluster=cluster)
            with tf.device(setter):
                step = tf.train.get_or_create_global_step()
                w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
                loss = tf.reduce_sum(w * w, name="loss")
                optimizer = tf.train.MomentumOptimizer(0.125, 0.5)
                train = optimizer.minimize(loss, step)
            stage.say(sorted({(x.name, x.device) for x in tf.global_variables()}), loss.device)
            with tf.train.MonitoredTrainingSession(
                targets["worker", number],
                is_chief=number == 0,
                config=tf.ConfigProto(device_filters=["/job:ps", device]),
                save_summaries_steps=None,
                save_summaries_secs=None,
                log_step_count_steps=None,
                **options,
            ) as session:
                for _ in range(steps):
                    session.run(train)
                stage.say(session.run([step, loss, w]))

    worker(0, 2, checkpoint_dir=stage.folder)
    worker(1, 1)
    worker(0, 1, checkpoint_dir=stage.folder)
    saved = tf.train.load_checkpoint(stage.folder)
    stage.say({n: saved.get_tensor(n) for n in sorted(saved.get_variable_to_shape_map())})


@_among(ps=2)
def kept(tf, stage, targets):
    """Tables, variable files, queues filled by threads, and iterator handles across tasks."""
    here, there = "/job:ps/task:0", "/job:ps/task:1"
    with tf.device(here):
        a = tf.get_variable("a", [2], initializer=tf.ones_initializer())
        file = tf.placeholder_with_default(["x 1", "y 2"], [2], name="file")
    with tf.device(there):
        b = tf.get_variable("b", [], tf.int64, initializer=tf.zeros_initializer())
        c = tf.get_variable("c", [3], initializer=tf.zeros_initializer(), use_resource=True)
        table = tf.contrib.lookup.index_table_from_tensor(["x", "y", "z"], default_value=7)
        found = table.lookup(tf.strings.substr(file, 0, 1))
        name, number = tf.decode_csv(file, [[""], [0]], " ")
        first = tf.train.slice_input_producer([tf.range(10)], num_epochs=1, shuffle=False)[0]
        batch = tf.train.batch([first * 10], 4, allow_smaller_final_batch=True)
        one = tf.data.Dataset.range(3).make_one_shot_iterator()
        two = tf.data.Dataset.range(5, 9).make_initializable_iterator()
        handle = tf.placeholder(tf.string, [], name="handle")
        either = tf.data.Iterator.from_string_handle(handle, tf.int64, [])
        value = either.get_next()
        kinds = tf.py_func(
            lambda *v: " ".join(type(x).__name__ for x in v), [handle, b, a], tf.string
        )
        update = tf.scatter_add(a, tf.cast(found, tf.int32)[:1], [5.0])
        summary = tf.summary.scalar("tag", tf.reduce_sum(c) + 2)
    saver = tf.train.Saver([a, b, c], sharded=True)
    stage.say([(v.name, v.device, v.op.device) for v in tf.global_variables()], value.device)
    with tf.Session(targets["ps", 0]) as session:
        run = session.run
        _attempts(
            stage,
            lambda: run(found),
            lambda: run(c),
            lambda: run([tf.global_variables_initializer(), tf.local_variables_initializer()]),
            lambda: run([tf.tables_initializer(), two.initializer]),
            lambda: run([found, name, number]),
            lambda: run([found, table.size()], {file: ["z 1", "w 3"]}),
            lambda: run(number, {file: ["z 1", "w"]}),
            lambda: run(update),
            lambda: run(kinds, {handle: "abc"}),
            lambda: run([b.assign_add(4), c.assign([1.0, 2.0, 3.0])])[0],
            lambda: tf.Summary.FromString(run(summary)).value[0].simple_value,
        )
        handles = run([one.string_handle(), two.string_handle()])
        _attempts(
            stage,
            lambda: [run(value, {handle: handles[n]}) for n in (0, 1, 0, 1, 0)],
            lambda: run(value, {handle: handles[0]}),
            lambda: run(value, {handle: handles[1]}),
        )
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        _attempts(stage, *[lambda: run(batch)] * 4)
        coordinator.request_stop()
        coordinator.join(threads)
        path = saver.save(session, stage.folder + "/kept", global_step=3)
        stage.say(path)
        stage.files()
        run([a.assign([0.0, 0.0]), b.assign(0)])
    with tf.Session(targets["ps", 1]) as session:
        saver.restore(session, path)
        stage.say(session.run([a, b, c]))


@_among(ps=2)
def named_anew(tf, stage, targets):
    """A session with its own cluster definition, which renames the servers."""
    config = tf.ConfigProto()
    addresses = [targets["ps", n].replace("grpc://", "") for n in (0, 1)]
    addresses = [a.replace("localhost", "127.0.0.1") for a in addresses]
    config.cluster_def.CopyFrom(tf.train.ClusterSpec({"part": addresses}).as_cluster_def())
    with tf.device("/job:part/task:1"):
        v = tf.get_variable("v", [], initializer=tf.ones_initializer())
        r = tf.get_variable("r", [], initializer=tf.ones_initializer(), use_resource=True)
        x = tf.placeholder(tf.float32, [], name="x")
        more = v.assign_add(x)
    with tf.device("/job:part/task:0"):
        doubled = tf.multiply(more, 2.0, name="doubled")
        wrong = tf.check_numerics(doubled / x, "no number", name="wrong")
    target = "grpc://" + addresses[0]
    init = tf.global_variables_initializer()
    with tf.Session(target, config=config) as session, tf.Session(target, config=config) as other:
        _attempts(
            stage,
            lambda: _devices(session),
            lambda: session.run(v),
            lambda: session.run(r),
            lambda: session.run(init),
            lambda: session.run([doubled, r], {x: 2.0}),
            lambda: session.run(wrong, {x: 0.0}),
            lambda: other.run(v),
            lambda: other.run(init),
            lambda: (other.run(v), session.run(v)),
        )
    with tf.device("/job:ps/task:1"):
        tf.constant(1.0, name="old")
    with tf.Session(target, config=config) as session:
        _attempt(stage, session.run, v)
