"""Master methods called only by other clients; tfmini's client runs steps by name."""

import threading
import time

import pytest

import tfmini as tf
from tests.cluster.tasks import cluster_of
from tests.support import waiting
from tfmini._src.base import proto
from tfmini._src.cluster.grpc_channel import MASTER, Channel
from tfmini._src.graph.tensor_proto import make_tensor_proto


@pytest.fixture
def channel():
    """A channel to a new server."""
    server = tf.train.Server.create_local_server()
    channel = Channel(server.target.removeprefix("grpc://"))
    yield channel
    channel.close()
    server._stop()


@pytest.fixture
def call(channel):
    """`call(name, request, kind)`: calls a server's master and returns the reply."""

    def call(name, request, kind):
        return kind.FromString(channel.call(MASTER + name, request.SerializeToString(), 60))

    return call


def test_callables_over_grpc(call):
    """The calls of TensorFlow 1.15.5's `Session.make_callable` on a server."""
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [2], "x")
        variable = tf.get_variable("v", initializer=[1.0, 1.0], use_resource=True)
        added = variable.assign_add(x, read_value=False)
        doubled = tf.multiply(x, 2.0, "doubled")
        read = variable.value()
    message = proto.CreateSessionRequest(graph_def=graph.as_graph_def())
    session = call("CreateSession", message, proto.CreateSessionResponse).session_handle

    def callable_of(feeds, fetches, targets):
        options = proto.CallableOptions(feed=feeds, fetch=fetches, target=targets)
        request = proto.MakeCallableRequest(session_handle=session, options=options)
        return call("MakeCallable", request, proto.MakeCallableResponse).handle

    def run(handle, *values):
        request = proto.RunCallableRequest(session_handle=session, handle=handle)
        request.feed.extend(make_tensor_proto(value, tf.float32) for value in values)
        reply = call("RunCallable", request, proto.RunCallableResponse)
        return [tf.make_ndarray(value).tolist() for value in reply.fetch]

    assert run(callable_of([], [], [variable.initializer.name])) == []
    adds = callable_of([x.name], [doubled.name], [added.name])
    assert run(adds, [3.0, 4.0]) == run(adds, [3.0, 4.0]) == [[6.0, 8.0]]
    assert run(callable_of([], [read.name], [])) == [[7.0, 9.0]]
    release = proto.ReleaseCallableRequest(session_handle=session, handle=adds)
    call("ReleaseCallable", release, proto.ReleaseCallableResponse)
    call("ReleaseCallable", release, proto.ReleaseCallableResponse)  # including missing ones
    with pytest.raises(tf.errors.InvalidArgumentError, match=f"No such callable handle: {adds}"):
        run(adds, [3.0, 4.0])


@pytest.fixture
def session(call):
    """The handle of a session on a graph with a constant c, and y = 2 * x."""
    with tf.Graph().as_default() as graph:
        tf.multiply(tf.placeholder(tf.float32, [2], "x"), 2.0, "y")
        tf.constant(1.0, name="c")
    message = proto.CreateSessionRequest(graph_def=graph.as_graph_def())
    return call("CreateSession", message, proto.CreateSessionResponse).session_handle


def step(session, feeds=(), **settings):
    request = proto.RunStepRequest(session_handle=session, **settings)
    for name in feeds:
        request.feed.add(name=name).tensor.CopyFrom(make_tensor_proto([1.0, 2.0], tf.float32))
    return request


NOT_FED = "From /job:local/replica:0/task:0:\nYou must feed a value for placeholder tensor 'x'"
WRONG_STEPS = [
    ({"fetch": ["nope:0"]}, tf.errors.NotFoundError, "FetchOutputs node nope:0: not found"),
    ({"fetch": ["c:a"]}, tf.errors.NotFoundError, "FetchOutputs node c:a: not found"),
    (
        {"fetch": ["c:7"]},
        tf.errors.InvalidArgumentError,
        "FetchOutputs c:7: output index too large, must be < 1",
    ),
    (
        {"target": ["no", "c", "none"]},
        tf.errors.NotFoundError,
        "PruneForTargets: Some target nodes not found: no none ",
    ),
    (
        {"feeds": ["nope:0"], "fetch": ["c:0"]},
        tf.errors.NotFoundError,
        "FeedInputs: unable to find feed output nope:0",
    ),
    (
        {"feeds": ["c:3"], "fetch": ["c:0"]},
        tf.errors.InvalidArgumentError,
        "FeedInputs: c:3 should have output index < 1",
    ),
    (
        {},
        tf.errors.InvalidArgumentError,
        "Must specify at least one target to fetch or execute.",
    ),
    ({"fetch": ["y:0"]}, tf.errors.InvalidArgumentError, NOT_FED),
    (
        {"fetch": ["c:0"], "partial_run_handle": "none"},
        tf.errors.InvalidArgumentError,
        "Must run PartialRunSetup before performing partial runs",
    ),
]


