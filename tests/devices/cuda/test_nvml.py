"""GPUs according to NVML: count visible to CUDA, MIG instances, and other processes' memory."""

import os
import sys

import pytest

import tfmini as tf
from tests.support.gpu.fake_nvml import FakeGpu, FakeNvml
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.devices.cuda.discovery import count_physical_gpus, discover, visible_entries
from tfmini._src.devices.cuda.nvml import ManagedGpu, nvml_info, other_processes

IDS = ["GPU-01234567-0000", "GPU-01299999-0000", "GPU-89abcdef-0000"]
PARTS = (FakeGpu(1, 5, uuid="MIG-aa-1"), None, FakeGpu(1, 6, {7: 3}, uuid="MIG-bb-2"))


def known(monkeypatch, *physical_gpus, **options):
    """NVML's information about these GPUs."""
    monkeypatch.setitem(sys.modules, "pynvml", FakeNvml(*physical_gpus, **options))
    return nvml_info()


@pytest.mark.parametrize(
    "text, count",
    [
        (None, 3),
        ("0,2", 2),
        ("2,0,-1,1", 2),
        ("1,3,0", 1),  # the fourth does not exist: CUDA stops there
        ("GPU-0123,GPU-89", 2),
        ("gpu-89", 0),  # no entry
        ("GPU-012", 0),  # of two
        ("GPU-ffff,0", 0),
        ("MIG-0123", 0),
        ("0,GPU-0123", None),  # the same GPU twice
    ],
)
def test_nvml_counts_visible_gpus(monkeypatch, text, count):
    physical_gpus = [FakeGpu(n, uuid=name) for n, name in enumerate(IDS)]
    assert known(monkeypatch, *physical_gpus).count_visible(visible_entries(text)) == count


@pytest.mark.parametrize(
    "text, count",
    [(None, None), ("0", None), ("MIG-bb", 1), ("MIG-aa-1,MIG-bb-2", 1), ("MIG-cc", None)],
)
def test_one_mig_instance_is_visible(monkeypatch, text, count):
    physical_gpus = known(monkeypatch, FakeGpu(0), FakeGpu(1, parts=PARTS))
    assert physical_gpus.count_visible(visible_entries(text)) == count


def test_mig_instances_have_separate_memory(monkeypatch):
    found = known(monkeypatch, FakeGpu(0), FakeGpu(1, parts=PARTS))
    bus = "0000:02:00.0"
    assert found.physical_gpus[1:] == (
        ManagedGpu("aa-1", bus, True, 1 << 30, 5),
        ManagedGpu("bb-2", bus, True, 1 << 30, 6, ((7, 3),)),
    )
    assert found.find_gpu("bb-2", bus).free_bytes == 6
    assert found.find_gpu("", bus) is None  # ambiguous
    assert found.find_gpu("", "0000:01:00.0").free_bytes == 1 << 28


@pytest.mark.parametrize("module", [None, FakeNvml(broken=True)])
def test_missing_nvml_reports_nothing(monkeypatch, module):
    monkeypatch.setitem(sys.modules, "pynvml", module)
    assert nvml_info().count_visible(None) is None
    assert nvml_info().find_gpu("", "0000:01:00.0") is None


def test_other_processes_are_sorted_by_memory(monkeypatch):
    me, bus = os.getpid(), "0000:01:00.0"
    known(monkeypatch, FakeGpu(0, processes={me: 5, me + 1: 6, me + 2: 7, me + 3: None}))
    assert other_processes("", bus) == ((me + 2, 7), (me + 1, 6))
    known(
        monkeypatch, FakeGpu(0, processes={me + 1: 6})
    )  # the host's process ids, from inside a container
    assert other_processes("", bus) == ()
    known(monkeypatch, FakeGpu(0, processes=None))
    assert other_processes("", bus) == ()


@pytest.fixture
def counted_by_nvml(monkeypatch):
    """Two GPUs that NVML reports too."""
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setitem(sys.modules, "pynvml", FakeNvml(FakeGpu(1), FakeGpu(0)))
    with fake_gpus(devices=2) as machine:
        yield machine


