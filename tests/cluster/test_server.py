"""A server's sessions, from this process with and without the wire, as in TensorFlow 1.15.5."""

import threading

import numpy as np
import pytest

import tfmini as tf
from tests.support.waiting import until
from tfmini._src.cluster import worker_partial_run


@pytest.fixture(scope="module")
def server():
    result = tf.train.Server.create_local_server()
    yield result
    result._stop()


@pytest.fixture(params=["local", "wire"])
def target(server, request):
    tf.Session.reset(server.target)
    return (
        server.target
        if request.param == "local"
        else server.target.replace("localhost", "127.0.0.1")
    )


def test_remote_step(target):
    x = tf.placeholder(tf.float32, [None, 3])
    text = tf.string_join([["a", "b"], ["c", "d"]])
    with tf.Session(target) as session:
        result = session.run({"y": x * 2 + 1, "text": text, "x": x}, {x: [[1, 2, 3]]})
        assert result["y"].tolist() == [[3, 5, 7]] and result["x"].tolist() == [[1, 2, 3]]
        assert result["text"].tolist() == [b"ac", b"bd"]
        result["y"][0, 0] = 9  # owned by the caller
        names = [device.name for device in session.list_devices()]
        assert names == ["/job:local/replica:0/task:0/device:CPU:0"]
        large = session.run(tf.ones([300, 300]) * tf.constant(2.0))
        assert large.sum() == 180000 and large.flags.writeable
        later = tf.constant([1, 2]) + 1  # the graph has grown
        assert session.make_callable(later)().tolist() == [2, 3]


def test_all_dtypes_round_trip(target):
    values = {
        name: np.arange(3000).astype(tf.as_dtype(name).as_numpy_dtype)
        for name in (
            "float16",
            "float64",
            "int8",
            "uint16",
            "int64",
            "bool",
            "complex64",
            "bfloat16",
        )
    }
    feeds = {name: tf.placeholder(name, [3000]) for name in values}
    with tf.Session(target) as session:
        result = session.run(
            {name: tf.identity(tensor) for name, tensor in feeds.items()},
            {feeds[name]: value for name, value in values.items()},
        )
    for name, value in values.items():
        assert result[name].dtype == value.dtype and np.array_equal(result[name], value), name


def test_sessions_share_variables(target):
    shared = tf.Variable(1.0, name="shared")
    add = shared.assign_add(1.0)
    with tf.Session(target) as one, tf.Session(target) as other:
        one.run(shared.initializer)
        assert other.run(add) == 2.0
        assert one.run(shared) == 2.0
    isolated = tf.ConfigProto(isolate_session_state=True)
    with tf.Session(target, config=isolated) as alone:
        with pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized value shared"):
            alone.run(shared)


def test_unnamed_queues_and_tables_are_per_session(target):
    """Otherwise a closed queue would stay closed for the session that replaces a failed one."""

    def sizes(index, shared_name=None):
        with tf.Graph().as_default():
            queue = tf.FIFOQueue(9, tf.int32, [], shared_name=shared_name)
            sums = tf.ConditionalAccumulator(tf.float32, [], shared_name=shared_name)
            barrier = tf.raw_ops.Barrier(
                component_types=[tf.int32], shapes=[[]], shared_name=shared_name or ""
            )
            keys = {"keys": [str(index)], "values": [0], "component_index": 0}
            puts = [queue.enqueue(0), sums.apply_grad(0.0, 9)]
            puts.append(tf.raw_ops.BarrierInsertMany(handle=barrier, **keys))
            counts = [queue.size(), sums.num_accumulated()]
            counts.append(tf.raw_ops.BarrierReadySize(handle=barrier))
            with tf.Session(target) as one, tf.Session(target) as beside:
                one.run(puts)
                return one.run(counts) + beside.run(counts)

    assert sizes(0) == sizes(1) == [1, 1, 1, 0, 0, 0]
    assert [sizes(index, "shared") for index in range(2)] == [[1] * 6, [2] * 6]


