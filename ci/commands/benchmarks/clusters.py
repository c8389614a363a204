"""Step times across two tasks, alternating with TensorFlow 1.15.5 (TFMINI_REFERENCE names its Python).

usage: ci/bench clusters [ROUNDS]             medians in milliseconds over ROUNDS (2): by shared memory, by TCP as
                                              between hosts, and by gRPC only
       ci/bench clusters --workers [ROUNDS]   total steps per second of 1 to 16 workers on one parameter server, and
                                              CPU milliseconds per step of the server and of all processes
       ci/bench clusters --beside TREE [ROUNDS] [WORKERS ...]
                                              the server's CPU time per step, alternating with another tree whose
                                              library is built, for ROUNDS (20) seconds each: minimum, median and
                                              their ratios
       ci/bench clusters --simulated          the server's threads, descriptors, memory and CPU time per step with 1 to
                                              1,000 workers, simulated by the connections of one process, each of which
                                              repeatedly makes the server add ten numbers to a variable
"""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryFile

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))
from tfmini._src.cluster.free_ports import free_addresses  # noqa: E402  after the path is set

PROGRAM = """
import json, os, sys, time
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
if sys.argv[1] == "tensorflow":
    import tensorflow as tf
else:
    import tfmini as tf
import numpy as np
tf.logging.set_verbosity("ERROR")
cluster = json.loads(sys.argv[2])
job, number = sys.argv[3].split(":")
number = int(number)
FILTERS = ["/job:ps", f"/job:worker/task:{number}"]
server = tf.train.Server(cluster, job, number)
if job == "ps":
    print("ready", flush=True)
    sys.stdin.read()
    os._exit(0)
with tf.device("/job:ps/task:0"):
    large, far = tf.Variable(tf.ones([10 << 20])), tf.no_op()
with tf.device(f"/job:worker/task:{number}"):
    pulled = tf.identity(large)[0] + 1.0
spec = tf.train.ClusterSpec(cluster)
with tf.device(tf.train.replica_device_setter(cluster=spec, worker_device=f"/job:worker/task:{number}")):
    x, y = tf.placeholder(tf.float32, [None, 784]), tf.placeholder(tf.int64, [None])
    layer = x
    for units in (256, 256):
        layer = tf.layers.dense(layer, units, tf.nn.relu)
    logits = tf.layers.dense(layer, 10)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
    train = tf.train.AdamOptimizer().minimize(tf.reduce_mean(losses))

def measured(step, count):
    times = []
    for _ in range(count + 5):
        start = time.perf_counter()
        step()
        times.append(time.perf_counter() - start)
    return round(float(np.median(times[5:])) * 1e3, 2)

if sys.argv[4] == "together":
    uninitialized = tf.report_uninitialized_variables()
    batch = {x: np.random.rand(100, 784).astype("f"), y: np.zeros(100, int)}
    with tf.Session(server.target, config=tf.ConfigProto(device_filters=FILTERS)) as session:
        if number == 0:
            session.run(tf.global_variables_initializer())
        else:
            while len(session.run(uninitialized)):
                time.sleep(0.1)
        for _ in range(10):
            session.run(train, batch)
        print("ready", flush=True)
        for seconds in iter(sys.stdin.readline, ""):
            end, steps = time.perf_counter() + float(seconds), 0
            while time.perf_counter() < end:
                session.run(train, batch)
                steps += 1
            print(steps, flush=True)
    os._exit(0)

found = {}
with tf.Session(server.target) as session:
    session.run(tf.global_variables_initializer())
    found["40 MB pulled"] = measured(lambda: session.run(pulled), 8)
    feed = {x: np.random.rand(100, 784).astype("f"), y: np.zeros(100, int)}
    found["MLP with Adam"] = measured(lambda: session.run(train, feed), 40)
with tf.Session("grpc://" + cluster["ps"][0]) as session:
    found["empty step"] = measured(lambda: session.run(far), 60)
print(json.dumps(found), flush=True)
os._exit(0)
"""

