"""Arrays that stay on a GPU when fed and fetched, on two emulated GPUs."""

import sys

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.base import proto


@pytest.fixture
def cupy(gpus):
    return sys.modules["cupy"]


@pytest.fixture
def doubled():
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [None], name="x")
        with tf.device("/gpu:0"):
            y = tf.multiply(x, 2.0, name="y")
        with tf.Session() as session:
            yield session, x, y


def test_fed_array_is_not_copied_to_host(gpus, cupy, doubled):
    session, x, y = doubled
    array = cupy.arange(4, dtype=np.float32)
    array += 1  # on the program's own stream: the step waits for it
    session.run(y, {x: array})
    gpus.counters.reset()
    assert session.run(y, {x: array}).tolist() == [2, 4, 6, 8]
    assert dict(gpus.counters.copies) == {"d2h": 1}
    assert session.run(y, {x: np.ones(2)}).tolist() == [2, 2]
    assert session.run(y, {x: array[::2]}).tolist() == [2, 6]


def test_fed_array_of_other_gpu_is_copied_peer_to_peer(gpus, cupy, doubled):
    session, x, y = doubled
    with cupy.cuda.Device(1):
        array = cupy.full(3, 5, np.float32)
    session.run(y, {x: array})
    gpus.counters.reset()
    assert session.run(y, {x: array}).tolist() == [10, 10, 10]
    assert gpus.counters.copies["h2d"] == 0


def test_timed_step_is_ordered_after_caller_stream(gpus, cupy):
    x = tf.placeholder(tf.float32, [1000])
    with tf.device("/gpu:0"):
        v = tf.Variable(tf.zeros([1000]))
        added = v.assign_add(x)
    with tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=60_000)) as session:
        session.run(v.initializer)
        with cupy.cuda.Stream(non_blocking=True):
            array = cupy.ones(1000, np.float32)
            session.run(added.op, {x: array})
            array.fill(7)
        assert (session.run(v) == 1).all()


def test_tensor_fed_and_fetched(gpus, cupy, doubled):
    session, x, y = doubled
    got, back = session.run([y, x], {x: cupy.ones(2, np.float32)})
    assert got.tolist() == [2, 2]
    assert isinstance(back, np.ndarray) and back.tolist() == [1, 1]


def test_foreign_arrays_are_accepted(gpus, cupy, doubled):
    session, x, y = doubled
    kept = cupy.ones(3, np.float32)

    class Foreign:
        __cuda_array_interface__ = kept.__cuda_array_interface__

    class Exchanged:
        __dlpack__ = kept.__dlpack__
        __dlpack_device__ = kept.__dlpack_device__

    class Both(Exchanged):
        @property
        def __cuda_array_interface__(self):
            raise AssertionError("it has no order with the producer's stream")

    for value in (Foreign(), Exchanged(), Both()):
        assert session.run(y, {x: value}).tolist() == [2, 2, 2]


def test_foreign_arrays_on_other_gpu(gpus, cupy, doubled):
    session, x, y = doubled
    with cupy.cuda.Device(1):
        kept = cupy.ones(3, np.float32)

    class Foreign:
        __cuda_array_interface__ = kept.__cuda_array_interface__

    assert session.run(y, {x: Foreign()}).tolist() == [2, 2, 2]
    assert cupy.get_default_memory_pool().used_bytes() == 0  # of the current device
    config = tf.ConfigProto(device_count={"GPU": 1})
    with (
        tf.Session(config=config, graph=session.graph) as on_one,
        pytest.raises(tf.errors.InvalidArgumentError, match="is on CUDA device 1, which is no"),
    ):
        on_one.run(y, {x: Foreign()})


def test_mismatched_arrays_are_rejected(gpus, cupy, doubled):
    session, x, y = doubled
    with pytest.raises(
        TypeError, match="float64 device array for Tensor 'x:0', which has dtype float32"
    ):
        session.run(y, {x: cupy.ones(2, np.float64)})
    with pytest.raises(ValueError, match=r"Cannot feed value of shape \(2, 1\) for Tensor 'x:0'"):
        session.run(y, {x: cupy.ones((2, 1), np.float32)})


def test_array_outside_session_devices_is_copied_or_rejected(gpus, cupy):
    x = tf.placeholder(tf.float32, [None], name="x")
    config = tf.ConfigProto(device_count={"GPU": 1})
    with cupy.cuda.Device(1):
        array = cupy.ones(2, np.float32)
    with tf.Session(config=config) as session:
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            session.run(tf.identity(x), {x: array})
    assert "is on CUDA device 1, which is not a device of this session" in caught.value.message
    with tf.Session(config=tf.ConfigProto(device_count={"GPU": 0})) as session:
        with pytest.raises(
            tf.errors.InvalidArgumentError, match="is on a GPU, which is not a device"
        ):
            session.run(tf.identity(x), {x: array})


def options(**fields):
    devices = {k: fields.pop(k, {}) for k in ("feed_devices", "fetch_devices")}
    message = proto.CallableOptions(**fields)
    for key, value in devices.items():
        getattr(message, key).update(value)
    return message