def test_reset_clears_containers(target):
    with tf.container("kept"):
        kept = tf.Variable(1.0, name="kept")
    with tf.container("left"):
        left = tf.Variable(1.0, name="left")
    session = tf.Session(target)
    session.run(tf.global_variables_initializer())
    tf.Session.reset(target, ["left"])
    with pytest.raises(tf.errors.AbortedError, match="^Session [0-9a-f]+ is not found.$"):
        session.run(kept)
    with pytest.raises(tf.errors.AbortedError, match="Possibly, this master has restarted"):
        session.close()
    session.close()
    with tf.Session(target) as again:
        assert again.run(kept) == 1.0
        with pytest.raises(
            tf.errors.FailedPreconditionError, match="Attempting to use uninitialized value left"
        ):
            again.run(left)


def test_errors_carry_class_text_and_line(target):
    bad = tf.check_numerics(tf.constant(1.0) / 0.0, "bad", name="checked")
    with tf.Session(target) as session:
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            session.run(bad)
    assert caught.value.op is bad.op
    start = "From /job:local/replica:0/task:0:\nbad : Tensor had Inf values\n\t [[node checked (defined at "
    assert caught.value.message.startswith(start) and "test_server.py" in caught.value.message


def test_closed_session_is_rejected(target):
    one = tf.constant(1)
    session = tf.Session(target)
    session.run(one)
    session.close()
    session.close()
    with pytest.raises(RuntimeError, match="closed Session"):
        session.run(one)


def test_timeouts(target):
    text = "^Operation timed out.$" if "localhost" in target else "^Deadline Exceeded$"
    queue = tf.FIFOQueue(1, [tf.float32])
    wait = queue.dequeue()
    with tf.Session(target) as session:
        with pytest.raises(tf.errors.DeadlineExceededError, match=text):
            session.run(wait, options=tf.RunOptions(timeout_in_ms=100))
        session.run(queue.enqueue(2.0))
        assert session.run(wait) == 2.0
    config = tf.ConfigProto(operation_timeout_in_ms=100)
    with tf.Session(target, config=config) as session:
        with pytest.raises(tf.errors.DeadlineExceededError, match=text):
            session.run(wait)


def test_closing_session_cancels_blocked_step(server, target):
    def is_waiting():
        running = [step for each in list(server._worker._steps.values()) for step in list(each)]
        return any(step._waiting for step in running)

    wait = tf.FIFOQueue(1, [tf.float32]).dequeue()
    session = tf.Session(target)
    caught = []

    def run():
        try:
            session.run(wait)
        except Exception as error:
            caught.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    until(is_waiting)
    session.close()
    thread.join(60)
    assert isinstance(caught[0], tf.errors.CancelledError | tf.errors.AbortedError)


def test_run_metadata(target):
    x = tf.placeholder(tf.float32, [1])
    y = tf.add(x, x, name="sum")
    metadata = tf.RunMetadata()
    options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE, output_partition_graphs=True)
    with tf.Session(target) as session:
        session.run(y, {x: [1]}, options=options, run_metadata=metadata)
    (device,) = metadata.step_stats.dev_stats
    assert device.device == "/job:local/replica:0/task:0/device:CPU:0"
    assert "sum" in [stats.node_name for stats in device.node_stats]
    assert len(metadata.partition_graphs) == 1


def test_interactive_session(target):
    session = tf.InteractiveSession(target)
    assert tf.constant(3.0).eval() == 3.0
    session.close()


