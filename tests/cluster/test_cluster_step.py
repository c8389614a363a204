"""Steps over two tasks, and their cleanup."""

import gc
from types import SimpleNamespace

import pytest

import tfmini as tf
from tfmini._src.base import proto
from tfmini._src.cluster import cluster_step
from tfmini._src.cluster.cluster_step import ClusterStep, RunningStep
from tfmini._src.cluster.free_ports import free_addresses
from tfmini._src.cluster.grpc_channel import Channel

OF_STEPS = {"Item", "DirectCall", "Rendezvous", "RunningStep", "Step", "TensorCollector"}


@pytest.fixture
def servers():
    cluster = free_addresses({"ps": 1, "worker": 1})
    result = [tf.train.Server(cluster, job, 0) for job in cluster]
    yield result
    for server in result:
        server._stop()


def left_in_cycles(work):
    """Type names of the objects that `work` leaves in reference cycles."""
    was_enabled, flags = gc.isenabled(), gc.get_debug()
    gc.disable()
    gc.collect()
    gc.set_debug(gc.DEBUG_SAVEALL)
    before = len(gc.garbage)
    try:
        work()
        gc.collect()
        return {type(left).__name__ for left in gc.garbage[before:]}
    finally:
        gc.set_debug(flags)
        del gc.garbage[before:]
        if was_enabled:
            gc.enable()


@pytest.mark.parametrize("lines", ["1", "0"])
def test_tensors_are_freed_immediately(servers, lines, monkeypatch):
    """By reference counting: garbage collection would leave large arrays alive for too long."""
    monkeypatch.setenv("TFMINI_LINES", lines)
    with tf.device("/job:ps/task:0"):
        value = tf.Variable(tf.zeros([1000]))
    with tf.device("/job:worker/task:0"):
        more, most = value + 1.0, value + 2.0
    with tf.device("/job:ps/task:0"):
        add = tf.group(value.assign_add(more), tf.identity(most))
    with tf.Session(servers[1].target) as session:
        session.run(value.initializer)

        def steps():
            for _ in range(10):
                session.run(add)

        steps()
        assert not left_in_cycles(steps) & OF_STEPS


def test_task_is_woken_once_per_step(servers, monkeypatch):
    """Parts without tensor requests, or with later ones, are sent immediately."""
    held = []
    begin = Channel.begin

    def noting(self, name, *rest, is_held=False, **options):
        if name.endswith("RunGraph"):
            held.append(is_held)
        return begin(self, name, *rest, is_held=is_held, **options)

    monkeypatch.setattr(Channel, "begin", noting)
    with tf.device("/job:ps/task:0"):
        one = tf.constant([1.0] * 300)
        alone = tf.reduce_sum(one)
    with tf.device("/job:worker/task:0"):
        asks = one * 2.0
        fed = tf.placeholder(tf.float32, [])
        gives = fed + 1.0
    with tf.device("/job:ps/task:0"):
        takes = gives * 3.0
    with tf.Session(servers[1].target) as session:
        assert session.run(alone) == 300 and held == [False]
        assert session.run(asks)[0] == 2 and held == [False, True]
        assert session.run(takes, {fed: 1.0}) == 6 and held == [False, True, False]


class Other:
    """Another task: records requests, and answers on command."""

    def __init__(self, log, name, refuses=None):
        self.log, self.name, self.refuses = log, name, refuses
        self.channel = SimpleNamespace(flush=lambda: log.append((name, "flush")))
        self.then = None

    def register(self, handle, graph_def, has_control_flow, graph_options):
        if self.refuses:
            raise self.refuses
        self.log.append((self.name, "register", handle, graph_def, has_control_flow, graph_options))
        return f"number of {self.name}"

    def run(self, handle, graph, step_id, sent, keys, timed, then, is_held):
        if self.refuses:
            raise self.refuses
        self.log.append((self.name, "run", handle, graph, step_id, sent, keys, timed, is_held))
        self.then = then
        return lambda: self.log.append((self.name, "cancel"))

    def stop_dequeuing(self, step_id, failed):
        self.log.append((self.name, "stop_dequeuing", step_id))
        self.failed = failed

    def clean_up(self, step_id, immediately=True):
        self.log.append((self.name, "clean_up", step_id, immediately))

    def deregister(self, handle, step_id):
        self.log.append((self.name, "deregister", handle, step_id))
        raise tf.errors.NotFoundError(None, None, "gone")


def part_of(task, feeds, fetches, exchanges=False, ops=()):
    graph = proto.GraphDef(node=[proto.NodeDef(name=op, op=op) for op in ops])
    return SimpleNamespace(
        task=task,
        graph_def=graph,
        has_control_flow=task == "b",
        feeds=feeds,
        fetches=fetches,
        exchanges=exchanges,
    )


