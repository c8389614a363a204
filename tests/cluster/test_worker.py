"""A task without its wire: sessions, graphs, step outcomes, and requested tensors."""

from types import SimpleNamespace

import numpy as np
import pytest

import tfmini as tf
from tests.cluster.tasks import ran
from tfmini._src.base import proto
from tfmini._src.cluster import addresses, recv_tensor
from tfmini._src.cluster.grpc_server import Threads
from tfmini._src.cluster.rendezvous import Item
from tfmini._src.cluster.worker import Worker
from tfmini._src.cluster.worker_service import WorkerService
from tfmini._src.saved_model.graph_util.extract_sub_graph import extract_sub_graph

NAME = "/job:local/replica:0/task:0"
CPU = f"{NAME}/device:CPU:0"


@pytest.fixture
def worker():
    worker = Worker(NAME, {NAME: "localhost:0"})
    yield worker
    worker.close()


@pytest.fixture
def graph_def():
    with tf.Graph().as_default() as graph:
        tf.add(tf.Variable(1.0, name="v", use_resource=True).read_value(), 1.0)
        graph_def = graph.as_graph_def()
    for node in graph_def.node:
        node.device = CPU
    return graph_def


@pytest.mark.parametrize("isolated", [False, True])
def test_sessions_are_created_and_deleted(worker, isolated):
    worker.create_session("one", isolated)
    first = worker.session("one")
    worker.create_session("one", isolated)  # the client has asked twice
    assert worker.session("one") is first
    assert (first.state._resources is worker.resources) is not isolated
    assert worker.session("") is not first
    worker.delete_session("one")
    worker.delete_session("one")
    text = f'^Session handle is not found: one. Possibly this worker ."{NAME}". just restarted.$'
    with pytest.raises(tf.errors.AbortedError, match=text):
        worker.session("one")


def test_node_limit_applies_to_session(worker, graph_def, monkeypatch):
    nodes = len(graph_def.node)
    monkeypatch.setenv("TFMINI_LIMITS", f"nodes={nodes - 1}")
    with pytest.raises(
        tf.errors.ResourceExhaustedError, match=f"of {nodes} nodes exceeds this server's limit"
    ):
        worker.register("", graph_def)
    most = (2 * (nodes + 100) + 9) // 10
    monkeypatch.setenv("TFMINI_LIMITS", f"nodes={most}")
    first, _ = (worker.register("", graph_def) for _ in range(2))
    text = rf"session's 3 graphs have {3 * (nodes + 100)} nodes in total, which exceeds .* limit of {10 * most} "
    with pytest.raises(tf.errors.ResourceExhaustedError, match=text):
        worker.register("", graph_def)
    worker.deregister("", first)
    worker.register("", graph_def)


def test_graphs_are_registered_and_deregistered(worker, graph_def):
    worker.create_session("one", False)
    first, second = (worker.register("one", graph_def) for _ in range(2))
    assert first != second and worker.graph("one", first) is not worker.graph("one", second)
    worker.deregister("one", first)
    calls = [
        lambda: worker.deregister("one", first),
        lambda: worker.graph("one", first),
        lambda: ran(worker, "one", first, 1, {}, []),
        lambda: worker.run_partly("one", first, 1, {}, [], True),
        lambda: worker.graph("", second),  # of another session
    ]
    for call in calls:
        with pytest.raises(
            tf.errors.AbortedError, match="^Graph handle is not found: [0-9a-f]{16}. Poss"
        ):
            call()
    assert ran(worker, "one", second, 1, {}, []) == []


def test_run_requires_keys_of_its_graph(worker, graph_def):
    number = worker.register("", graph_def)
    with pytest.raises(tf.errors.InvalidArgumentError, match="^w:0 is not fetched by this graph$"):
        ran(worker, "", number, 1, {}, ["w:0"])
    for feeds, keys in (({"w:0": 1}, []), ({}, ["w:0"])):
        with pytest.raises(tf.errors.InvalidArgumentError, match="^w:0 is not in this graph$"):
            worker.run_partly("", number, 2, feeds, keys, True)
    assert worker._steps == {}