WRONG = [
    (lambda s: s({"a": ["x:1"], "b": ["y:1"]}), ValueError, "explicit `job_name`"),
    (lambda s: s({"a": ["x:1", "y:1"]}), ValueError, "explicit `task_index`"),
    (lambda s: s({"a": ["x:1"]}, "a", 3), tf.errors.InvalidArgumentError, "Task 3 was not defined"),
    (lambda s: s({"a": ["x:1"]}, "a", -1), tf.errors.InvalidArgumentError, "Task -1 was not def"),
    (
        lambda s: s({"a": ["nothing"]}),
        tf.errors.InvalidArgumentError,
        r'^Could not parse port for local server from "nothing"\.$',
    ),
    (lambda s: s({"a": ["x:99999"]}), tf.errors.InvalidArgumentError, "Could not parse port"),
    (lambda s: s(3), TypeError, "Could not convert"),
    (
        lambda s: s({"a": ["x:1"]}, protocol="ftp"),
        tf.errors.NotFoundError,
        "No server factory registered",
    ),
    (lambda s: s({"a": ["192.0.2.1:1"]}), tf.errors.UnknownError, "Could not start gRPC server"),
]


@pytest.mark.parametrize("make, kind, text", WRONG)
def test_invalid_servers(make, kind, text):
    with pytest.raises(kind, match=text):
        make(tf.train.Server)


def test_server_without_host():
    """It uses any free port, as in TensorFlow."""
    server = tf.train.Server({"a": [":0"]})
    with tf.Session(server.target) as session:
        assert session.run(tf.constant(3)) == 3
    server._stop()


