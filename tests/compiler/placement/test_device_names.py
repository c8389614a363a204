"""device_names, against manual results based on TensorFlow's documentation of device strings."""

import pytest

from tfmini._src.compiler.placement.device_names import (
    ANYWHERE,
    DeviceName,
    Incompatible,
    compatible,
    merge_devices,
    names,
    override_device,
    parse_device,
)

FULL = DeviceName("ps", 0, 3, "GPU", 12)


@pytest.mark.parametrize(
    "text, name",
    [
        ("", ANYWHERE),
        ("/", ANYWHERE),
        ("/job:ps/replica:0/task:3/device:GPU:12", FULL),
        ("/device:GPU:12/task:3/job:ps/replica:0", FULL),
        ("/cpu:1", DeviceName(type="CPU", device_index=1)),
        ("/GPU:*", DeviceName(type="GPU")),
        ("/device:FPGA:*", DeviceName(type="FPGA")),
        ("/device:GPU", DeviceName(type="GPU")),
        ("/device:*:2", DeviceName(device_index=2)),
        ("/job:*/task:*/replica:*", ANYWHERE),
        ("/job:a_1/cpu:0", DeviceName("a_1", None, None, "CPU", 0)),
        ("/cpu:0/gpu:1", DeviceName(type="GPU", device_index=1)),
        ("/cpu", None),
        ("cpu:0", None),
        ("/cpu:x", None),
        ("/job:1a", None),
        ("/job:a-b", None),
        ("/task:1a", None),
        ("/bogus:0", None),
        ("/device:G-PU:0", None),
        ("/cpu:0/", None),
        ("/Cpu:0", None),
    ],
)
def test_device_names_are_parsed(text, name):
    assert parse_device(text) == name


def test_device_names_are_printed_in_full():
    assert str(FULL) == "/job:ps/replica:0/task:3/device:GPU:12"
    assert str(DeviceName(type="CPU")) == "/device:CPU:*"
    assert str(DeviceName(task=1)) == "/task:1"
    assert str(ANYWHERE) == ""


def test_device_names_merge():
    job, gpu, cpu = DeviceName("ps"), DeviceName(type="GPU", device_index=1), DeviceName(type="CPU")
    assert merge_devices(job, gpu) == DeviceName("ps", None, None, "GPU", 1)
    assert (
        merge_devices(ANYWHERE, FULL)
        == merge_devices(FULL, ANYWHERE)
        == merge_devices(FULL, FULL)
        == FULL
    )
    assert merge_devices(gpu, cpu, soft=True) == ANYWHERE
    assert merge_devices(FULL, gpu, soft=True) == FULL._replace(device_index=None)
    with pytest.raises(Incompatible) as caught:
        merge_devices(gpu, DeviceName("ps", type="CPU"))
    assert str(caught.value) == (
        "Cannot merge devices with incompatible types: '/job:ps/device:GPU:1' and '/job:ps/device:CPU:*'"
    )
    with pytest.raises(Incompatible, match="incompatible jobs: '/job:ps' and '/job:worker'"):
        merge_devices(job, DeviceName("worker"), soft=True)
    with pytest.raises(Incompatible, match="incompatible replicas"):
        merge_devices(FULL, DeviceName(replica=1))
    with pytest.raises(Incompatible, match="incompatible tasks"):
        merge_devices(FULL, DeviceName(task=1))
    with pytest.raises(Incompatible, match="incompatible ids"):
        merge_devices(FULL, gpu)


def test_override_and_compatibility():
    assert override_device(FULL, DeviceName("a", device_index=1)) == DeviceName("a", 0, 3, "GPU", 1)
    assert compatible(FULL, DeviceName(task=3)) and not compatible(FULL, DeviceName(task=2))
    assert compatible(ANYWHERE, FULL) and compatible(FULL, FULL)
    assert not compatible(
        DeviceName(task=0), DeviceName(type="CPU")
    )  # neither specifies everything
    assert names(DeviceName(type="GPU"), FULL) and names(ANYWHERE, FULL)
    assert not names(DeviceName(type="CPU"), FULL)
