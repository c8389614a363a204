"""devices: the records of `list_devices`, and a config's CPU count."""

import pytest

import tfmini as tf
from tests.support.check_device import check_devices
from tfmini._src.devices.attributes import DeviceAttributes
from tfmini._src.devices.device import HOST
from tfmini._src.devices.registry import listed, memory_space

CPU = "/job:localhost/replica:0/task:0/device:CPU:"


def test_repr_matches_tensorflow():
    assert repr(DeviceAttributes(CPU + "0", "CPU", 5, 7)) == f"_DeviceAttributes({CPU}0, CPU, 5, 7)"


@pytest.mark.parametrize(
    "config, count",
    [(None, 1), (tf.ConfigProto(), 1), (tf.ConfigProto(device_count={"CPU": 3, "GPU": 0}), 3)],
)
def test_cpu_count(config, count):
    assert [d.name for d in listed(config, {})] == [f"{CPU}{i}" for i in range(count)]


def test_session_lists_its_cpus():
    with tf.Session(config=tf.ConfigProto(device_count={"CPU": 2})) as sess:
        assert [(d.name, d.device_type) for d in sess.list_devices() if d.device_type == "CPU"] == [
            (CPU + "0", "CPU"),
            (CPU + "1", "CPU"),
        ]


def test_zero_cpus_are_rejected():
    with pytest.raises(tf.errors.NotFoundError, match="No CPU devices are available"):
        listed(tf.ConfigProto(device_count={"CPU": 0}), {})


@pytest.mark.parametrize("own", ["GPU:1", "CHECK:0"])
def test_memory_spaces(own):
    """A device computes in its own memory; a CPU and an unknown device compute in host memory."""
    start = CPU.removesuffix("CPU:")
    with check_devices():
        assert memory_space(start + own) == start + own
        assert memory_space(CPU + "1") == memory_space(start + "TPU:0") == memory_space("") == HOST