def test_step_lives_until_last_part_ends(worker):
    first, second = worker.begin("", 5), worker.begin("", 5)
    assert first.rendezvous is second.rendezvous
    worker._on_step_end(5, first)
    assert worker._steps == {5: {second}}
    worker._on_step_end(5, second)
    worker._on_step_end(5, second)
    assert worker._steps == {}
    third = worker.begin("", 5)
    worker.cancel(5, KeyError("why"))
    assert third.is_cancelled
    with pytest.raises(tf.errors.CancelledError, match="^Step 5 has ended$"):
        worker.begin("", 5)


@pytest.fixture
def queue_parts():
    """A part that dequeues two elements in sequence, and one that enqueues three."""
    with tf.Graph().as_default() as graph:
        queue = tf.FIFOQueue(9, [tf.int32], [[]], shared_name="q")
        queue.enqueue_many([[1, 2, 3]], name="put")
        with tf.control_dependencies([queue.dequeue(name="first")]):
            queue.dequeue(name="second")
        graph_def = graph.as_graph_def()
    for node in graph_def.node:
        node.device = CPU
    return [extract_sub_graph(graph_def, [n]) for n in ("second", "put")]


def test_started_step_may_finish_after_stop_dequeuing(worker, queue_parts):
    take, put = (worker.register("", part) for part in queue_parts)
    ended, later = [], []

    def begin(step_id):
        worker.run("", take, step_id, {}, [], later.append, lambda *each: ended.append(each))

    def go_on():
        while later:
            later.pop(0)()

    worker.stop_dequeuing(1)  # before it begins
    begin(1)
    assert isinstance(ended.pop()[1], tf.errors.CancelledError)
    begin(2)
    worker.stop_dequeuing(2)
    go_on()
    assert isinstance(ended.pop()[1], tf.errors.CancelledError)
    begin(3)
    ran(worker, "", put, 4, {}, [])  # which passes it the first one
    worker.stop_dequeuing(3)
    assert not ended
    go_on()
    begin(5)  # of the three it finds one, and waits for another
    assert ended == [((), None)]
    worker.cancel(5)


def test_step_cleanup_drops_tensors(worker):
    got = []
    key = f"{CPU};{worker.incarnations[CPU]:016x};{CPU};t;0:0"
    worker.receive(7, [key], lambda item, error: got.append(error))
    withdraw = worker.receive(8, [key], lambda item, error: got.append(error))
    withdraw()
    worker.clean_up(7)
    worker.clean_up(8)
    assert [type(error) for error in got] == [tf.errors.CancelledError]


def test_cleared_variables_are_created_again(worker, graph_def):
    parts = [extract_sub_graph(graph_def, [name]) for name in ("v/Assign", "Add")]
    assign, add = (worker.register("", part) for part in parts)
    ran(worker, "", assign, 1, {}, [])
    worker.clean_up_all([])
    for step_id, part in enumerate([assign, add], 2):
        ran(worker, "", part, step_id, {}, [])


@pytest.mark.parametrize(
    "containers, kept",
    [
        ([], ["named"]),
        (["local"], ["named"]),
        (["named"], [""]),
        (["localhost", ""], ["", "named"]),
    ],
)
def test_named_containers_are_cleared(worker, containers, kept):
    for container in ("", "named"):
        worker.resources.named(("thing", container, "x"), dict)
    worker.clean_up_all(containers)
    result = [c for c in ("", "named") if worker.resources.lookup(("thing", c, "x")) is not None]
    assert result == kept


@pytest.mark.parametrize(
    "key",
    [
        "",
        "t",
        f"{CPU};1;{CPU};t",
        f"{CPU};1;{CPU};t;0:0;more",
        f"{CPU};x;{CPU};t;0:0",
        "cpu;1;cpu;t;0:0",
    ],
)
def test_invalid_rendezvous_key(key):
    with pytest.raises(tf.errors.InvalidArgumentError, match=f"^Invalid  rendezvous key: {key}$"):
        recv_tensor.sender(key)


def test_recv_tensor_replies_round_trip():
    items = [Item(np.arange(3.0), tf.float64), Item(None, None, True), Item(np.int32(4), tf.int32)]
    for item in items:
        result = recv_tensor.read_reply(b"".join(map(bytes, recv_tensor.reply_buffers(item, 0))))
        assert result.is_dead is item.is_dead
        assert result.is_dead or np.array_equal(result.value, item.value)
    for count in (0, 2):
        with pytest.raises(tf.errors.InvalidArgumentError, match="^Malformed message$"):
            recv_tensor.RepliesRead().read(b"\x0a\x02\x10\x01", ("a", "b")[:count])
    assert recv_tensor.RepliesRead().read(b"\x0a\x02\x10\x01", ("a",))[0].is_dead


