"""GPU memory of sessions, on the emulator with two devices of 256 MiB."""

import gc
import logging
import sys

import numpy as np
import pytest

import tfmini as tf
from tests.support.gpu.gpus import fake_gpus

MIB = 1 << 20


@pytest.fixture
def gpus(monkeypatch):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.delenv("TF_FORCE_GPU_ALLOW_GROWTH", raising=False)
    gc.collect()  # exceptions of another test refer to another machine
    # For limits smaller than cuBLAS's workspace; products are CuPy's.
    with fake_gpus(devices=2, memory=256 * MIB, cublas=lambda: None) as machine:
        yield machine


def config(**options):
    return tf.ConfigProto(gpu_options=tf.GPUOptions(**options))


def taken(machine):
    return [device.allocated / MIB for device in machine.devices]


def limits(session):
    return [d.memory_limit_bytes / MIB for d in session.list_devices() if d.device_type == "GPU"]


def filled():
    count = tf.placeholder(tf.int32, [])
    return count, tf.reduce_sum(tf.fill([count], 1.0, name="big"))


def test_fraction_is_preallocated(gpus, graph):
    with tf.Session(config=config(per_process_gpu_memory_fraction=0.25)) as session:
        assert taken(gpus) == limits(session) == [64, 64]


def test_fraction_rounds_to_block_size(gpus, graph):
    """A pool allocates multiples of 512 bytes and enforces its limit."""
    with tf.Session(config=config(per_process_gpu_memory_fraction=0.05)):
        assert [device.allocated for device in gpus.devices] == [13421568] * 2  # of 13421772


def test_allow_growth_allocates_on_demand(gpus, graph):
    options = config(per_process_gpu_memory_fraction=0.25, allow_growth=True)
    with tf.Session(config=options) as session:
        assert taken(gpus) == [0, 0]
        count, total = filled()
        session.run(total, {count: 4 * MIB})
        first, second = taken(gpus)
        assert (
            16 <= first <= (16 + 2) * 1.25 + 0.1
        )  # 2 for small allocations, and a quarter of everything
        assert second == 0


@pytest.mark.parametrize("grows", [False, True])
def test_session_survives_limit_overrun(gpus, graph, grows):
    count, total = filled()
    options = config(per_process_gpu_memory_fraction=0.25, allow_growth=grows)
    with tf.Session(config=options) as session:
        with pytest.raises(tf.errors.ResourceExhaustedError) as caught:
            session.run(total, {count: 17 * MIB})
        assert caught.value.message.startswith(
            f"OOM when allocating tensor with shape[{17 * MIB}] and type float on "
            "/job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc\n\t [[node big (defined at "
        )
        assert "report_tensor_allocations_upon_oom" in caught.value.message
        assert session.run(total, {count: 12}) == 12
        assert max(taken(gpus)) <= 64


def test_oom_report_lists_gpu_arrays(gpus, graph):
    count, total = filled()
    held = tf.Variable(tf.ones([MIB]), name="held")
    with tf.Session(config=config(per_process_gpu_memory_fraction=0.25)) as session:
        session.run(held.initializer)
        with tf.control_dependencies([held.read_value()]):
            doubled = tf.multiply(held, 2.0, name="doubled")
        with tf.control_dependencies([doubled]):
            big = tf.fill([count], 1.0, name="more")
        with pytest.raises(tf.errors.ResourceExhaustedError) as caught:
            session.run(
                [big, doubled],
                {count: 20 * MIB},
                tf.RunOptions(report_tensor_allocations_upon_oom=True),
            )
    text = caught.value.message
    assert "Current usage from device: /job:localhost/replica:0/task:0/device:GPU:0" in text
    assert "  4.00MiB from doubled\n" in text


def test_first_session_fixes_memory_options(gpus, graph, caplog):
    tf.Session(config=config(per_process_gpu_memory_fraction=0.25, allow_growth=True)).close()
    with caplog.at_level(logging.WARNING, "tensorflow"):
        with tf.Session(config=config(per_process_gpu_memory_fraction=0.5)) as session:
            assert limits(session) == [64, 64]
    assert "the first session of the process fixed its limit at 64 MiB" in caplog.text
    assert caplog.text.count("GPU:0") == 1


def test_repeated_options_do_not_warn(gpus, graph, caplog):
    """Although less memory is free after the first session's allocation."""
    with caplog.at_level(logging.WARNING, "tensorflow"):
        for _ in range(2):
            with tf.Session(config=config(allow_growth=True)) as session:
                session.run(tf.ones([1000, 1000]))
    assert caplog.text == ""


def test_reordered_visible_devices_are_rejected(gpus, graph):
    tf.Session(config=config(per_process_gpu_memory_fraction=0.25)).close()
    with pytest.raises(tf.errors.AlreadyExistsError) as caught:
        tf.Session(config=config(visible_device_list="1,0"))
    assert caught.value.message.startswith(
        "TensorFlow device (GPU:0) is being mapped to multiple CUDA devices (1 now, and 0 previously)"
    )


def test_virtual_devices_have_separate_limits(gpus, graph):
    options = config(visible_device_list="0")
    options.gpu_options.experimental.virtual_devices.add(memory_limit_mb=[8, 16])
    with tf.device("/gpu:0"):
        first = tf.fill([MIB], 1.0)
    with tf.device("/gpu:1"):
        second = tf.reduce_sum(first * 2.0)
        count, _ = filled()
    with tf.Session(config=options) as session:
        assert limits(session) == [8, 16]
        assert taken(gpus) == [24, 0]
        assert session.run(second) == 2 * MIB


