"""A process's GPUs: created once, with the first session's memory options, and logged once."""

import logging

import pytest

import tfmini as tf
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.devices.cuda.process_gpus import session_gpus

PHYSICAL_GPU = 1 << 30


@pytest.fixture
def log_records(monkeypatch, caplog):
    """Log records: (level, text)."""
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.delenv("TF_FORCE_GPU_ALLOW_GROWTH", raising=False)
    monkeypatch.setattr(logging.getLogger("tensorflow"), "propagate", True)
    caplog.set_level(logging.INFO, logger="tensorflow")
    return lambda: [(r.levelname, r.getMessage()) for r in caplog.records]


def config(fraction=0.0, grows=False, limits=(), **counts):
    proto = tf.ConfigProto(device_count=counts)
    proto.gpu_options.per_process_gpu_memory_fraction = fraction
    proto.gpu_options.allow_growth = grows
    if limits:
        proto.gpu_options.experimental.virtual_devices.add(memory_limit_mb=limits)
    return proto


def test_task_prefixes_share_devices(log_records):
    with fake_gpus(devices=2):
        one = session_gpus(None, "/job:a/replica:0/task:3")
        other = session_gpus(config(), "/job:b/replica:0/task:0")
        first = session_gpus(config(GPU=1), "")
        none = session_gpus(config(GPU=0), "")
    assert list(one) == [f"/job:a/replica:0/task:3/device:GPU:{n}" for n in (0, 1)]
    assert list(other) == [f"/job:b/replica:0/task:0/device:GPU:{n}" for n in (0, 1)]
    assert list(one.values()) == list(other.values()) and none == {}
    assert list(first) == ["/device:GPU:0"] and first["/device:GPU:0"] is [*one.values()][0]
    assert [(gpu.name, gpu.ordinal) for gpu in one.values()] == [("GPU:0", 0), ("GPU:1", 1)]
    assert log_records() == []


@pytest.mark.parametrize(
    "first, second, text",
    [
        (config(0.5), config(0.25), "at 512 MiB."),
        (config(0.5), config(0.5), ""),
        (config(0.5), config(0.0), ""),
        (config(0.5), config(0.0, True), "at 512 MiB."),
        (config(0.5, True), config(0.5), "at 512 MiB, taken as needed."),
        (config(0.5, True), config(0.0), ""),
        (config(0.5, True), config(0.0, True), ""),
        (config(0.5, True), config(0.25, True), "at 512 MiB, taken as needed."),
        (config(limits=[100.0]), config(limits=[200.0]), "at 100 MiB."),
        (config(limits=[100.0]), config(limits=[100.0]), ""),
        (config(limits=[100.0]), None, ""),
    ],
)
def test_conflicting_options_warn_once(log_records, first, second, text):
    with fake_gpus(devices=1, memory=PHYSICAL_GPU):
        (gpu,) = session_gpus(first, "").values()
        for _ in range(2):
            assert list(session_gpus(second, "").values()) == [gpu]
    begin = "Ignoring the memory options of this session for GPU:0: the first session of the process fixed its "
    assert log_records() == ([("WARNING", f"{begin}limit {text}")] if text else [])


def test_warnings_are_per_device(log_records):
    with fake_gpus(devices=2, memory=PHYSICAL_GPU):
        session_gpus(config(0.5), "")
        session_gpus(config(0.25), "")
    assert [text.split("for ")[1][:5] for _, text in log_records()] == ["GPU:0", "GPU:1"]


def test_missing_gpus_are_reported_once_at_matching_level(log_records, monkeypatch):
    with fake_gpus(devices=1):
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "-1")
        for _ in range(2):
            assert session_gpus(None, "") == {}
        assert session_gpus(config(GPU=0), "") == {}
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
        assert session_gpus(config(0.5), "") == session_gpus(config(-0.5), "") == {}
    assert log_records() == [
        ("INFO", "CUDA_VISIBLE_DEVICES='-1' hides all GPUs."),
        ("INFO", "CUDA_VISIBLE_DEVICES='' hides all GPUs."),
    ]


def test_virtual_devices_are_separate_devices(log_records):
    with fake_gpus(devices=1, memory=PHYSICAL_GPU):
        gpus = list(session_gpus(config(limits=[100.0, 50.0]), "").values())
    assert [(gpu.name, gpu.ordinal, gpu.limit_bytes >> 20) for gpu in gpus] == [
        ("GPU:0", 0, 100),
        ("GPU:1", 0, 50),
    ]