@pytest.mark.parametrize("settings, kind, text", WRONG_STEPS)
def test_invalid_steps(call, session, settings, kind, text):
    """With the messages of TensorFlow 1.15.5's server."""
    request = step(session, **settings)
    with pytest.raises(kind) as caught:
        call("RunStep", request, proto.RunStepResponse)
    assert caught.value.message.startswith(text) and (len(caught.value.message) == len(text)) == (
        text is not NOT_FED
    )
    request.store_errors_in_response_body = True
    reply = call("RunStep", request, proto.RunStepResponse)
    assert reply.status_code == caught.value.error_code
    assert reply.status_error_message == caught.value.message and not reply.tensor
    reply = call("RunStep", step(session, ["x:0"], fetch=["y:0"]), proto.RunStepResponse)
    assert tf.make_ndarray(reply.tensor[0].tensor).tolist() == [2.0, 4.0]


GONE = " Possibly, this master has restarted."
WITHOUT_A_SESSION = [
    ("RunStep", "RunStep", {"fetch": ["c:0"]}, tf.errors.AbortedError, ""),
    ("ExtendSession", "ExtendSession", {}, tf.errors.AbortedError, ""),
    ("PartialRunSetup", "PartialRunSetup", {"fetch": ["c:0"]}, tf.errors.AbortedError, ""),
    ("CloseSession", "CloseSession", {}, tf.errors.AbortedError, GONE),
    ("ListDevices", "ListDevices", {}, tf.errors.InvalidArgumentError, GONE),
]


@pytest.mark.parametrize("name, kind, settings, error, rest", WITHOUT_A_SESSION)
def test_closed_session_is_not_found(call, session, name, kind, settings, error, rest):
    close = proto.CloseSessionRequest(session_handle=session)
    call("CloseSession", close, proto.CloseSessionResponse)
    request = getattr(proto, f"{kind}Request")(session_handle=session, **settings)
    with pytest.raises(error) as caught:
        call(name, request, getattr(proto, f"{kind}Response"))
    assert caught.value.message == f"Session {session} is not found.{rest}"


def test_extending_graph_requires_its_version(call, session):
    def extend(version):
        request = proto.ExtendSessionRequest(session_handle=session, current_graph_version=version)
        with tf.Graph().as_default() as graph:
            tf.constant(5.0, name=f"late_{version}")
        request.graph_def.CopyFrom(graph.as_graph_def())
        return call("ExtendSession", request, proto.ExtendSessionResponse).new_graph_version

    with pytest.raises(tf.errors.AbortedError) as caught:
        extend(7)
    assert caught.value.message == "Current version is 0 but caller expected 7."
    assert [extend(0), extend(1)] == [1, 2]
    reply = call("RunStep", step(session, fetch=["late_1:0"]), proto.RunStepResponse)
    assert tf.make_ndarray(reply.tensor[0].tensor) == 5.0


OF_ANOTHER_TYPE = (
    "From /job:local/replica:0/task:0:\n"
    "Output 0 of type int32 does not match declared output type float for node {{node _recv_x_0}}"
)
CUT = proto.TensorProto(dtype=proto.DT_FLOAT, tensor_content=b"abc")
UNKNOWN = proto.TensorProto(
    dtype=proto.DT_FLOAT, tensor_shape={"unknown_rank": True}, float_val=[1]
)
DEEP = proto.TensorProto(dtype=proto.DT_FLOAT, tensor_content=b"abcd")
DEEP.tensor_shape.dim.extend(tf.TensorShape([1] * 300).as_proto().dim)
WRONG_FEEDS = [
    (make_tensor_proto([1, 2], tf.int32), tf.errors.InternalError, OF_ANOTHER_TYPE),
    (CUT, tf.errors.InvalidArgumentError, "3 bytes for 1 elements of float32"),
    (UNKNOWN, tf.errors.InvalidArgumentError, "its shape is unknown"),
    (DEEP, tf.errors.InvalidArgumentError, "300 dimensions"),
    (proto.TensorProto(), tf.errors.InvalidArgumentError, "Invalid TensorProto for x:0: Cannot"),
]