def test_counting_gpus_does_not_initialize_cuda(counted_by_nvml, monkeypatch):
    """After a program counts GPUs or builds layers, a forked child can still use the GPUs."""
    assert len(tf.config.experimental.list_physical_devices("GPU")) == 2
    images = tf.placeholder(tf.float32, [1, 2, 4, 4])
    pooled = tf.layers.max_pooling2d(images, 2, 2, data_format="channels_first")
    assert pooled.op.get_attr("data_format") == b"NCHW"
    assert counted_by_nvml.started_in is None
    parent = os.getpid()
    monkeypatch.setattr(os, "getpid", lambda: parent + 1)
    with tf.Session() as session:
        assert [d.device_type for d in session.list_devices()].count("GPU") == 2


def test_forked_child_reuses_parent_count(counted_by_nvml, monkeypatch):
    assert len(discover().physical_gpus) == 2
    monkeypatch.setitem(sys.modules, "pynvml", None)
    parent = os.getpid()
    monkeypatch.setattr(os, "getpid", lambda: parent + 1)
    assert count_physical_gpus() == 2
    with pytest.raises(tf.errors.FailedPreconditionError, match=f"forked from process {parent}"):
        tf.Session()
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")  # hidden from the child
    assert count_physical_gpus() == 0
    tf.Session().close()


def test_oom_message_names_other_processes(monkeypatch):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    me = os.getpid()
    there = {me: 1 << 20, me + 1: 3 << 30, me + 2: 5 << 29}
    monkeypatch.setitem(sys.modules, "pynvml", FakeNvml(FakeGpu(0, processes=there)))
    with fake_gpus(devices=1, memory=1 << 24), tf.Session() as session:
        filled = tf.fill([tf.placeholder_with_default(1 << 24, [])], 1.0) * 2.0
        with pytest.raises(tf.errors.ResourceExhaustedError, match="OOM when allocating") as caught:
            session.run(filled)
    line = f"Other processes use memory of the GPU: 3.00GiB by process {me + 1}, 2.50GiB by process {me + 2}."
    assert line in caught.value.message.splitlines()


@pytest.mark.parametrize(
    "function",
    [
        "nvmlSystemGetDriverVersion",
        "nvmlDeviceGetCount",
        "nvmlDeviceGetHandleByIndex",
        "nvmlDeviceGetPciInfo",
        "nvmlDeviceGetMemoryInfo",
        "nvmlDeviceGetUUID",
    ],
)
def test_partial_nvml_failure_reports_nothing(monkeypatch, function):
    module = FakeNvml(FakeGpu(0), FakeGpu(1))

    def fails(*args):
        raise module.NVMLError("Unknown Error")

    monkeypatch.setattr(module, function, fails)
    monkeypatch.setitem(sys.modules, "pynvml", module)
    found = nvml_info()
    assert (found.driver, found.physical_gpus) == ("", None)
    assert (module.begun, module.ended) == (1, 1)
    assert found.count_visible([]) is None and other_processes("", "0000:01:00.0") == ()


def test_gpu_and_mig_attributes(monkeypatch):
    part = FakeGpu(7, free=5, uuid="MIG-AB12")
    whole = FakeGpu(0, free=9, processes={4: 6}, uuid="GPU-CD34")
    module = FakeNvml(whole, FakeGpu(2, parts=(None, part)))
    monkeypatch.setitem(sys.modules, "pynvml", module)
    found = nvml_info()
    assert found.driver == "580.65.06"
    assert [
        (c.uuid, c.bus_id, c.is_part, c.total_bytes, c.free_bytes) for c in found.physical_gpus
    ] == [
        ("cd34", "0000:01:00.0", False, 1 << 30, 9),
        ("ab12", "0000:03:00.0", True, 1 << 30, 5),
    ]
    assert [c.processes for c in found.physical_gpus] == [((4, 6),), ()]
    assert (module.begun, module.ended) == (1, 1)
