"""Messages to a server with valid frames but damaged fields, graphs or tensors.

`python -m tests.cluster.damaged_messages [COUNT] [SEED]` sends COUNT messages and prints the outcomes: each must
get a timely answer, a result or an error that names its cause, and the server must keep working.
"""

from __future__ import annotations

import collections
import random
import re
import resource
import sys
import time

import tfmini as tf
from tests.cluster.damaged_graphs import GRAPHS, built, damage_graph, damage_tensor
from tests.cluster.tasks import cluster_of
from tests.conformance.damaged_files import damaged_message
from tfmini._src.base import proto
from tfmini._src.cluster.chunks import PULL_PART
from tfmini._src.cluster.grpc_channel import (
    CLEAN_UP_MANY,
    MASTER,
    RECEIVE_MANY,
    SHARE_MEMORY,
    STOP_DEQUEUING,
    WORKER,
    Channel,
)
from tfmini._src.cluster.recv_tensor import keys_to_bytes
from tfmini._src.cluster.wire import tagged_field

SECONDS = 60  # seconds after which a call counts as hanging
STEP_MILLISECONDS = 1500
MEMORY = 3 << 30  # maximum threads of a task
# Python's own errors, which tell a client nothing.
RAW = re.compile(r"(^|\n)\w+(Error|Exception|Iteration|Exit): |Malformed message")


