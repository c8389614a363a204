"""`python -m tfmini devices --test`, on the fake's GPUs."""

import json
from types import SimpleNamespace

import pytest

from tests.gpus import fake_gpus
from tfmini._src.devices.gpu import device
from tfmini._src.programs.cli import device_checks, devices


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Arrays of a size for the fake."""
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setattr(device_checks, "_COPIED", 1 << 16)
    monkeypatch.setattr(device_checks, "_SIZES", {"float32": 32, "float16": 32})
    monkeypatch.setattr(device_checks.kernel_sources, "names", lambda: ["joining", "staging"])


def report_of(capsys, as_json=False):
    """The exit status and what is printed."""
    status = devices.run(SimpleNamespace(json=as_json, test=True))
    return status, capsys.readouterr().out


def test_each_check_of_each_card(capsys):
    with fake_gpus(devices=2):
        status, text = report_of(capsys)
    assert status == 0, text
    lines = [line.split(maxsplit=3) for line in text.splitlines() if line.startswith("GPU:")]
    names = ["kernels", "copies", "products", "replays"]
    assert [line[:3] for line in lines] == [
        [f"GPU:{n}", name, "ok"] for n in (0, 1) for name in names
    ]
    assert lines[0][3].startswith("2 files compiled, or found, in ")
    assert lines[1][3].count("GB/s") == 3
    assert lines[2][3].count("Tflop/s") == 2
    assert lines[3][3].endswith("the same losses")


def test_json(capsys):
    with fake_gpus(devices=1):
        report = json.loads(report_of(capsys, as_json=True)[1])
    assert [check["name"] for check in report["checks"]] == [
        "kernels",
        "copies",
        "products",
        "replays",
    ]
    assert all(check["passed"] for check in report["checks"])
    assert report["versions"]


def test_what_fails_is_told_and_the_others_go_on(capsys, monkeypatch):
    def broken(self, *arguments):
        raise RuntimeError("no product\ntoday")

    monkeypatch.setattr(device.LogicalGpu, "product", broken)
    with fake_gpus(devices=1):
        status, text = report_of(capsys)
    assert status == 1
    assert "products   FAILED  RuntimeError: no product\n" in text
    assert "replays    FAILED" in text  # which multiplies too
    assert "copies     ok" in text


def test_without_a_card(capsys):
    with fake_gpus(devices=0):
        status, text = report_of(capsys)
    assert status == 0
    assert text.endswith("No GPU to test.\n")
