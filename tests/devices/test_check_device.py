"""A third device type defined in one file: placement, copies, memory and loss, without CuPy."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.check_device import CheckArray, check_devices
from tests.support.gpu.gpus import fake_gpus

TASK = "/job:localhost/replica:0/task:0"


@pytest.fixture
def devices():
    with check_devices(2) as result, tf.Graph().as_default():
        yield result


def device_of(session, tensor):
    return session._placement.op_device(tensor.op).removeprefix(f"{TASK}/device:")


def test_host_arrays_are_rejected(devices):
    with devices[0].working_on(devices):
        array = devices[0].upload(np.ones(3))
        assert (array + 1.0).shape == (3,)
        with pytest.raises(AssertionError, match="an array of the host on a CHECK device"):
            array + np.ones(3)
        with pytest.raises(TypeError, match="is read as one of the host"):
            np.asarray(array)
        devices[1].use()
        with pytest.raises(AssertionError, match="CHECK:0's array on CHECK:1"):
            array + 1.0


def test_supported_nodes_are_placed_on_device(devices):
    x = tf.placeholder(tf.float32, [4])
    y, text = tf.exp(x), tf.strings.join(["a", "b"])
    with tf.device("/device:CHECK:1"):
        z = y + 1.0
    with tf.device("/cpu:0"):
        w = z * 2.0
    with tf.Session() as session:
        got = session.run([w, text], {x: np.zeros(4)})
        assert [device_of(session, t) for t in (y, text, z, w)] == [
            *("CHECK:0", "CPU:0", "CHECK:1", "CPU:0")
        ]
        names = [device.name for device in session.list_devices()]
    assert got[0].tolist() == [4.0] * 4 and got[1] == b"ab"
    assert names == [f"{TASK}/device:{name}" for name in ("CPU:0", "CHECK:0", "CHECK:1")]


def test_soft_placement(devices):
    with tf.device("/device:CHECK:7"):
        far = tf.constant(1.0) + 1.0
    with tf.device("/device:CHECK:0"):
        lost = tf.strings.join(["a", "b"])
    with tf.Session() as session:
        message = f"available devices are [ {TASK}/device:CHECK:0, {TASK}/device:CHECK:1, "
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            session.run(far)
        assert message in caught.value.message
    with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
        assert session.run(far) == 2.0 and session.run(lost) == b"ab"
        assert device_of(session, far) == "CHECK:0" and device_of(session, lost) == "CPU:0"


def test_unsupported_op_is_rejected(devices):
    with tf.device("/device:CHECK:0"):
        lost = tf.strings.join(["a", "b"])
    with tf.Session() as session:
        expected = "no supported kernel for CHECK devices is available"
        with pytest.raises(tf.errors.InvalidArgumentError, match=expected):
            session.run(lost)


def test_device_count_disables_devices(devices):
    y = tf.constant(2.0) + 1.0
    with tf.Session(config=tf.ConfigProto(device_count={"CHECK": 0})) as session:
        assert session.run(y) == 3.0 and device_of(session, y) == "CPU:0"
    assert not devices[0].copies


def test_value_is_copied_once_per_memory(devices):
    x = tf.placeholder(tf.float32, [8])
    y = tf.exp(x)
    with tf.device("/device:CHECK:1"):
        both = y * 2.0 + y
    with tf.device("/cpu:0"):
        total = both + tf.cast(tf.size(y), tf.float32)
    with tf.Session() as session:
        session.run(total, {x: np.ones(8)})
        for device in devices:
            device.copies.clear()
        got = session.run(total, {x: np.zeros(8)})
    assert got.tolist() == [11.0] * 8
    assert devices[0].copies == [("to the device", 32)]
    assert devices[1].copies == [("between devices", 32), ("to the host", 32)]


def test_device_feed_is_not_copied(devices):
    x = tf.placeholder(tf.float32, [3])
    with tf.Session() as session:
        y = x * 2.0
        fed = CheckArray(np.ones(3, np.float32), devices[0])
        session.run(y, {x: fed})
        devices[0].copies.clear()
        assert session.run(y, {x: fed}).tolist() == [2, 2, 2]
        assert devices[0].copies == [("to the host", 12)]
    with tf.Session(config=tf.ConfigProto(device_count={"CHECK": 0})) as session:
        message = "is on CHECK:0, which is not a device of this session"
        with pytest.raises(tf.errors.InvalidArgumentError, match=message):
            session.run(y, {x: fed})


def trained():
    tf.set_random_seed(3)
    x, labels = tf.placeholder(tf.float32, [6, 4]), tf.placeholder(tf.float32, [6, 1])
    hidden = tf.layers.dense(x, 5, tf.tanh)
    loss = tf.losses.mean_squared_error(labels, tf.layers.dense(hidden, 1))
    step = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
    _, powers = tf.while_loop(lambda i, _: i < 3, lambda i, p: (i + 1, p * loss), [0, 1.0])
    chosen = tf.cond(loss > 0.5, lambda: loss * 2.0, lambda: -loss)
    numbers = np.random.RandomState(0)
    feed = {x: numbers.rand(6, 4), labels: numbers.rand(6, 1)}
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return [session.run([loss, powers, chosen, step], feed)[:3] for _ in range(5)]


def test_training_with_control_flow_matches_cpu(devices):
    got = trained()
    assert ("to the device", 96) in devices[0].copies
    with check_devices(0), tf.Graph().as_default():
        want = trained()
    np.testing.assert_allclose(got, want, rtol=1e-5)


def test_memory_limit():
    x = tf.placeholder(tf.float32, [None])
    with check_devices(limit_bytes=4000) as (device,), tf.Session() as session:
        y = tf.exp(x) + x
        assert session.run(y, {x: np.zeros(10)}).tolist() == [1.0] * 10
        used = device.used_bytes
        with pytest.raises(tf.errors.ResourceExhaustedError) as caught:
            session.run(y, {x: np.zeros(900)})
        message = caught.value.message
        assert message.startswith("OOM when allocating tensor with shape[900] and type float on ")
        assert "/device:CHECK:0 by allocator CHECK_0_bfc" in message
        del caught
        assert session.run(y, {x: np.zeros(10)}).tolist() == [1.0] * 10
        assert device.used_bytes == used <= 4


def test_oom_report_lists_allocations():
    x = tf.placeholder(tf.float32, [None])
    options = tf.RunOptions(report_tensor_allocations_upon_oom=True)
    with check_devices(limit_bytes=4000), tf.Session() as session:
        y = tf.concat([tf.exp(x, name="e"), tf.sin(x)], 0)
        with pytest.raises(tf.errors.ResourceExhaustedError) as caught:
            session.run(y, {x: np.zeros(300)}, options=options)
    assert "/device:CHECK:0, allocator: CHECK_0_bfc\n  1.17KiB from e" in caught.value.message


def test_lost_device_closes_only_its_sessions(devices):
    x = tf.placeholder(tf.float32, [2])
    with tf.device("/device:CHECK:1"):
        y = tf.exp(x)
    session = tf.Session()
    session.run(y, {x: np.zeros(2)})
    devices[1].is_gone = True
    with pytest.raises(tf.errors.UnavailableError) as caught:
        session.run(y, {x: np.zeros(2)})
    assert "/device:CHECK:1 is lost: it was unplugged." in caught.value.message
    with pytest.raises(RuntimeError, match="Attempted to use a closed Session"):
        session.run(y, {x: np.zeros(2)})
    with tf.Session() as other:
        with pytest.raises(tf.errors.UnavailableError, match="CHECK:1 is lost: it was unplugged"):
            other.run(y, {x: np.zeros(2)})
    with tf.Session() as other:
        assert other.run(x + 1.0, {x: np.zeros(2)}).tolist() == [1, 1]


def test_two_device_kinds_copy_through_host():
    x = tf.placeholder(tf.float32, [4, 4])
    with tf.device("/gpu:0"):
        product = tf.matmul(x, x)
    with tf.device("/device:CHECK:0"):
        raised = tf.exp(product)
    with tf.device("/gpu:0"):
        result = tf.reduce_sum(raised) * 2.0
    with fake_gpus(devices=1), check_devices() as (device,), tf.Session() as session:
        for _ in range(4):
            got = session.run(result, {x: np.zeros([4, 4])})
            assert got == 32.0
            assert device.copies[-2:] == [("to the device", 64), ("to the host", 64)]


def test_server_lists_devices(devices):
    server = tf.train.Server.create_local_server()
    x = tf.placeholder(tf.float32, [2])
    with tf.device("/job:local/task:0/device:CHECK:1"):
        y = tf.exp(x)
    with tf.Session(server.target) as session:
        names = [device.name for device in session.list_devices()]
        assert session.run(y, {x: np.zeros(2)}).tolist() == [1, 1]
    assert names[-1] == "/job:local/replica:0/task:0/device:CHECK:1"
    assert devices[1].copies == [("to the device", 8), ("to the host", 8)]