class Server:
    """Calls to a cluster task; the task is the only worker, next to a parameter server."""

    def __init__(self, tasks):
        self.tasks = tasks
        for (
            task
        ) in tasks.values():  # larger requests end in an error instead of killing the process
            resource.prlimit(task.process.pid, resource.RLIMIT_AS, (MEMORY, MEMORY))
        self.channel = Channel(tasks["worker", 0].target.removeprefix("grpc://"))
        self.graphs = [built(make) for make in GRAPHS]
        self.handles = [self.create(graph) for graph, *_ in self.graphs]
        self.partition = self._partition()
        self.registered = self._register(self.partition)
        call = self.call(WORKER + "GetStatus", proto.GetStatusRequest())
        (device, *_) = proto.GetStatusResponse.FromString(call).device_attributes
        self.key = (
            f"{device.name};{device.incarnation:016x};/job:ps/replica:0/task:0/device:CPU:0;t;0:0"
        )

    def call(self, method, request):
        data = request if isinstance(request, bytes) else request.SerializeToString()
        return self.channel.call(method, data, timeout=SECONDS)

    def create(self, graph):
        request = proto.CreateSessionRequest(graph_def=graph)
        request.config.operation_timeout_in_ms = STEP_MILLISECONDS
        reply = self.call(MASTER + "CreateSession", request)
        return proto.CreateSessionResponse.FromString(reply).session_handle

    def step(self, handle, fetches, targets, feeds):
        """The request of a step."""
        request = proto.RunStepRequest(session_handle=handle, fetch=fetches, target=targets)
        request.options.timeout_in_ms = STEP_MILLISECONDS
        for name, value in feeds.items():
            request.feed.add(name=name, tensor=tf.make_tensor_proto(value))
        return request

    def run_each(self, handle, fetches, targets, feeds):
        for target in targets:
            self.call(MASTER + "RunStep", self.step(handle, [], [target], feeds))
        return self.call(MASTER + "RunStep", self.step(handle, fetches, [], feeds))

    def _partition(self):
        with (
            tf.Graph().as_default() as graph,
            tf.device("/job:worker/replica:0/task:0/device:CPU:0"),
        ):
            y = tf.reshape(tf.range(6) * 2, [2, 3])
            tf.matmul(tf.cast(y, tf.float32), tf.ones([3, 1]))
            tf.Variable([1.0, 2.0]).initializer  # noqa: B018
        return graph.as_graph_def()

    def _register(self, graph):
        reply = self.call(WORKER + "RegisterGraph", proto.RegisterGraphRequest(graph_def=graph))
        return proto.RegisterGraphResponse.FromString(reply).graph_handle

    def sizes(self):
        """Each task's memory in kB and thread count."""
        results = []
        for task in self.tasks.values():
            with open(f"/proc/{task.process.pid}/status") as status:
                lines = dict(line.split(":") for line in status)
            results.append([int(lines[name].split()[0]) for name in ("VmRSS", "Threads")])
        return results

    def works(self):
        """Whether all of the graphs still run in new sessions."""
        for graph, *step in self.graphs:
            handle = self.create(graph)
            self.run_each(handle, *step)
            self.close_session(handle)

    def close_session(self, handle):
        self.call(MASTER + "CloseSession", proto.CloseSessionRequest(session_handle=handle))

    # Each sends an invalid message.

    def wrong_graph(self, rng):
        graph, *step = rng.choice(self.graphs)
        handle = self.create(
            damage_graph(proto.GraphDef.FromString(graph.SerializeToString()), rng)
        )
        try:
            self.run_each(handle, *step)
        finally:
            self.close_session(handle)

    def wrong_extension(self, rng):
        graph, *step = rng.choice(self.graphs)
        handle = self.create(proto.GraphDef())
        try:
            damaged = damage_graph(proto.GraphDef.FromString(graph.SerializeToString()), rng)
            request = proto.ExtendSessionRequest(session_handle=handle, graph_def=damaged)
            request.current_graph_version = rng.choice([0, 0, 0, 1, -1])
            self.call(MASTER + "ExtendSession", request)
            self.run_each(handle, *step)
        finally:
            self.close_session(handle)

    def wrong_step(self, rng):
        number = rng.randrange(len(self.graphs))
        _, *step = self.graphs[number]
        request = self.step(self.handles[number], *step)
        self._damage_step(request, rng)
        self.call(MASTER + "RunStep", request)

    def _damage_step(self, request, rng):
        kind = rng.randrange(7)
        if kind < 3 and request.feed:
            damage_tensor(rng.choice(request.feed).tensor, rng)
        elif kind == 3:
            request.feed.add(name=rng.choice(["", "x", "x:1", "x:0", "nothing:0", "^x", "x:-1"]))
        elif kind == 4:
            names = ["", "x:9", "nothing", ":0", "x:x", "^x", "é:0"]
            rng.choice([request.fetch, request.target]).append(rng.choice(names))
        elif kind == 5:
            request.session_handle = rng.choice(["", "0" * 16, "x" * 5000])
        else:
            data = damaged_message(proto.RunStepRequest)(request.SerializeToString(), rng)
            request.CopyFrom(proto.RunStepRequest.FromString(data))
        request.options.timeout_in_ms = STEP_MILLISECONDS

    def wrong_partition(self, rng):
        graph = damage_graph(proto.GraphDef.FromString(self.partition.SerializeToString()), rng)
        handle = self._register(graph)
        try:
            self.call(WORKER + "RunGraph", self._run_of(handle, rng))
        finally:
            self.call(WORKER + "DeregisterGraph", proto.DeregisterGraphRequest(graph_handle=handle))

    def _run_of(self, handle, rng):
        return proto.RunGraphRequest(graph_handle=handle, step_id=rng.randrange(1, 1 << 40))

    def wrong_run(self, rng):
        request = self._run_of(self.registered, rng)
        kind = rng.randrange(5)
        if kind == 0:
            request.recv_key.append(rng.choice(["", "x", ";;;;", self.key]))
        elif kind == 1:
            damage_tensor(request.send.add(name=self.key).tensor, rng)
        elif kind == 2:
            request.graph_handle = rng.choice(["", "nothing", "0" * 16])
        elif kind == 3:
            request.session_handle, request.create_worker_session_called = "nothing", True
        else:
            request.is_partial, request.is_last_partial_run = True, rng.random() < 0.5
            request.recv_key.append(rng.choice(["", self.key]))
        self.call(WORKER + "RunGraph", request)

    def wrong_key(self, rng):
        """Requests a tensor by an invalid key, or a key of another task or incarnation."""
        parts = self.key.split(";")
        wrong = ["", "x", "0" * 16, "f" * 40, "é", "/job:a/replica:0/task:0"]
        parts[rng.randrange(2)] = rng.choice(
            wrong
        )  # if these are valid, it waits for further messages
        parts[rng.randrange(2, 5)] = rng.choice([*wrong, "t"])
        key = ";".join(parts[: rng.choice([5, 5, 4, 1])])
        number = rng.choice([0, 1, 1 << 40])
        if rng.random() < 0.5:
            request = proto.RecvTensorRequest(step_id=number, rendezvous_key=key)
            self.call(WORKER + "RecvTensor", request)
        else:
            self.call(RECEIVE_MANY, b"\x08\x01" + keys_to_bytes((key,) * rng.choice([1, 2])))

    def wrong_callable(self, rng):
        number = rng.randrange(len(self.graphs))
        fetches, targets, feeds = self.graphs[number][1:]
        request = proto.MakeCallableRequest(session_handle=self.handles[number])
        options = request.options
        options.fetch.extend(fetches)
        options.target.extend(targets)
        options.feed.extend(feeds)
        options.run_options.timeout_in_ms = STEP_MILLISECONDS
        names = ["", "x:9", "nothing", ":0", "x:x", "^x"]
        if rng.random() < 0.5:
            rng.choice([options.fetch, options.target, options.feed]).append(rng.choice(names))
        reply = self.call(MASTER + "MakeCallable", request)
        handle = proto.MakeCallableResponse.FromString(reply).handle
        run = proto.RunCallableRequest(session_handle=self.handles[number])
        run.handle = rng.choice([handle, handle, handle, 0, -1, 1 << 60])
        run.feed.extend(tf.make_tensor_proto(value) for value in feeds.values())
        kind = rng.randrange(3)
        if kind == 0 and run.feed:
            damage_tensor(rng.choice(run.feed), rng)
        elif kind == 1:
            run.feed.add()
        else:
            del run.feed[:1]
        self.call(MASTER + "RunCallable", run)

    def wrong_partial_run(self, rng):
        number = rng.randrange(len(self.graphs))
        fetches, targets, feeds = self.graphs[number][1:]
        request = proto.PartialRunSetupRequest(session_handle=self.handles[number])
        request.fetch.extend(fetches)
        request.feed.extend(feeds)
        if rng.random() < 0.4:
            rng.choice([request.fetch, request.feed, request.target]).append("nothing:0")
        reply = self.call(MASTER + "PartialRunSetup", request)
        handle = proto.PartialRunSetupResponse.FromString(reply).partial_run_handle
        step = self.step(self.handles[number], fetches, [], feeds)
        step.partial_run_handle = rng.choice([handle, handle, "", "nothing"])
        self._damage_step(step, rng)
        self.call(MASTER + "RunStep", step)

    def wrong_other(self, rng):
        """Calls any other method with a damaged request."""
        handle = rng.choice(["", "nothing", "é", "x" * 5000])
        server = proto.ServerDef(
            job_name=rng.choice(["", "worker"]), task_index=rng.choice([0, -1, 1 << 30])
        )
        job = server.cluster.job.add(name=rng.choice(["", "worker", "é"]))
        job.tasks[rng.choice([0, -1, 1 << 30])] = rng.choice(["", "nothing", "a:b:c", "[::1]:99"])
        config = proto.CreateSessionRequest(target=handle)
        config.config.cluster_def.CopyFrom(server.cluster)
        config.config.operation_timeout_in_ms = STEP_MILLISECONDS
        filtered = proto.CreateSessionRequest()
        filtered.config.device_filters.append(handle)
        filtered.config.operation_timeout_in_ms = STEP_MILLISECONDS
        filtered.config.device_count["CPU"] = rng.choice([0, -1, 1 << 30])
        method, request = rng.choice(
            [
                (MASTER + "CreateSession", config),
                (MASTER + "CreateSession", filtered),
                (MASTER + "CloseSession", proto.CloseSessionRequest(session_handle=handle)),
                (MASTER + "ListDevices", proto.ListDevicesRequest(session_handle=handle)),
                (
                    MASTER + "ReleaseCallable",
                    proto.ReleaseCallableRequest(session_handle=handle, handle=-1),
                ),
                (
                    WORKER + "CreateWorkerSession",
                    proto.CreateWorkerSessionRequest(session_handle="other", server_def=server),
                ),
                (
                    WORKER + "DeleteWorkerSession",
                    proto.DeleteWorkerSessionRequest(session_handle=handle),
                ),
                (WORKER + "CleanupGraph", proto.CleanupGraphRequest(step_id=-1)),
                (WORKER + "CleanupAll", proto.CleanupAllRequest(container=["nothing", "é"])),
                (WORKER + "Logging", proto.LoggingRequest()),
                (WORKER + "RecvBuf", b""),
                (CLEAN_UP_MANY, b"\x08" + b"\xff" * 9 + b"\x01"),
                (STOP_DEQUEUING, b"\x08" + b"\xff" * 9 + b"\x01"),
                (SHARE_MEMORY, tagged_field(1, handle.encode()) + tagged_field(2, b"\1")),
                (PULL_PART, tagged_field(1, handle.encode()) + b"\x10\xff\xff\x7f"),
                (MASTER + "Nothing", b""),
            ]
        )
        self.call(method, request)


