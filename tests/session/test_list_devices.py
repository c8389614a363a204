"""The devices that a session, `device_lib` and `tf.test` name where no GPU is visible."""

import pytest

import tfmini as tf
from tfmini._src.session.list_devices import list_local_devices


@pytest.fixture(autouse=True)
def no_gpu(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")


def test_a_session_lists_its_cpus():
    config = tf.ConfigProto(device_count={"CPU": 2, "GPU": 4})
    with tf.Session(config=config) as session:
        listed = session.list_devices()
    prefix = "/job:localhost/replica:0/task:0/device:CPU:"
    assert [(d.name, d.device_type) for d in listed] == [
        (prefix + "0", "CPU"),
        (prefix + "1", "CPU"),
    ]


def test_device_lib_gives_messages():
    (cpu,) = list_local_devices()
    assert (cpu.name, cpu.device_type, cpu.memory_limit) == ("/device:CPU:0", "CPU", 256 << 20)
    assert cpu.HasField("locality")
    assert cpu.physical_device_desc == ""


def test_what_tests_ask():
    assert tf.test.is_gpu_available() is False
    assert tf.test.is_gpu_available(cuda_only=True, min_cuda_compute_capability=(3, 0)) is False
    assert tf.test.gpu_device_name() == ""
    assert isinstance(tf.test.is_built_with_cuda(), bool)