def test_callable_returns_device_arrays(gpus, cupy, doubled):
    session, x, y = doubled
    gpu = session.list_devices()[1].name
    step = session._make_callable_from_options(
        options(feed=["x:0"], fetch=["y:0"], feed_devices={"x:0": gpu}, fetch_devices={"y:0": gpu})
    )
    array = cupy.ones(3, np.float32)
    step(array)
    gpus.counters.reset()
    for _ in range(3):
        (array,) = step(array)
    assert not gpus.counters.copies
    assert isinstance(array, cupy.ndarray)
    assert (array + 0).get().tolist() == [
        8,
        8,
        8,
    ]  # on the program's stream, which waits for the step


def test_fetched_gpu_variable_is_a_copy(gpus, cupy):
    with tf.Graph().as_default():
        with tf.device("/gpu:0"):
            v = tf.Variable([1.0, 2.0], name="v")
            more = v.assign_add([1.0, 1.0])
        with tf.Session() as session:
            session.run(v.initializer)
            read = session._make_callable_from_options(
                options(fetch=["v/read:0"], fetch_devices={"v/read:0": "/gpu:0"})
            )
            (first,) = read()
            session.run(more.op)
            (second,) = read()
            assert first.get().tolist() == [1, 2]
            assert second.get().tolist() == [2, 3]


def test_host_callables(gpus, doubled):
    session, x, y = doubled
    step = session._make_callable_from_options(options(feed=["x:0"], fetch=["y:0"], target=["y"]))
    assert [a.tolist() for a in step([1, 2])] == [[2, 4]]


def test_invalid_callables(gpus, cupy, doubled):
    session, x, y = doubled
    make = session._make_callable_from_options
    invalid = tf.errors.InvalidArgumentError
    with pytest.raises(invalid, match="fetch_devices names z:0, which is not a fetch"):
        make(options(fetch=["y:0"], fetch_devices={"z:0": "/gpu:0"}))
    with pytest.raises(invalid, match="/gpu:7 is not a device of this session"):
        make(options(feed=["x:0"], fetch=["y:0"], feed_devices={"x:0": "/gpu:7"}))
    step = make(options(feed=["x:0"], fetch=["y:0"], feed_devices={"x:0": "/gpu:0"}))
    with pytest.raises(
        invalid, match=r"The feeds are on \[ the host \], but feed_devices specifies"
    ):
        step([1.0])
    with pytest.raises(invalid, match="Expected 1 feed tensors, but got 0"):
        step()


def test_callable_without_gpus():
    with (
        tf.Graph().as_default(),
        tf.Session(config=tf.ConfigProto(device_count={"GPU": 0})) as session,
    ):
        tf.multiply(tf.placeholder(tf.float32, [], name="x"), 3.0, name="y")
        step = session._make_callable_from_options(options(feed=["x:0"], fetch=["y:0"]))
        assert step(2.0) == [6.0]


@pytest.mark.parametrize("names", [["v:0", "w:0"], ["w:0", "v:0"]])
def test_variables_are_fetched_on_their_gpus(gpus, cupy, names):
    with tf.device("/gpu:0"):
        v = tf.Variable(tf.ones([4]), name="v")
    with tf.device("/gpu:1"):
        w = tf.Variable(tf.zeros([4]), name="w")
    devices = {"v:0": "/gpu:0", "w:0": "/gpu:1"}
    with tf.Session() as session:
        session.run([v.initializer, w.initializer])
        fetch = session._make_callable_from_options(options(fetch=names, fetch_devices=devices))
        values = dict(zip(names, fetch()))
        for i, (name, value) in enumerate((("v:0", [1] * 4), ("w:0", [0] * 4))):
            assert values[name].device.id == i
            with values[name].device:
                assert values[name].get().tolist() == value


def test_handle_feed_accepts_any_shape(gpus, cupy):
    """The handle's tensor resides on the GPU."""
    with tf.Graph().as_default(), tf.Session() as session:
        result = tf.get_session_handle(tf.Variable(3.0).initialized_value() * 2.0)
        x = tf.placeholder(tf.float32, [7])
        y = x * 3.0
        handle = session.run(result)
        assert handle.handle.endswith("GPU:0")
        assert session.run([x, y], {x: handle}) == [6, 18]
        assert session.partial_run(session.partial_run_setup(y, [x]), y, {x: handle}) == 18
        array = cupy.ones(7, np.float32)
        part = session.partial_run(session.partial_run_setup(y, [x]), y, {x: array})
        assert part.tolist() == [3] * 7


def test_handle_is_read_on_another_device(gpus):
    with tf.Graph().as_default(), tf.Session() as session:
        with tf.device("/gpu:0"):
            value = tf.fill([3], 2.0)
        on_gpu = session.run(tf.get_session_handle(value))
        with tf.device("/cpu:0"):
            on_cpu = session.run(tf.get_session_handle(tf.fill([3], 5.0)))
        text = tf.placeholder(tf.string, [])
        for device, handle, want in (("/cpu:0", on_gpu, 4.0), ("/gpu:0", on_cpu, 10.0)):
            with tf.device(device):
                kept = tf.raw_ops.GetSessionTensor(handle=text, dtype=tf.float32) * 2.0
            assert session.run(kept, {text: handle.handle}).tolist() == [want] * 3
