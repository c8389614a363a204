"""gRPC calls with blocked steps: they hold no thread, and consume nothing if they end early."""

import sys
from contextlib import ExitStack, suppress
from queue import SimpleQueue
from threading import Barrier, Thread, enumerate as all_threads
from time import monotonic, sleep

import pytest

import tfmini as tf
from tests.support import waiting
from tfmini._src.base import proto
from tfmini._src.cluster import cluster_step, grpc_server
from tfmini._src.cluster.free_ports import free_addresses
from tfmini._src.cluster.grpc_channel import MASTER, Channel

MANY, FEW = 200, 5


@pytest.fixture
def threads_before():
    """Waits for threads of stopped servers, which live on for some seconds."""
    return server_threads()


@pytest.fixture
def servers(monkeypatch, request):
    """A parameter server and a worker that communicate by gRPC or lines, with short-lived threads."""
    monkeypatch.setenv("TFMINI_LINES", getattr(request, "param", "0"))
    monkeypatch.setattr(grpc_server, "_IDLE_SECONDS", 0.05)
    cluster = free_addresses({"ps": 1, "worker": 1})
    with ExitStack() as stack:
        result = {}
        for job in cluster:
            result[job] = tf.train.Server(cluster, job, 0)
            stack.callback(result[job]._stop)
        yield result


@pytest.fixture
def channel(servers):
    channel = Channel(servers["worker"].target.removeprefix("grpc://"))
    yield channel
    channel.close()


class Waiting:
    """A gRPC-only client whose session's steps each wait for a queue element."""

    def __init__(self, servers, channel, job, config=None):
        self.worker = servers[job]._worker
        self.channel = channel
        self.ended = SimpleQueue()
        with tf.Graph().as_default() as graph, tf.device(f"/job:{job}/task:0"):
            queue = tf.FIFOQueue(MANY, [tf.int32], shapes=[[]], shared_name="items")
            with tf.device("/job:worker/task:0"):
                tf.multiply(queue.dequeue(), 2, name="twice")
            tf.constant(7, name="seven")
            self.items = tf.placeholder(tf.int32, [None])
            self.put, self.size = queue.enqueue_many([self.items]), queue.size()
        self.other = tf.Session(servers["worker"].target, graph=graph)
        message = proto.CreateSessionRequest(graph_def=graph.as_graph_def(), config=config)
        reply = channel.call(f"{MASTER}CreateSession", message.SerializeToString(), 60, waits=True)
        self.handle = proto.CreateSessionResponse.FromString(reply).session_handle

    def begin(self, fetch="twice:0", **options):
        """Starts a call, whose reply is returned by `next`; returns its canceller."""
        request = proto.RunStepRequest(session_handle=self.handle, fetch=[fetch])
        then = lambda *outcome: self.ended.put(outcome)  # noqa: E731
        return self.channel.begin(f"{MASTER}RunStep", request.SerializeToString(), then, **options)

    def begin_all(self, count):
        """Starts `count` calls; returns their cancellers once all are blocked."""
        cancels = [self.begin() for _ in range(count)]
        waiting.until(lambda: self.count() == count or not self.ended.empty())
        assert self.ended.empty(), self.ended.get()
        return cancels

    def count(self):
        steps = [step for each in list(self.worker._steps.values()) for step in list(each)]
        return sum(bool(step._waiting) for step in steps)

    def takes_nothing(self):
        """Checks that no step waits any more, and that an element stays in the queue."""
        waiting.until(lambda: not self.count())
        self.other.run(self.put, {self.items: [5]})
        assert self.other.run(self.size) == 1

    def next(self):
        """The value of a reply, or the class of an error."""
        reply, error = self.ended.get(timeout=waiting.SECONDS)
        if error is not None:
            return type(error)
        return int(tf.make_ndarray(proto.RunStepResponse.FromString(reply).tensor[0].tensor))


def server_threads():
    return {thread for thread in all_threads() if thread.name == "tfmini server"}


@pytest.mark.parametrize("job", ["worker", "ps"])
def test_blocked_calls_hold_no_thread(threads_before, servers, channel, job):
    client = Waiting(servers, channel, job)
    client.begin_all(MANY)
    waiting.until(lambda: server_threads() <= threads_before)
    client.begin("seven:0")
    assert client.next() == 7
    assert client.ended.empty()
    client.other.run(client.put, {client.items: range(MANY)})
    assert sorted(client.next() for _ in range(MANY)) == list(range(0, 2 * MANY, 2))