@pytest.mark.parametrize("tensor, kind, text", WRONG_FEEDS)
@pytest.mark.parametrize("is_partial", [False, True])
def test_invalid_feeds(call, session, tensor, kind, text, is_partial):
    request = step(session, fetch=["y:0"])
    request.feed.add(name="x:0").tensor.CopyFrom(tensor)
    if is_partial:
        setup = proto.PartialRunSetupRequest(session_handle=session, fetch=["y:0"], feed=["x:0"])
        reply = call("PartialRunSetup", setup, proto.PartialRunSetupResponse)
        request.partial_run_handle = reply.partial_run_handle
    with pytest.raises(kind) as caught:
        call("RunStep", request, proto.RunStepResponse)
    assert text in caught.value.message


def test_callable_without_its_feed(call, session):
    """TensorFlow's server crashes."""
    options = proto.CallableOptions(feed=["x:0"], fetch=["y:0"])
    request = proto.MakeCallableRequest(session_handle=session, options=options)
    handle = call("MakeCallable", request, proto.MakeCallableResponse).handle
    run = proto.RunCallableRequest(session_handle=session, handle=handle)
    with pytest.raises(tf.errors.InvalidArgumentError, match="^0 tensors for 1 feeds: x:0$"):
        call("RunCallable", run, proto.RunCallableResponse)


@pytest.fixture
def waits(call):
    """The request of a partial run that blocks forever."""
    with tf.Graph().as_default() as graph:
        tf.FIFOQueue(1, [tf.float32], shapes=[[]]).dequeue(name="item")
    message = proto.CreateSessionRequest(graph_def=graph.as_graph_def())
    session = call("CreateSession", message, proto.CreateSessionResponse).session_handle
    setup = proto.PartialRunSetupRequest(session_handle=session, fetch=["item:0"])
    reply = call("PartialRunSetup", setup, proto.PartialRunSetupResponse)
    request = step(session, fetch=["item:0"])
    request.partial_run_handle = reply.partial_run_handle
    return request


def test_partial_run_ends_at_deadline(call, waits):
    waits.options.timeout_in_ms = 200
    with pytest.raises(tf.errors.DeadlineExceededError, match="^Deadline Exceeded$"):
        call("RunStep", waits, proto.RunStepResponse)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Must run PartialRunSetup"):
        call("RunStep", waits, proto.RunStepResponse)


def test_partial_run_ends_with_client(call, channel, waits):
    before = threads_of_partial_runs()
    ended = []
    cancel = channel.begin(
        MASTER + "RunStep", waits.SerializeToString(), lambda *outcome: ended.append(outcome)
    )
    waiting.until(lambda: threads_of_partial_runs() - before)
    cancel()
    waiting.until(lambda: threads_of_partial_runs() <= before and ended)


def threads_of_partial_runs():
    """Including threads of earlier tests that may be about to end."""
    return {thread for thread in threading.enumerate() if thread.name == "tfmini partial run"}


def test_endless_remote_loop_ends_with_step():
    """It would continue although nothing waits for it."""
    with cluster_of({"ps": 1, "worker": 1}) as tasks:
        with tf.device("/job:ps/task:0"):
            endless = tf.while_loop(lambda i: i > -1, lambda i: i * 1, [tf.constant(1)])

        def used():
            with open(f"/proc/{tasks['ps', 0].process.pid}/stat") as stat:
                return int(stat.read().rpartition(")")[2].split()[11])

        with tf.Session(tasks["worker", 0].target) as session:
            late = tf.RunOptions(timeout_in_ms=300)
            with pytest.raises(tf.errors.DeadlineExceededError, match="Deadline Exceeded"):
                session.run(endless, options=late)

            def is_idle():
                before = used()
                time.sleep(0.1)
                return used() - before < 2

            waiting.until(is_idle)


@pytest.mark.parametrize(
    "wrong", [{"shape": tf.TensorShape([2]).as_proto()}, {"i": 3}, {"func": {"name": "f"}}]
)
def test_malformed_colocation_attr_is_ignored(call, wrong):
    """As on TensorFlow's server."""
    with tf.Graph().as_default() as graph:
        tf.constant(1.0, name="c")
    graph_def = graph.as_graph_def()
    graph_def.node[0].attr["_class"].CopyFrom(proto.AttrValue(**wrong))
    message = proto.CreateSessionRequest(graph_def=graph_def)
    handle = call("CreateSession", message, proto.CreateSessionResponse).session_handle
    reply = call("RunStep", step(handle, fetch=["c:0"]), proto.RunStepResponse)
    assert tf.make_ndarray(reply.tensor[0].tensor) == 1.0