class Steps:
    """A step on two other tasks, with a record of all events."""

    def __init__(self, ops=()):
        self.log, self.given, self.soon = [], [], []
        self.a, self.b = (Other(self.log, name) for name in "ab")
        with tf.Graph().as_default():
            x, y = tf.placeholder(tf.float32, name="x"), tf.placeholder(tf.int32, name="y")
            z = tf.identity(x, "z")
            u = tf.cast(y, tf.float64, name="u")
        parts = [
            (part_of("a", {"x:0": "to a"}, {"z:0": "of a"}, ops=ops), self.a),
            (part_of("b", {"y:0": "to b", "x:0": "also"}, {"u:0": "of b"}, True), self.b),
        ]
        self.step = ClusterStep("handle", parts, "options", [x, y], [u, x, z])
        self.running = RunningStep(7)

    def run(self, stats=None, limit=0.0):
        self.log.clear()

        def then(values, error):
            self.given.append((values, error))

        self.step.run([1.5, 3], limit, self.running, stats, self.soon.append, then)

    def what(self, name):
        """The tasks' requests of this kind."""
        return [row for row in self.log if row[1] == name]


def test_step_dispatches_parts_and_orders_results():
    steps = Steps()
    assert [row[2:4] + row[4:] for row in steps.log] == [
        ("handle", proto.GraphDef(), False, "options"),
        ("handle", proto.GraphDef(), True, "options"),
    ]
    stats = []
    steps.run(stats)
    f, i = tf.float32, tf.int32
    assert steps.log == [
        ("a", "run", "handle", "number of a", 7, {"to a": (1.5, f)}, ["of a"], True, False),
        ("b", "run", "handle", "number of b", 7, {"to b": (3, i), "also": (1.5, f)})
        + (["of b"], True, False),
    ]
    steps.b.then({"of b": "u"}, "stats of b", None)
    assert not steps.given and not steps.soon
    steps.a.then({"of a": "z"}, None, None)
    assert not steps.given
    (finish,) = steps.soon
    finish()
    assert steps.given == [(["u", 1.5, "z"], None)] and stats == ["stats of b"]
    assert steps.what("clean_up") == [("b", "clean_up", 7, False)] and not steps.what("cancel")


def test_failed_task_cancels_other_tasks():
    steps = Steps()
    steps.run()
    steps.a.then({}, None, tf.errors.NotFoundError(None, None, "not there"))
    assert steps.what("cancel") == [("a", "cancel"), ("b", "cancel")] and not steps.given
    steps.b.then({}, None, tf.errors.CancelledError(None, None, "cancelled"))
    steps.soon.pop()()
    ((values, error),) = steps.given
    assert values is None and isinstance(error, tf.errors.NotFoundError)
    assert steps.what("clean_up") == [("b", "clean_up", 7, True)]


def test_task_that_cannot_begin_cancels_step():
    steps = Steps()
    steps.b.refuses = tf.errors.UnavailableError(None, None, "away")
    steps.run()
    assert steps.what("cancel") == [("a", "cancel")]
    steps.a.then({}, None, tf.errors.CancelledError(None, None, "cancelled"))
    steps.soon.pop()()
    assert isinstance(steps.given[0][1], tf.errors.UnavailableError)


def test_missing_fetch_fails_step():
    for brought in ({}, {"of a": 1, "more": 2}, {"other": 1}):
        steps = Steps()
        steps.run()
        steps.a.then(brought, None, None)
        assert steps.what("cancel")
        steps.b.then({"of b": 1}, None, None)
        steps.soon.pop()()
        error = steps.given[0][1]
        assert isinstance(error, tf.errors.InternalError)
        assert error.message == "a did not return the fetched tensors"


@pytest.fixture
def deadlines(monkeypatch):
    """Deadlines in the order set: seconds, and callback."""
    deadlines = []

    def add(seconds, late):
        deadlines.append((seconds, late))
        return lambda: deadlines.append("forgotten")

    monkeypatch.setattr(cluster_step.DEADLINES, "add", add)
    return deadlines


def test_step_with_dequeued_element_may_finish_late(deadlines):
    steps = Steps(ops=["_Recv", "QueueDequeueV2"])
    steps.run(limit=2.5)
    deadlines.pop()[1]()
    assert [row[1:] for row in steps.log[2:]] == [("stop_dequeuing", 7)] * 2
    steps.a.then({"of a": "z"}, None, None)
    steps.b.then({"of b": "u"}, None, None)
    steps.soon.pop()()
    assert steps.given == [(["u", 1.5, "z"], None)] and not steps.what("cancel")
    ((grace, _), forgotten) = deadlines
    assert grace == cluster_step._GRACE_SECONDS and forgotten == "forgotten"