WAYS = {
    Server.wrong_graph: 40,
    Server.wrong_extension: 10,
    Server.wrong_step: 15,
    Server.wrong_partition: 10,
    Server.wrong_run: 5,
    Server.wrong_key: 5,
    Server.wrong_callable: 5,
    Server.wrong_partial_run: 5,
    Server.wrong_other: 5,
}


def outcome(server, index, seed):
    """Sends one damaged message; returns (kind of damage, error or None, seconds)."""
    rng = random.Random(f"{seed} {index}")
    (way,) = rng.choices(list(WAYS), WAYS.values())
    start = time.monotonic()
    try:
        way(server, rng)
        error = None
    except tf.errors.OpError as caught:
        error = caught
    return way.__name__, error, time.monotonic() - start


def is_unnamed(error):
    """Whether an error does not name its cause, or the server is gone."""
    kinds = (tf.errors.UnavailableError, tf.errors.UnknownError)
    return isinstance(error, kinds) or bool(RAW.search(error.message)) or not error.message


def main(count="10000", seed="0", first="0"):
    tf.logging.set_verbosity(tf.logging.FATAL)
    counts: collections.Counter[str] = collections.Counter()
    unnamed: collections.Counter[str] = collections.Counter()
    slowest = 0.0
    with cluster_of({"ps": 1, "worker": 1}) as tasks:
        server = Server(tasks)
        for i in range(int(first), int(first) + int(count)):
            way, error, seconds = outcome(server, i, seed)
            counts["no error" if error is None else type(error).__name__] += 1
            label = f"{i} {way} {type(error).__name__}"
            if error is not None and is_unnamed(error):
                text = re.sub(r"\d+", "N", error.message[:150])
                if not unnamed[text]:
                    print("UNNAMED", label, error.message[:400], flush=True)
                unnamed[text] += 1
            if seconds > slowest:
                slowest = seconds
                print(f"slowest {seconds:.2f} s", label, flush=True)
            if (i + 1) % 1000 == 0:
                server.works()
                print(i + 1, "memory in kB, threads:", server.sizes(), flush=True)
        server.works()
    print(dict(counts.most_common()), f"slowest {slowest:.2f} s, unnamed {unnamed.total()}")


if __name__ == "__main__":
    main(*sys.argv[1:])