def test_cupy_default_pool_is_untouched(gpus, graph):
    cupy = sys.modules["cupy"]
    with tf.Session(config=config(per_process_gpu_memory_fraction=0.25)) as session:
        session.run(tf.reduce_sum(tf.ones([1000]) * 2.0))
    assert cupy.get_default_memory_pool().total_bytes() == 0
    kept = cupy.zeros(10)  # its allocator, device and stream are restored
    assert cupy.get_default_memory_pool().used_bytes() == 512
    assert kept.device.id == cupy.cuda.Device().id == 0
    assert cupy.cuda.get_current_stream() == cupy.cuda.Stream.null


def test_oom_error_retains_no_arrays(gpus, graph):
    x = tf.placeholder(tf.float32, [None])
    count, total = filled()
    options = config(per_process_gpu_memory_fraction=0.25, allow_growth=True)
    with tf.control_dependencies([x * 2.0]):
        total = tf.reduce_sum(tf.fill([count], 1.0)) + tf.reduce_sum(x * 2.0)
    with tf.Session(config=options) as session:
        pool = next(iter(session._devices.values())).pool
        with pytest.raises(tf.errors.ResourceExhaustedError) as caught:
            session.run(total, {x: [1.0] * MIB, count: 20 * MIB})
        session.run(total, {x: [1.0], count: 1})
        assert pool.used_bytes() < MIB
        assert caught.value.message


def test_failed_step_frees_its_memory(gpus, graph):
    x = tf.placeholder(tf.float32, [None])
    checked = tf.reduce_sum(tf.check_numerics(x * 2.0, "bad"))
    options = config(per_process_gpu_memory_fraction=0.25, allow_growth=True)
    with tf.Session(config=options) as session:
        session.run(checked, {x: [1.0] * MIB})
        pool = next(iter(session._devices.values())).pool
        before = pool.used_bytes()
        for _ in range(3):
            with pytest.raises(tf.errors.InvalidArgumentError, match="bad : Tensor had NaN values"):
                session.run(checked, {x: [float("nan")] * MIB})
        gc.collect()
        session.run(checked, {x: [1.0] * MIB})
        assert pool.used_bytes() <= before


def test_oversized_constant_raises_oom(gpus):
    with tf.device("/gpu:0"):
        small = tf.constant(1.0) + tf.placeholder_with_default(1.0, [])
        large = tf.constant(np.ones([100, 1 << 20], np.int8), name="large")
        sums = tf.cast(large, tf.float32, name="wide")
    with tf.Session(config=config(allow_growth=True, per_process_gpu_memory_fraction=0.2)) as s:
        with pytest.raises(tf.errors.ResourceExhaustedError) as caught:
            s.run(sums.op)
        where = "/job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc"
        assert caught.value.message.startswith(
            f"OOM when allocating tensor with shape[100,1048576] and type int8 on {where}\n"
            "\t [[node large (defined at "
        )
        assert s.run(small) == 2


def test_oversized_feed_raises_oom(gpus):
    x = tf.placeholder(tf.float32, [None, 4], name="fed")
    with tf.device("/gpu:0"):
        y = tf.exp(x)
    with tf.Session(config=config(allow_growth=True, per_process_gpu_memory_fraction=0.05)) as s:
        with pytest.raises(tf.errors.ResourceExhaustedError) as caught:
            s.run(y, {x: np.ones((1 << 20, 4), np.float32)})
        assert "with shape[1048576,4] and type float on" in caught.value.message
        assert "[[node fed (defined at " in caught.value.message
        assert s.run(y, {x: np.zeros((1, 4))}).tolist() == [[1] * 4]


def test_oom_at_any_allocation_is_recoverable(gpus, monkeypatch):
    """Running out of memory anywhere in a step, captured or not, is a node's error, and the session stays usable."""
    with tf.device("/gpu:0"):
        x = tf.placeholder(tf.float32, [None, 8])
        v = tf.get_variable("v", [8, 8])
        hidden = tf.tanh(tf.matmul(x, v))
    with tf.device("/gpu:1"):
        w = tf.get_variable("w", [8, 8], use_resource=True)
        loss = tf.reduce_mean(tf.square(tf.matmul(hidden, w)))
    train = tf.train.AdamOptimizer(0.01).minimize(loss)
    initialize = tf.global_variables_initializer()
    pool = sys.modules["cupy"].cuda.MemoryPool
    inputs = pool.malloc
    left = [1 << 30]

    def malloc(self, size):
        left[0] -= 1
        if left[0] <= 0:
            raise sys.modules["cupy"].cuda.memory.OutOfMemoryError(size, 0, 0)
        return inputs(self, size)

    monkeypatch.setattr(pool, "malloc", malloc)
    step, feed = [train, loss, v], {x: np.ones((5, 8))}
    failed = 0
    small = config(allow_growth=True)
    small.allow_soft_placement = True
    for runs in range(6):
        for count in range(1, 40, 4):
            with tf.Session(config=small) as session:
                session.run(initialize)
                for _ in range(runs):
                    session.run(step, feed)
                left[0] = count
                try:
                    session.run(step, feed)
                except tf.errors.ResourceExhaustedError as error:
                    failed += 1
                    assert error.node_def is not None
                left[0] = 1 << 30
                assert np.isfinite(session.run(step, feed)[1])
    assert failed > 20


def test_zero_memory_limit_raises_oom(gpus):
    with tf.device("/gpu:0"):
        count, total = filled()
    options = config(allow_growth=True, visible_device_list="0")
    options.gpu_options.experimental.virtual_devices.add(memory_limit_mb=[0])
    options.allow_soft_placement = True
    with (
        tf.Session(config=options) as session,
        pytest.raises(
            tf.errors.ResourceExhaustedError,
            match=r"OOM when allocating tensor with shape\[\] and type float on .*GPU:0 by allocator GPU_0_bfc",
        ),
    ):
        session.run(total, {count: 1000})