@pytest.mark.parametrize("how", ["ends", "grace", "refuses"])
def test_step_missing_elements_is_cancelled_at_deadline(deadlines, how):
    steps = Steps(ops=["QueueDequeueV2"])
    steps.run(limit=2.5)
    deadlines.pop()[1]()
    assert not steps.what("cancel")
    cancelled = tf.errors.CancelledError(None, None, "cancelled")
    if how == "ends":
        steps.a.then({}, None, cancelled)
    elif how == "grace":
        deadlines[-1][1]()
    else:
        steps.b.failed()
    assert steps.what("cancel") == [("a", "cancel"), ("b", "cancel")]
    if how != "ends":
        steps.a.then({}, None, cancelled)
    steps.b.then({}, None, cancelled)
    steps.soon.pop()()
    assert isinstance(steps.given[0][1], tf.errors.DeadlineExceededError)


def test_completed_step_ignores_deadline(deadlines):
    """The deadline expires as the step ends."""
    steps = Steps(ops=["QueueDequeueV2"])
    steps.run(limit=2.5)
    steps.a.then({"of a": "z"}, None, None)
    steps.b.then({"of b": "u"}, None, None)
    (_, late), steps.log[:] = deadlines.pop(), []
    late()
    assert not steps.log and not deadlines


def test_late_step_is_cancelled(deadlines):
    steps = Steps(ops=["_Recv", "NotKnown"])
    steps.run(limit=2.5)
    ((seconds, late),) = deadlines
    assert seconds == 2.5
    late()
    assert steps.what("cancel") == [("a", "cancel"), ("b", "cancel")]
    for other in (steps.a, steps.b):
        other.then({}, None, tf.errors.CancelledError(None, None, "cancelled"))
    steps.soon.pop()()
    error = steps.given[0][1]
    assert isinstance(error, tf.errors.DeadlineExceededError)
    assert error.message == "Deadline Exceeded" and deadlines[1:] == ["forgotten"]
    # Earlier failures take precedence over timing.
    steps = Steps()
    steps.run(limit=2.5)
    steps.a.then({}, None, tf.errors.NotFoundError(None, None, "not there"))
    deadlines[-1][1]()
    steps.b.then({}, None, tf.errors.CancelledError(None, None, "cancelled"))
    steps.soon.pop()()
    assert isinstance(steps.given[0][1], tf.errors.NotFoundError)
    deadlines.clear()
    Steps().run()
    assert not deadlines


def test_tensor_count_must_match_feeds():
    steps = Steps()
    steps.step.check_count([1, 2])
    for value in ([], [1], [1, 2, 3]):
        text = f"^{len(value)} tensors for 2 feeds: x:0, y:0$"
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            steps.step.check_count(value)


def test_cleanup_reaches_all_tasks():
    steps = Steps()
    steps.log.clear()
    steps.step.clean_up(9, cleans_all=True)
    assert steps.log == [("a", "clean_up", 9, True), ("b", "clean_up", 9, True)]
    steps.log.clear()
    steps.step.close()
    steps.step.close()
    assert steps.log == [
        ("a", "deregister", "handle", "number of a"),
        ("b", "deregister", "handle", "number of b"),
    ]


def test_failed_registration_deregisters_other_parts():
    log = []
    parts = [
        (part_of("a", {}, {}), Other(log, "a")),
        (part_of("b", {}, {}), Other(log, "b", tf.errors.UnavailableError(None, None, "away"))),
    ]
    with pytest.raises(tf.errors.UnavailableError, match="away"):
        ClusterStep("handle", parts, "options", [], [])
    assert [row[:2] for row in log] == [("a", "register"), ("a", "deregister")]


def test_step_is_cancelled_once():
    running, log = RunningStep(3), []
    running.add(lambda: log.append("first"))
    running.cancel()
    running.cancel()
    running.add(lambda: log.append("late"))
    assert running.step_id == 3 and log == ["first", "late"]
    ended = RunningStep(4)
    ended.add(lambda: log.append("never"))
    ended.end()
    ended.cancel()
    assert log == ["first", "late"]


def test_deadline_takes_precedence_over_other_errors():
    errors = tf.errors
    assert cluster_step.root_failure([]) is None
    late = errors.DeadlineExceededError(None, None, "late")
    lost = errors.NotFoundError(None, None, "lost")
    assert cluster_step.root_failure([lost, late]) is late
    assert cluster_step.root_failure([errors.CancelledError(None, None, "c"), lost]) is lost
