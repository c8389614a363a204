"""tf.config: defaults of sessions without a config; the values are TensorFlow 1.15.5's."""

import pytest

import tfmini as tf
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.session import default_config, physical_devices

PREFIX = "/job:localhost/replica:0/task:0/device:"


@pytest.fixture(autouse=True)
def no_options(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    default_config.forget()
    yield
    default_config.forget()
    physical_devices.forget()


def names(session):
    return [device.name.removeprefix(PREFIX) for device in session.list_devices()]


def test_soft_placement_applies_without_config():
    assert tf.config.get_soft_device_placement() is False
    with tf.Graph().as_default():
        with tf.device("/gpu:0"):
            x = tf.constant(3) * 2
        with (
            pytest.raises(
                tf.errors.InvalidArgumentError,
                match="Cannot assign a device for operation mul: .* explicitly assigned to /device:GPU:0",
            ),
            tf.Session() as session,
        ):
            session.run(x)
        tf.config.set_soft_device_placement(True)
        assert tf.config.get_soft_device_placement() is True
        with tf.Session() as session:
            assert session.run(x) == 6
        with pytest.raises(
            tf.errors.InvalidArgumentError,
            match="Cannot assign a device for operation mul: .* explicitly assigned to /device:GPU:0",
        ):
            with tf.Session(config=tf.ConfigProto()) as session:
                session.run(x)


def test_thread_counts_apply_to_default_config():
    threading = tf.config.threading
    assert threading.get_intra_op_parallelism_threads() == 0
    assert threading.get_inter_op_parallelism_threads() == 0
    threading.set_intra_op_parallelism_threads(2)
    threading.set_inter_op_parallelism_threads(3)
    config = default_config.default_config()
    assert (config.intra_op_parallelism_threads, config.inter_op_parallelism_threads) == (2, 3)
    assert threading.get_intra_op_parallelism_threads() == 2
    assert threading.get_inter_op_parallelism_threads() == 3


def test_optimizer_options_apply_to_default_config():
    optimizer = tf.config.optimizer
    without = {"disable_model_pruning": False, "disable_meta_optimizer": False}
    assert optimizer.get_jit() is False
    assert optimizer.get_experimental_options() == without
    optimizer.set_jit(True)
    optimizer.set_experimental_options(
        {"constant_folding": True, "remapping": False, "min_graph_nodes": 5, "unheard_of": 1}
    )
    optimizer.set_experimental_options({"disable_meta_optimizer": True})
    assert optimizer.get_jit() is True
    assert optimizer.get_experimental_options() == {
        **{"constant_folding": True, "remapping": False, "min_graph_nodes": 5},
        **{"disable_model_pruning": False, "disable_meta_optimizer": True},
    }


def test_later_options_do_not_change_earlier_configs():
    tf.config.set_soft_device_placement(True)
    before = default_config.default_config()
    tf.config.set_soft_device_placement(False)
    assert before.allow_soft_placement


def test_physical_and_logical_cpu():
    experimental = tf.config.experimental
    (cpu,) = experimental.list_physical_devices()
    assert cpu == ("/physical_device:CPU:0", "CPU")
    assert repr(cpu) == "PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')"
    assert experimental.list_logical_devices() == [(f"{PREFIX}CPU:0", "CPU")]
    assert tf.config.experimental_list_devices() == [f"{PREFIX}CPU:0"]
    assert experimental.get_virtual_device_configuration(cpu) is None
    two = [experimental.VirtualDeviceConfiguration() for _ in range(2)]
    experimental.set_virtual_device_configuration(cpu, two)
    assert experimental.get_virtual_device_configuration(cpu) == two
    with tf.Session() as session:
        assert names(session) == ["CPU:0", "CPU:1"]


def test_invalid_arguments():
    experimental = tf.config.experimental
    (cpu,) = experimental.list_physical_devices("CPU")
    limited = [experimental.VirtualDeviceConfiguration(memory_limit=5)]
    for call, error, text in (
        (lambda: experimental.set_memory_growth(cpu, True), ValueError, "on non-GPU devices"),
        (lambda: experimental.get_memory_growth(cpu), KeyError, "physical_device:CPU:0"),
        (lambda: experimental.get_memory_growth("gpu"), ValueError, "Unrecognized device: 'gpu'"),
        (lambda: experimental.set_visible_devices(cpu, "GPU"), ValueError, "Unrecognized device"),
        (
            lambda: experimental.set_virtual_device_configuration(cpu, limited),
            ValueError,
            "memory limit on CPU",
        ),
    ):
        with pytest.raises(error, match=text):
            call()


def test_gpu_options_apply_to_default_config(monkeypatch):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES")
    experimental = tf.config.experimental
    with fake_gpus(devices=2):
        gpus = experimental.list_physical_devices("GPU")
        assert [gpu.name for gpu in gpus] == ["/physical_device:GPU:0", "/physical_device:GPU:1"]
        assert experimental.get_memory_growth(gpus[0]) is False
        for gpu in gpus:
            experimental.set_memory_growth(gpu, True)
        assert experimental.get_memory_growth(gpus[1]) is True
        assert default_config.default_config().gpu_options.allow_growth
        experimental.set_visible_devices(gpus[0], "GPU")
        assert experimental.get_visible_devices("GPU") == gpus[:1]
        with tf.Session() as session:
            assert names(session) == ["CPU:0", "GPU:0"]
        experimental.set_visible_devices([], "GPU")
        with tf.Session() as session:
            assert names(session) == ["CPU:0"]


def test_virtual_gpus(monkeypatch):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES")
    experimental = tf.config.experimental
    with fake_gpus(devices=1):
        (gpu,) = experimental.list_physical_devices("GPU")
        parts = [experimental.VirtualDeviceConfiguration(memory_limit=m) for m in (100, 200)]
        with pytest.raises(ValueError, match="limit is required for GPU"):
            experimental.set_virtual_device_configuration(gpu, [type(parts[0])()])
        experimental.set_virtual_device_configuration(gpu, parts)
        with pytest.raises(ValueError, match="virtual devices configured"):
            experimental.set_memory_growth(gpu, True)
        with tf.Session() as session:
            listed = session.list_devices()
        assert [d.memory_limit_bytes >> 20 for d in listed if d.device_type == "GPU"] == [100, 200]