LATE = proto.ConfigProto(operation_timeout_in_ms=1000)


@pytest.mark.parametrize("job", ["worker", "ps"])
@pytest.mark.parametrize("whose", ["caller", "session"])
def test_blocked_calls_end_at_deadline_without_dequeuing(servers, channel, job, whose):
    client = Waiting(servers, channel, job, LATE if whose == "session" else None)
    for _ in range(FEW):
        client.begin(timeout=0.3 if whose == "caller" else None)
    assert {client.next() for _ in range(FEW)} == {tf.errors.DeadlineExceededError}
    client.takes_nothing()


@pytest.mark.parametrize("job", ["worker", "ps"])
@pytest.mark.parametrize("who", ["call", "session", "client"])
def test_blocked_calls_end_with_caller_without_dequeuing(servers, channel, job, who):
    client = Waiting(servers, channel, job)
    cancels = client.begin_all(FEW)
    if who == "call":
        for cancel in cancels:
            cancel()
    elif who == "session":
        close = proto.CloseSessionRequest(session_handle=client.handle)
        channel.call(f"{MASTER}CloseSession", close.SerializeToString(), 60)
    else:
        channel.close()
    assert {client.next() for _ in range(FEW)} == {tf.errors.CancelledError}
    client.takes_nothing()


@pytest.mark.parametrize("job", ["worker", "ps"])
def test_blocked_calls_end_with_server(servers, channel, job):
    client = Waiting(servers, channel, job)
    client.begin_all(FEW)
    servers["worker"]._stop()
    assert all(issubclass(client.next(), tf.errors.OpError) for _ in range(FEW))
    waiting.until(lambda: not client.count())


@pytest.mark.parametrize("servers", ["1", "0"], indirect=True)
@pytest.mark.parametrize("job", ["worker", "ps"])
def test_deadlines_lose_no_elements(servers, job, monkeypatch):
    """The queue and the master are on different tasks; elements are consumed on either."""
    monkeypatch.setattr(cluster_step, "_GRACE_SECONDS", waiting.SECONDS)
    count, results = 150, []
    with tf.device("/job:ps/task:0"):
        queue = tf.FIFOQueue(count, [tf.int32], shapes=[[]])
        item = tf.placeholder(tf.int32, [])
        put, taken, size = queue.enqueue(item), queue.dequeue(), queue.size()
    with tf.device(f"/job:{job}/task:0"):
        twice = taken * 2
    with tf.Session(servers["worker"].target) as session:

        def produce():
            for i in range(count):
                session.run(put, {item: i})
                sleep(0.001)

        producer = Thread(target=produce)
        producer.start()
        while len(results) < count and (producer.is_alive() or session.run(size)):
            with suppress(tf.errors.DeadlineExceededError):
                results.append(session.run(twice, options=tf.RunOptions(timeout_in_ms=1)))
        producer.join()
    assert results == list(range(0, 2 * count, 2))


def test_interdependent_threads_all_start(monkeypatch):
    monkeypatch.setattr(grpc_server, "_MAX_PROMPT_THREADS", 2)
    monkeypatch.setattr(grpc_server, "_IDLE_SECONDS", 0.05)
    threads, together = grpc_server.Threads(), Barrier(6)
    for _ in range(2):  # the second of them finds no idle one left
        result = [threads.submit(together.wait, waiting.SECONDS) for _ in range(6)]
        assert sorted(each.result() for each in result) == list(range(6))
        waiting.until(lambda: not threads._count)
    assert not threads._idle


def test_idle_thread_exits_if_work_was_stolen(monkeypatch):
    """`SimpleQueue.get` with a timeout blocks forever if another thread is faster, as on a busy machine."""
    monkeypatch.setattr(grpc_server, "_IDLE_SECONDS", 0.05)
    threads, together = grpc_server.Threads(), Barrier(2)

    def act():
        together.wait()
        sleep(0.01)  # the other one is idle
        sys.setswitchinterval(10)  # it is woken, but does not run until this thread waits
        threads.submit(int)
        end = monotonic() + 0.1
        while monotonic() < end:
            pass

    before = sys.getswitchinterval()
    try:
        for function in (act, together.wait):
            threads.submit(function)
        waiting.until(lambda: not threads._count)
    finally:
        sys.setswitchinterval(before)