SIMULATED = """
import sys, threading, time
import numpy as np
import tfmini as tf
from tfmini._src.base import proto
from tfmini._src.cluster.direct_channel import REPLY, CallingConnection, FramedConnection
from tfmini._src.cluster.direct_sockets import OPEN_CONNECTION, connect_offer, parse_offer, preferred_transports
from tfmini._src.cluster.grpc_channel import Channel
from tfmini._src.cluster.remote_worker import RemoteWorker
from tfmini.dtypes import float32
address, count, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
DEVICE = "/job:ps/replica:0/task:0/device:CPU:0"
KEY = f"{DEVICE};{1:016x};{DEVICE};x:0;0:0"

class DirectConnection:
    is_plain = False

    def __init__(self):
        offer = parse_offer(channel.call(OPEN_CONNECTION, preferred_transports(False)[0], 60))
        framed = FramedConnection(connect_offer(offer, address))
        self.connection = CallingConnection(framed, offer.max_request_size, print)
        self.connection.listen()

    def begin(self, method, request, then, timeout=None, is_held=False):
        def ended(kind, data):
            assert kind == REPLY, bytes(data)
            then(data, None)

        return self.connection.begin(method, request, ended, is_held)

def graph(op, source):
    made = tf.GraphDef()
    variable = made.node.add(name="v", op="VariableV2", device=DEVICE)
    variable.attr["dtype"].type = proto.DT_FLOAT
    variable.attr["shape"].shape.dim.add(size=10)
    source.name, source.device = "x", DEVICE
    made.node.add().CopyFrom(source)
    change = made.node.add(name="change", op=op, input=["v", "x"], device=DEVICE)
    change.attr["T"].type = proto.DT_FLOAT
    return made

zeros = proto.NodeDef(op="Const")
zeros.attr["dtype"].type = proto.DT_FLOAT
zeros.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(np.zeros(10, "f")))
fed = proto.NodeDef(op="_Recv")
fed.attr["tensor_type"].type = proto.DT_FLOAT
for name, text in (("send_device", DEVICE), ("recv_device", DEVICE), ("tensor_name", "x:0")):
    fed.attr[name].s = text.encode()
fed.attr["send_device_incarnation"].i = 1
fed.attr["client_terminated"].b = True

channel = Channel(address)
whole = RemoteWorker("/job:ps/replica:0/task:0", channel)
channel.call("/tensorflow.WorkerService/GetStatus", b"", 60, waits=True)
start, step = (whole.register("", each, False, None) for each in (graph("Assign", zeros), graph("AssignAdd", fed)))
workers = [RemoteWorker(whole.name, DirectConnection()) for _ in range(count)]
numbers, done, over, ended = iter(range(1, 1 << 60)), [0], [], threading.Semaphore(0)
workers[0].run("", start, next(numbers), {}, [], False, lambda values, stats, error: ended.release())
ended.acquire()
one = np.ones(10, np.float32)

def go_on(worker):
    def then(values, stats, error):
        assert error is None, error
        done[0] += 1
        if over:
            ended.release()
        else:
            go_on(worker)

    worker.run("", step, next(numbers), {KEY: (one, float32)}, [], False, then)

for worker in workers:
    go_on(worker)
time.sleep(1)
print("ready", flush=True)
before = done[0]
time.sleep(seconds)
print(done[0] - before, flush=True)
sys.stdin.readline()
over.append(True)
for _ in workers:
    ended.acquire()
print("ended", flush=True)
"""


SECONDS = 5.0
SHORT = 1.0  # of which a side has many, in turns with the other
WORKERS = (1, 2, 4, 8, 16)
SIMULATED_WORKERS = (1, 16, 64, 256, 1000)
NOT_OF_ONE_HOST = {"TFMINI_SHARED_MEMORY": "0"}
SIDES: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("TensorFlow", "tensorflow", {}),
    ("shared memory", "tfmini", {}),
    ("TCP", "tfmini", NOT_OF_ONE_HOST),
    ("gRPC", "tfmini", {**NOT_OF_ONE_HOST, "TFMINI_LINES": "0"}),
)


class Tasks:
    """The processes of a cluster of one parameter server and some workers; all are terminated at the end of the block.

    Args:
      tree: the source tree whose tfmini they run.
    """

    def __init__(
        self, side: str, variables: dict[str, str], workers: int, scenario: str, tree: Path = ROOT
    ):
        python = os.environ["TFMINI_REFERENCE"] if side == "tensorflow" else sys.executable
        self.cluster = free_addresses({"ps": 1, "worker": workers} if workers else {"ps": 1})
        command = [python, "-W", "ignore", "-c", PROGRAM, side, json.dumps(self.cluster)]
        environment = {**os.environ, **variables}
        if side == "tfmini":
            environment["PYTHONPATH"] = str(tree)
        names = ["ps:0", *(f"worker:{index}" for index in range(workers))]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.errors = [TemporaryFile("w+") for _ in names]
        self.all = [
            subprocess.Popen(
                [*command, name, scenario],
                cwd=tree,
                env=environment,
                text=True,
                stderr=said,
                **pipes,
            )
            for name, said in zip(names, self.errors)
        ]
        self.workers = self.all[1:]

    def __enter__(self) -> "Tasks":
        return self

    def __exit__(self, *failure: object) -> None:
        for each in self.all:
            each.kill()
        for each, said in zip(self.all, self.errors):
            each.wait()
            said.close()

    def wait(self) -> None:
        """Waits until all workers have run their first steps."""
        for each in self.workers:
            if each.stdout.readline() != "ready\n":
                said = self.errors[self.all.index(each)]
                said.seek(0)
                raise RuntimeError(f"a worker ended with {each.wait()}: {said.read()[-2000:]}")

    def work(self, seconds: float) -> tuple[int, float, float]:
        """Runs steps on all workers; returns their number, and CPU milliseconds per step of the server and of all
        processes.
        """
        before = self.processor_seconds()
        for each in self.workers:
            each.stdin.write(f"{seconds}\n")
            each.stdin.flush()
        steps = sum(int(each.stdout.readline()) for each in self.workers)
        used = zip(before, self.processor_seconds())
        server_time, of_all = (round((after - start) / steps * 1e3, 3) for start, after in used)
        return steps, server_time, of_all

    def processor_seconds(self) -> tuple[float, float]:
        """CPU time of the server, and of all processes."""
        used = [processor_seconds(each.pid) for each in self.all]
        return used[0], sum(used)