def test_proxies_are_ignored(monkeypatch):
    for name in ("http_proxy", "https_proxy", "grpc_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    server = tf.train.Server.create_local_server()
    with tf.Session(server.target.replace("localhost", "127.0.0.1")) as session:
        assert session.run(tf.constant(3)) == 3
    server._stop()


def test_server_def():
    cluster = tf.train.ClusterSpec({"a": ["localhost:0"]})
    config = tf.ConfigProto(device_count={"CPU": 2}, isolate_session_state=True)
    definition = tf.train.ServerDef(
        cluster=cluster.as_cluster_def(), job_name="a", task_index=0, protocol="grpc"
    )
    server = tf.train.Server(definition, config=config, start=False)
    assert server.server_def.default_session_config.device_count["CPU"] == 2
    assert server.target.startswith("grpc://localhost:")
    server.start()
    server.start()
    with tf.Session(server.target) as session:
        assert len(session.list_devices()) == 2
        with tf.device("/cpu:1"):
            one = tf.Variable(1.0)
        session.run(one.initializer)
        with tf.Session(server.target) as other:
            results = [each.run(tf.is_variable_initialized(one)) for each in (session, other)]
        assert results == [True, False]
    server._stop()


def test_partial_runs(target):
    x, y, z = (tf.placeholder(tf.float32, [], name=name) for name in "xyz")
    first, second = x + y, (x + y) * z
    with tf.Session(target) as session:
        handle = session.partial_run_setup([first, second], [x, y, z])
        assert session.partial_run(handle, first, {x: 1.0, y: 2.0}) == 3.0
        with pytest.raises(tf.errors.InvalidArgumentError, match="has already been fed"):
            session.partial_run(handle, second, {x: 1.0, z: 3.0})
        assert session.run(first, {x: 5.0, y: 1.0}) == 6.0  # next to it
        handle = session.partial_run_setup([first, second], [x, y, z])
        other = session.partial_run_setup([first], [x, y])
        session.partial_run(handle, [], {x: 1.0, z: 4.0})
        assert session.partial_run(other, first, {x: 2.0, y: 2.0}) == 4.0
        assert session.partial_run(handle, second, {y: 1.0}) == 8.0
        assert session.partial_run(handle, first) == 2.0


def test_last_part_waits_for_step_end(target):
    x = tf.placeholder(tf.float32, [])
    doubled = x * 2
    check = tf.debugging.Assert(tf.reduce_sum(tf.exp(tf.fill([100_000], doubled))) < 2e5, ["large"])
    with tf.Session(target) as session:
        handle = session.partial_run_setup([doubled, check], [x])
        assert session.partial_run(handle, doubled, {x: 0.0}) == 0.0
        handle = session.partial_run_setup([doubled, check], [x])
        with pytest.raises(tf.errors.InvalidArgumentError, match="large"):
            session.partial_run(handle, doubled, {x: 1.0})
        assert session.run(doubled, {x: 1.0}) == 2.0


def test_partial_run_of_vanished_client_is_dropped(target, monkeypatch):
    monkeypatch.setattr(worker_partial_run, "IDLE_SECONDS", 0.2)

    def threads():
        return {t for t in threading.enumerate() if t.name == "tfmini partial run"}

    before = threads()  # of earlier tests, which may be about to end
    x, y = (tf.placeholder(tf.float32, [], name=name) for name in "xy")
    with tf.Session(target) as session:
        with monkeypatch.context() as patch:
            now = worker_partial_run.monotonic()
            patch.setattr(worker_partial_run, "monotonic", lambda: now)  # until it has been seen
            handle = session.partial_run_setup([x + 1.0, x * y], [x, y])
            session.partial_run(handle, [], {x: 1.0})
            assert threads() - before
        until(lambda: threads() <= before)
        with pytest.raises(tf.errors.CancelledError, match="has ended"):
            session.partial_run(handle, [], {y: 1.0})


def test_session_handles(target):
    x = tf.placeholder(tf.float32, [2])
    kept = tf.get_session_handle(x * 2.0)
    with tf.Session(target) as session:
        handle = session.run(kept, {x: [1.0, 2.0]})
        holder, value = tf.get_session_tensor(handle.handle, tf.float32)
        assert session.run(value + 1.0, {holder: handle.handle}).tolist() == [3.0, 5.0]
        assert handle.eval().tolist() == [2.0, 4.0]
        assert session.run(x + 1.0, {x: handle}).tolist() == [3.0, 5.0]
        with tf.Session(target) as other:
            with pytest.raises(tf.errors.InvalidArgumentError, match="not in the session store"):
                other.run(value, {holder: handle.handle})
        handle.delete()
        with pytest.raises(tf.errors.InvalidArgumentError, match="not in the session store"):
            session.run(value, {holder: handle._handle})
        texts = [session.run(kept, {x: [1.0, 2.0]}).handle for _ in range(12)]
        with pytest.raises(tf.errors.InvalidArgumentError, match="not in the session store"):
            session.run(value, {holder: texts[0]})  # no remaining references


def test_session_cluster_def(server):
    other = tf.train.Server.create_local_server()
    try:
        targets = [each.target.removeprefix("grpc://") for each in (server, other)]
        config = tf.ConfigProto()
        config.cluster_def.CopyFrom(tf.train.ClusterSpec({"part": targets}).as_cluster_def())
        with tf.device("/job:part/task:1"):
            x = tf.placeholder(tf.float32, [])
            there = tf.Variable(1.0)
            add = there.assign_add(x)
        with tf.device("/job:part/task:0"):
            here = add * 2.0
        with tf.Session(server.target, config=config) as session:
            names = {device.name for device in session.list_devices()}
            assert names == {f"/job:part/replica:0/task:{n}/device:CPU:0" for n in (0, 1)}
            session.run(there.initializer)
            assert session.run(here, {x: 3.0}) == 8.0
            handle = session.partial_run_setup([add, here], [x])
            assert session.partial_run(handle, here, {x: 1.0}) == 10.0
            with tf.Session(server.target, config=config) as alone:  # has its own variables
                with pytest.raises(
                    tf.errors.FailedPreconditionError,
                    match=r"task:1:\nAttempting to use uninitialized value Variable",
                ):
                    alone.run(there)
        config.cluster_def.job[0].tasks[0] = "localhost:1"
        with pytest.raises(tf.errors.InvalidArgumentError, match="has no tasks at"):
            tf.Session(server.target, config=config).run(here, {x: 1.0})
    finally:
        other._stop()
