"""Messages from a master to another task's worker."""

import pytest

from tfmini._src.base import errors, proto
from tfmini._src.cluster.grpc_channel import CLEAN_UP_MANY, STOP_DEQUEUING, WORKER
from tfmini._src.cluster.remote_worker import RemoteWorker


class Channel:
    """A channel that answers with `replies` by method; exceptions among them are raised or passed to the callback."""

    is_plain = False

    def __init__(self, **replies):
        self.replies = replies
        self.sent = []
        self.lines = 0

    def call(self, method, request, timeout=None):
        self.sent.append((method.removeprefix(WORKER), request))
        reply = self.replies.get(self.sent[-1][0], b"")
        if isinstance(reply, BaseException):
            raise reply
        return reply

    def begin(self, method, request, then, timeout=None):
        try:
            then(self.call(method, request), None)
        except errors.OpError as error:
            then(None, error)

    def request_connection(self):
        self.lines += 1


def worker(**replies):
    return RemoteWorker("/job:worker/replica:0/task:3", Channel(**replies))


def test_create_session_sends_task_and_cluster():
    one = worker()
    cluster = proto.ClusterDef(job=[proto.JobDef(name="worker", tasks={3: "localhost:1"})])
    one.create_session("handle", True, cluster)
    ((method, request),) = one.channel.sent
    expected = proto.CreateWorkerSessionRequest(session_handle="handle", isolate_session_state=True)
    expected.server_def.CopyFrom(
        proto.ServerDef(cluster=cluster, job_name="worker", task_index=3, protocol="grpc")
    )
    assert method == "CreateWorkerSession" and one.channel.lines == 1
    assert proto.CreateWorkerSessionRequest.FromString(request) == expected


@pytest.mark.parametrize("options", [None, proto.GraphOptions(build_cost_model=7)])
def test_graph_is_registered_with_session_options(options):
    reply = proto.RegisterGraphResponse(graph_handle="number").SerializeToString()
    one = worker(RegisterGraph=reply)
    graph_def = proto.GraphDef(node=[proto.NodeDef(name="a", op="NoOp")])
    assert one.register("handle", graph_def, True, options) == "number"
    expected = proto.RegisterGraphRequest(
        session_handle="handle",
        create_worker_session_called=True,
        graph_def=graph_def,
        has_control_flow=True,
        graph_options=options,
    )
    assert proto.RegisterGraphRequest.FromString(one.channel.sent[0][1]) == expected


def test_error_names_task():
    one = worker(RegisterGraph=errors.NotFoundError(None, None, "no such session"))
    with pytest.raises(errors.NotFoundError) as raised:
        one.register("handle", proto.GraphDef(), False, None)
    assert raised.value.message == "From /job:worker/replica:0/task:3:\nno such session"


def test_step_cleanups_are_batched():
    one = worker()
    for i in range(15):
        one.clean_up(i, immediately=False)
    assert one.channel.sent == []
    one.clean_up(-1, immediately=False)
    of_last = b"\x08" + b"\xff" * 9 + b"\x01"  # 64 bits, as protobuf encodes negative numbers
    together = b"".join(bytes([8, i]) for i in range(15)) + of_last
    assert one.channel.sent == [(CLEAN_UP_MANY, together)]


def test_unsupported_batch_cleanup_falls_back():
    """By a TensorFlow task, which lacks the method."""
    one = worker(**{CLEAN_UP_MANY: errors.UnimplementedError(None, None, "")})
    one.clean_up(1, immediately=False)
    one.clean_up(2)
    one.clean_up(3, immediately=False)
    methods = [method for method, _ in one.channel.sent]
    assert methods == [CLEAN_UP_MANY, *["CleanupGraph"] * 3]
    requests = [proto.CleanupGraphRequest.FromString(text) for _, text in one.channel.sent[1:]]
    assert [request.step_id for request in requests] == [1, 2, 3]


@pytest.mark.parametrize("error", [None, errors.UnimplementedError(None, None, "")])
def test_rejected_stop_dequeuing_is_reported(error):
    one, failed = worker(**{STOP_DEQUEUING: error or b""}), []
    one.stop_dequeuing(5, lambda: failed.append(5))
    assert one.channel.sent == [(STOP_DEQUEUING, b"\x08\x05")]
    assert failed == ([] if error is None else [5])
