"""Worker methods, called without a wire: steps whose caller is gone."""

import pytest

import tfmini as tf
from tfmini._src.base import proto
from tfmini._src.cluster.grpc_channel import RECEIVE_MANY, WORKER
from tfmini._src.cluster.grpc_server import Threads
from tfmini._src.cluster.recv_tensor import keys_to_bytes
from tfmini._src.cluster.worker_service import WorkerService


class GoneBefore:
    """A call that ends before the method begins."""

    def add_callback(self, callback):
        return False


class GoneAtOnce:
    """A call that ends as soon as a callback is registered."""

    def add_callback(self, callback):
        callback()
        return True


@pytest.mark.parametrize("call", [GoneBefore(), GoneAtOnce()])
def test_abandoned_step_dequeues_nothing(call):
    server = tf.train.Server.create_local_server()
    try:
        queue = tf.FIFOQueue(4, [tf.float32], shapes=[[]], shared_name="kept")
        size = queue.size()
        with tf.Session(server.target) as session:
            session.run(queue.enqueue_many([[1.0, 2.0]]))
            taken = tf.Graph()
            with taken.as_default():
                shared = tf.FIFOQueue(4, [tf.float32], shapes=[[]], shared_name="kept")
                with tf.device("/job:local/replica:0/task:0/device:CPU:0"):
                    shared.dequeue()
            graph_def = taken.as_graph_def()
            for node in graph_def.node:
                node.device = "/job:local/replica:0/task:0/device:CPU:0"
            service = WorkerService(server._worker, Threads().submit)
            request = proto.RegisterGraphRequest(graph_def=graph_def).SerializeToString()
            reply = service.methods[WORKER + "RegisterGraph"](request, call)
            handle = proto.RegisterGraphResponse.FromString(reply).graph_handle
            step = proto.RunGraphRequest(graph_handle=handle, step_id=77).SerializeToString()
            outcomes = []
            service.later[WORKER + "RunGraph"](step, call, lambda *row: outcomes.append(row))
            ((_, error),) = outcomes
            assert type(error) is tf.errors.CancelledError
            assert error.message == "Step 77 has ended"
            assert session.run(size) == 2
    finally:
        server._stop()


def test_step_cancelled_during_begin_does_not_block(monkeypatch):
    server = tf.train.Server.create_local_server()
    try:
        worker = server._worker
        original = worker.session

        def session(handle):
            worker.cancel(5)
            return original(handle)

        assert not worker.begin("", 5).is_cancelled
        monkeypatch.setattr(worker, "session", session)
        assert worker.begin("", 5).is_cancelled
    finally:
        server._stop()


def test_stale_incarnation_is_rejected():
    server = tf.train.Server.create_local_server()
    try:
        worker = server._worker
        ((device, life), *_) = worker.incarnations.items()
        key = "{};{:016x};/job:a/replica:0/task:0/device:CPU:0;t;0:0"

        def then(item, error):
            raise AssertionError("Nothing has been sent")

        worker.receive(3, [key.format(device, life)], then)()
        with pytest.raises(tf.errors.AbortedError, match="different device incarnation$"):
            worker.receive(3, [key.format(device, life + 1)], then)
        with pytest.raises(tf.errors.InvalidArgumentError, match=" is not sent by /job:local"):
            worker.receive(3, [key.format("/job:b/replica:0/task:0/device:CPU:0", life)], then)
    finally:
        server._stop()


class Call:
    """A call whose end the test triggers."""

    def add_callback(self, callback):
        self.end = callback
        return True


@pytest.mark.parametrize("method", ["RecvTensor", "several"])
def test_unstarted_step_leaves_nothing(method):
    server = tf.train.Server.create_local_server()
    try:
        worker = server._worker
        ((device, life), *_) = worker.incarnations.items()
        key = f"{device};{life:016x};/job:a/replica:0/task:0/device:CPU:0;t;0:0"
        outcomes, calls = [], [Call(), Call()]
        later = WorkerService(worker, Threads().submit).later
        for call in calls:
            if method == "RecvTensor":
                message = proto.RecvTensorRequest(step_id=3, rendezvous_key=key)
                name, request = WORKER + "RecvTensor", message.SerializeToString()
            else:
                name, request = RECEIVE_MANY, b"\x08\x03" + keys_to_bytes((key,))
            later[name](request, call, lambda *outcome: outcomes.append(outcome))
        assert not outcomes
        for call in calls:
            assert worker._rendezvouses._rendezvous_by_step
            call.end()
        assert not worker._rendezvouses._rendezvous_by_step
        assert [type(error) for _, error in outcomes] == [tf.errors.CancelledError] * 2
    finally:
        server._stop()


@pytest.mark.parametrize(
    "request_bytes", [b"", b"\x08", b"\x08\xff", b"\x08\x03", b"\x12\x03\x0a\x01a"]
)
def test_tensor_request_requires_step_and_keys(request_bytes):
    server = tf.train.Server.create_local_server()
    try:
        receive = WorkerService(server._worker, Threads().submit).later[RECEIVE_MANY]
        with pytest.raises(tf.errors.InvalidArgumentError, match="^Malformed message$"):
            receive(request_bytes, Call(), print)
        assert not server._worker._rendezvouses._rendezvous_by_step
    finally:
        server._stop()