def test_task_prefix_is_added_once():
    error = recv_tensor.prefix_with_task(
        "/job:a/replica:0/task:1", tf.errors.NotFoundError(None, None, "gone")
    )
    assert error.message == "From /job:a/replica:0/task:1:\ngone"
    assert recv_tensor.prefix_with_task("/job:b/replica:0/task:0", error) is error


@pytest.mark.parametrize("is_plain", [False, True])
def test_remote_send_failure_names_tensor(worker, is_plain):
    class FailingChannel:
        def __init__(self):
            self.is_plain = is_plain

        def request_connection(self):
            pass

        def begin(self, method, request, received, **options):
            received(None, tf.errors.NotFoundError(None, None, "gone"))
            return lambda: None

    channel = FailingChannel()
    view = SimpleNamespace(channels=SimpleNamespace(channel_to=lambda task: channel))
    there = "/job:ps/replica:0/task:3"
    key = f"{there}/device:CPU:0;{1:016x};{CPU};t;0:0"
    errors = []
    worker._request_tensor(view, 9, key, lambda item, error: errors.append(error))
    worker._request_tensors(view, 9, [key, key], lambda items, error: errors.append(error))
    texts = {(type(error), error.message) for error in errors}
    assert texts == {(tf.errors.NotFoundError, f"From {there}:\ngone")}


@pytest.mark.parametrize(
    "filters, found",
    [
        ([], "abc"),
        (["/job:ps"], "a"),
        (["/job:worker"], "bc"),
        (["/job:worker/task:1", "/job:ps"], "ac"),
        (["/job:worker/task:2"], ""),
        (["/task:0"], "ab"),
    ],
)
def test_device_filters_select_tasks(filters, found):
    tasks = [
        f"/job:{job}/replica:0/task:{n}" for job, n in (("ps", 0), ("worker", 0), ("worker", 1))
    ]
    assert addresses.reachable_tasks(tasks, filters) == [tasks["abc".index(each)] for each in found]
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="^Could not parse device filter: job$"
    ):
        addresses.reachable_tasks(tasks, ["job"])


@pytest.mark.parametrize(
    "address, port", [("h:1", 1), (":65535", 65535), ("[::1]:80", 80), ("h:0", 0)]
)
def test_ports(address, port):
    assert addresses.parse_port(address) == port


@pytest.mark.parametrize("address", ["h", "", "80", "h:", "h:x", "h:-1", "h:65536", "h:8.0"])
def test_address_without_port_is_rejected(address):
    with pytest.raises(
        tf.errors.InvalidArgumentError,
        match=f'^Could not parse port for local server from "{address}".$',
    ):
        addresses.parse_port(address)


class Call:
    def add_callback(self, callback):
        self.gone = callback
        return True


def test_service_methods(worker, graph_def):
    methods = {
        name.rpartition("/")[2]: method
        for name, method in WorkerService(worker, Threads().submit).methods.items()
    }
    create = proto.CreateWorkerSessionRequest(session_handle="s")
    methods["CreateWorkerSession"](create.SerializeToString(), Call())
    for created, name in ((True, "s"), (False, "another")):  # it is not read
        where = {"session_handle": name, "create_worker_session_called": created}
        register = proto.RegisterGraphRequest(**where, graph_def=graph_def)
        reply = methods["RegisterGraph"](register.SerializeToString(), Call())
        handle = proto.RegisterGraphResponse.FromString(reply).graph_handle
        assert worker.graph("s" if created else "", handle)
        drop = proto.DeregisterGraphRequest(**where, graph_handle=handle).SerializeToString()
        methods["DeregisterGraph"](drop, Call())
        with pytest.raises(tf.errors.AbortedError, match="^Graph handle is not found"):
            methods["DeregisterGraph"](drop, Call())
    step = worker.begin("s", 9)
    methods["CleanupGraph"](proto.CleanupGraphRequest(step_id=9).SerializeToString(), Call())
    assert step.is_cancelled
    delete = proto.DeleteWorkerSessionRequest(session_handle="s").SerializeToString()
    methods["DeleteWorkerSession"](delete, Call())
    with pytest.raises(tf.errors.AbortedError, match="^Session handle is not found: s"):
        worker.session("s")