def processor_seconds(process: int) -> float:
    """CPU time of a process, by its clock (Linux's clock_getcpuclockid)."""
    return time.clock_gettime(~process << 3 | 2)


def one(side: str, variables: dict[str, str]) -> dict[str, float]:
    """The figures of one cluster of two processes."""
    with Tasks(side, variables, 1, "alone") as tasks:
        return json.loads(tasks.workers[0].stdout.readlines()[-1])


def together(side: str, variables: dict[str, str], workers: int) -> tuple[float, float, float]:
    """Steps per second of all workers; CPU milliseconds per step, of the server and of all processes."""
    with Tasks(side, variables, workers, "together") as tasks:
        tasks.wait()
        steps, server_time, of_all = tasks.work(SECONDS)
    return round(steps / SECONDS, 1), server_time, of_all


def simulate_workers(workers: int, variables: dict[str, str]) -> dict[str, float]:
    """Resources of a server with this many simulated workers."""
    with Tasks("tfmini", variables, 0, "together") as tasks:
        (server,) = tasks.all
        server.stdout.readline()
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        command = [
            sys.executable,
            "-c",
            SIMULATED,
            tasks.cluster["ps"][0],
            str(workers),
            str(SECONDS),
        ]
        environment = {**os.environ, **variables, "PYTHONPATH": str(ROOT)}
        resources: dict[str, float] = {"workers": workers}
        with subprocess.Popen(command, env=environment, text=True, **pipes) as clients:
            clients.stdout.readline()
            used = processor_seconds(server.pid)
            steps = int(clients.stdout.readline())
            resources["steps a second"] = round(steps / SECONDS)
            resources["ms a step"] = round((processor_seconds(server.pid) - used) / steps * 1e3, 3)
            process = Path(f"/proc/{server.pid}")
            resources["threads"] = len(list((process / "task").iterdir()))
            resources["descriptors"] = len(list((process / "fd").iterdir()))
            resources["MB"] = round(
                int((process / "statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6
            )
            clients.stdin.write("end\n")
            clients.stdin.flush()
            clients.stdout.readline()
            clients.kill()
    return resources


def beside(tree: Path, rounds: int, worker_counts: Sequence[int]) -> None:
    """Prints the server time of a step in another tree and in this one, alternating every second."""
    for workers in worker_counts:
        for name, side, variables in SIDES[1:3]:
            times: list[list[float]] = [[], []]
            with (
                Tasks(side, variables, workers, "together", tree) as before,
                Tasks(side, variables, workers, "together") as after,
            ):
                sides = list(zip((before, after), times))
                for tasks in (before, after):
                    tasks.wait()
                for _ in range(rounds):
                    for tasks, used in sides:
                        used.append(tasks.work(SHORT)[1])
                    sides.reverse()
            least, middle = ([figure(each) for each in times] for figure in (min, median))
            print(
                f"{workers:2} workers  {name:14} min {least[0]:.3f} ms, {least[1]:.3f} ms: {least[1] / least[0]:.2f}"
                f"  median {middle[0]:.3f} ms, {middle[1]:.3f} ms: {middle[1] / middle[0]:.2f}",
                flush=True,
            )


def main() -> None:
    arguments = sys.argv[1:]
    if arguments[:1] == ["--simulated"]:
        resource.setrlimit(
            resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2
        )
        for name, variables in (("Unix sockets", {}), ("TCP", NOT_OF_ONE_HOST)):
            for workers in SIMULATED_WORKERS:
                print(f"{name:14}", simulate_workers(workers, variables), flush=True)
        return
    if arguments[:1] == ["--beside"]:
        tree, rounds, *worker_counts = (*arguments[1:], "20")[: max(len(arguments) - 1, 2)]
        beside(Path(tree).resolve(), int(rounds), [int(each) for each in worker_counts] or WORKERS)
        return
    are_together = arguments[:1] == ["--workers"]
    rounds = arguments[are_together:]
    for _ in range(int(rounds[0]) if rounds else 2):
        for workers in WORKERS if are_together else (1,):
            for name, side, variables in SIDES:
                if are_together:
                    speed, server_time, used = together(side, variables, workers)
                    print(
                        f"{workers:2} workers  {name:14} {speed:7} steps/s {server_time:7} ms server {used:7} ms all",
                        flush=True,
                    )
                else:
                    print(f"{name:14}", one(side, variables), flush=True)


if __name__ == "__main__":
    main()
