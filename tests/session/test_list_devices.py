"""Devices listed by a session, `device_lib` and `tf.test`, with and without GPUs."""

import re

import pytest

import tfmini as tf
from tfmini._src.devices.cuda import gpu_devices
from tfmini._src.session.list_devices import list_local_devices


@pytest.fixture
def no_gpu(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")


@pytest.mark.usefixtures(no_gpu.__name__)
def test_session_lists_its_cpus():
    config = tf.ConfigProto(device_count={"CPU": 2, "GPU": 4})
    with tf.Session(config=config) as session:
        listed = session.list_devices()
    prefix = "/job:localhost/replica:0/task:0/device:CPU:"
    assert [(d.name, d.device_type) for d in listed] == [
        (prefix + "0", "CPU"),
        (prefix + "1", "CPU"),
    ]


@pytest.mark.usefixtures(no_gpu.__name__)
def test_device_lib_returns_messages():
    (cpu,) = list_local_devices()
    assert (cpu.name, cpu.device_type, cpu.memory_limit) == ("/device:CPU:0", "CPU", 256 << 20)
    assert cpu.HasField("locality")
    assert cpu.physical_device_desc == ""


# TensorFlow 1.15's listing of a computer with one GPU.
ONE_GPU = """\
name: "/device:GPU:0"
device_type: "GPU"
memory_limit: LIMIT
locality {
  bus_id: 1
  links {
  }
}
incarnation: NUMBER
physical_device_desc: "device: 0, name: Fake GPU, pci bus id: BUS, compute capability: 9.0"
"""


def listed_gpus(config=None):
    return [each for each in list_local_devices(config) if each.device_type == "GPU"]


def test_gpu_listing_matches_tensorflow(gpu):
    (result,) = listed_gpus()
    limit, number = result.memory_limit, result.incarnation
    bus = result.physical_device_desc.split("pci bus id: ")[1].split(",")[0]
    shown = ONE_GPU.replace("LIMIT", str(limit)).replace("NUMBER", str(number)).replace("BUS", bus)
    assert str(result) == shown and number > 1 << 32
    assert result.incarnation == listed_gpus()[0].incarnation
    least = (None, (8, 9), (9, 0), (9, 1), (10, 0))
    assert [tf.test.is_gpu_available(False, each) for each in least] == [*[True] * 3, False, False]
    assert tf.test.gpu_device_name() == result.name


def test_gpu_peer_links(gpus):
    first, second = listed_gpus()
    assert first.incarnation != second.incarnation
    result = [
        [(each.device_id, each.type, each.strength) for each in device.locality.links.link]
        for device in (first, second)
    ]
    assert result == [[(1, "StreamExecutor", 1)], [(0, "StreamExecutor", 1)]]


def test_gpus_without_peer_access_have_no_links(gpus):
    gpus.peer_access = False
    assert [len(device.locality.links.link) for device in listed_gpus()] == [0, 0]


def test_virtual_gpus_of_one_gpu_are_linked(gpu):
    """gpu_device_test.cc, MultipleVirtualDevices."""
    options = tf.GPUOptions()
    options.experimental.virtual_devices.add(memory_limit_mb=[12, 45])
    result = [
        [(each.device_id, each.type, each.strength) for each in device.locality.links.link]
        for device in listed_gpus(tf.ConfigProto(gpu_options=options))
    ]
    assert result == [[(1, "SAME_DEVICE", 1000)], [(0, "SAME_DEVICE", 1000)]]


def test_bus_id_follows_numa_node(gpus, monkeypatch, tmp_path):
    """A system without NUMA reports -1."""
    for i, text in enumerate(("1\n", "-1\n")):
        (tmp_path / str(i)).mkdir()
        (tmp_path / str(i) / "numa_node").write_text(text)
    buses = [d.physical_device_desc.split("pci bus id: ")[1][:12] for d in listed_gpus()]
    paths = {bus: tmp_path / str(i) for i, bus in enumerate(buses)}
    monkeypatch.setattr(gpu_devices, "_system_directory", lambda bus: paths[bus])
    result = [(d.locality.bus_id, d.locality.numa_node) for d in listed_gpus()]
    assert result == [(2, 1), (1, 0)]


CREATED = re.compile(
    r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}: I tfmini\] Created TensorFlow device "
    r"\(/job:localhost/replica:0/task:0/device:GPU:(\d) with (\d+) MB memory\) -> physical GPU "
    r"\(device: (\d), name: Fake GPU, pci bus id: \S+, compute capability: 9\.0\)"
)


def test_first_session_logs_created_devices(gpus, capfd):
    with tf.Session() as session:
        limits = [d.memory_limit_bytes >> 20 for d in session.list_devices()[1:]]
    tf.Session().close()
    lines = capfd.readouterr().err.splitlines()
    assert [CREATED.fullmatch(line).groups() for line in lines] == [
        ("0", str(limits[0]), "0"),
        ("1", str(limits[1]), "1"),
    ]


def test_min_log_level_suppresses_device_log(gpu, capfd, monkeypatch):
    monkeypatch.setenv("TF_CPP_MIN_LOG_LEVEL", "1")
    tf.Session().close()
    assert capfd.readouterr().err == ""
