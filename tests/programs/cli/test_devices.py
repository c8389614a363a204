"""`python -m tfmini devices` with any GPUs hidden."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.support import fake_cupy
from tests.support.gpu.fake_nvml import FakeGpu, FakeNvml
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.devices.cuda.cudnn.library import CudnnError
from tfmini._src.devices.host.native.library import build_name, numpy_reason
from tfmini._src.programs.cli import devices
from tfmini._src.programs.cli.devices import as_text, devices_report

ROOT = Path(__file__).resolve().parents[3]


def tfmini(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "tfmini", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "CUDA_VISIBLE_DEVICES": "", **environment},
    )


def test_missing_gpu_is_explained():
    process = tfmini("devices")
    assert process.returncode == 0, process.stderr
    lines = process.stdout.splitlines()
    assert lines[0].startswith("/cpu:0")
    build = build_name()
    kernels = (
        f"native kernels ({build})"
        if build
        else f"numpy alone: no native kernels ({numpy_reason()})"
    )
    assert lines[1].strip() == f"{os.cpu_count()} cores, {kernels}"
    assert lines[-2:] == [
        "CUDA_VISIBLE_DEVICES = ''",
        "No GPU: CUDA_VISIBLE_DEVICES='' hides all GPUs.",
    ]


def test_disabled_kernels_are_reported():
    lines = tfmini("devices", TFMINI_NATIVE="0").stdout.splitlines()
    assert lines[1].endswith(" cores, numpy alone: no native kernels (TFMINI_NATIVE=0)")


def test_json_output():
    process = tfmini("devices", "--json")
    report = json.loads(process.stdout)
    assert [d["name"] for d in report["devices"]] == ["/cpu:0"]
    assert report["devices"][0]["kind"] == "CPU"
    assert report["versions"]["python"] == ".".join(map(str, sys.version_info[:3]))
    assert report["CUDA_VISIBLE_DEVICES"] == ""
    assert "hides all GPUs" in report["why"]


def test_invalid_usage():
    for arguments in ((), ("nothing",), ("devices", "--yaml")):
        process = tfmini(*arguments)
        assert process.returncode == 2
        assert "usage: python -m tfmini" in process.stderr


def test_version_matches_pyproject():
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    version = re.search(r'^version = "(.*)"$', project, re.MULTILINE)[1]
    process = tfmini("--version")
    assert process.stdout == f"tfmini {version} (TensorFlow 1.15.5's API)\n"
    assert json.loads(tfmini("devices", "--json").stdout)["versions"]["tfmini"] == version


class Pathfinder:
    """Fake cuda.pathfinder with some libraries missing, with or without headers."""

    def __init__(self, *lacks, headers=True):
        self.lacks = lacks
        self.headers = headers

    def load_nvidia_dynamic_lib(self, name):
        if name in self.lacks:
            raise RuntimeError(f"Failure finding {name}")
        return SimpleNamespace(abs_path=f"lib{name}.so")

    def find_nvidia_header_directory(self, name):
        return f"/include/{name}" if self.headers else None


@pytest.fixture(autouse=True)
def libraries(monkeypatch):
    """All libraries found: looking for the real ones would load NVRTC, which keeps 37 MB."""
    monkeypatch.setitem(sys.modules, "cuda", SimpleNamespace(pathfinder=Pathfinder()))


def test_missing_cuda_components(monkeypatch):
    """cupy/_core/core.pyx looks for cudart's headers, NVRTC compiles kernels, cuBLAS multiplies."""
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    for lacking, expected in (
        (Pathfinder(), []),
        (Pathfinder("nvrtc", "cublas", headers=False), ["NVRTC", "cuBLAS", "CUDA's headers"]),
    ):
        monkeypatch.setitem(sys.modules, "cuda", SimpleNamespace(pathfinder=lacking))
        with fake_gpus(devices=1):
            report = devices_report()
        assert report["missing"] == expected
        messages = [line for line in as_text(report).splitlines() if line.startswith("Missing: ")]
        assert len(messages) == bool(expected)
        if expected:
            assert messages[0].startswith(
                "Missing: NVRTC, cuBLAS, CUDA's headers. pip install 'cupy-cuda13x[ctk]'"
            )


def without_cublas():
    raise CudnnError("cuDNN requires cuBLAS, which was not found", 1008)


@pytest.mark.parametrize(
    "cudnn, switch, expected",
    [
        (fake_cupy.cudnn.Library, "", "cuDNN 9.5.1: recurrent nets, convolutions"),
        (
            fake_cupy.cudnn.Library,
            "0",
            "cuDNN 9.5.1: recurrent nets, not for convolutions: TFMINI_CUDNN=0",
        ),
        (
            lambda: None,
            "",
            "cuDNN not found: convolutions use im2col, CuDNNLSTM and CuDNNGRU do not run. "
            "Install it with pip install 'tfmini-runtime[cudnn13]' (cudnn12 for CUDA 12).",
        ),
        (
            without_cublas,
            "",
            "cuDNN cannot be used: cuDNN requires cuBLAS, which was not found: a part of it could not be loaded "
            "(1008): "
            "convolutions use im2col, CuDNNLSTM and CuDNNGRU do not run.",
        ),
    ],
)
def test_cudnn_version_and_switch(monkeypatch, cudnn, switch, expected):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setenv("TFMINI_CUDNN", switch)
    with fake_gpus(devices=1, cudnn=cudnn):
        report = devices_report()
    assert report["cudnn"] == ("9.5.1" if "9.5.1" in expected else None)
    assert (report["cudnn_error"] is None) == (cudnn is not without_cublas)
    assert as_text(report).splitlines()[-1] == expected


def test_gpu_memory_from_nvml(monkeypatch):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    physical_gpus = [
        FakeGpu(n, free=(n + 1) << 28) for n in (1, 0)
    ]  # in an order other than CUDA's
    nvml = FakeNvml(*physical_gpus)
    monkeypatch.setitem(sys.modules, "pynvml", nvml)
    with fake_gpus(devices=2):
        report = devices_report()
    gpus = report["devices"][1:]
    assert [g["name"] for g in gpus] == ["/gpu:0", "/gpu:1"]
    assert [g["memory_free"] for g in gpus] == [1 << 28, 2 << 28]
    assert [g["memory_limit"] for g in gpus] == [(1 << 28) - (225 << 20), (2 << 28) - (225 << 20)]
    assert [g["pci_bus_id"] for g in gpus] == ["0000:01:00.0", "0000:02:00.0"]
    assert report["versions"]["driver"] == "580.65.06"
    assert report["why"] == ""
    assert nvml.ended == 1
    lines = as_text(report).splitlines()
    assert lines[2] == "/gpu:0   Fake GPU"
    assert lines[-2] == "CUDA_VISIBLE_DEVICES is not set"


@pytest.mark.parametrize("module", [None, FakeNvml(broken=True), FakeNvml(FakeGpu(7))])
def test_free_memory_falls_back_to_cuda(monkeypatch, module):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setitem(sys.modules, "pynvml", module)
    with fake_gpus(devices=2, memory=1 << 30):
        cupy = sys.modules["cupy"]
        left = {0: 700 << 20, 1: 500 << 20}
        asked = cupy.cuda.Device
        monkeypatch.setattr(
            cupy.cuda.runtime, "memGetInfo", lambda: (left[asked().id], 1 << 30), raising=True
        )
        gpus = devices_report()["devices"][1:]
    assert [gpu["memory_free"] for gpu in gpus] == [700 << 20, 500 << 20]
    assert [gpu["memory_total"] for gpu in gpus] == [1 << 30] * 2
    assert [gpu["memory_limit"] for gpu in gpus] == [(700 - 225) << 20, (500 - 225) << 20]
    assert [gpu["cuda_index"] for gpu in gpus] == [0, 1]


def test_memory_falls_back_to_cuda_without_nvml(monkeypatch):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    for module in (None, FakeNvml(broken=True)):
        monkeypatch.setitem(sys.modules, "pynvml", module)
        with fake_gpus(devices=1, memory=1 << 30):
            report = devices_report()
        assert report["devices"][1]["memory_free"] == 1 << 30
        assert report["versions"]["driver"] is None


def test_complete_report(monkeypatch):
    monkeypatch.setitem(sys.modules, "cuda", SimpleNamespace(pathfinder=Pathfinder("cublas")))
    monkeypatch.setitem(sys.modules, "pynvml", FakeNvml(FakeGpu(0, free=3 << 28)))
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
    monkeypatch.setenv("TFMINI_CUDNN", "1")
    monkeypatch.setattr(devices.platform, "processor", lambda: "")
    monkeypatch.setattr(devices.platform, "machine", lambda: "sparc")
    monkeypatch.setattr(devices.os, "cpu_count", lambda: 3)
    monkeypatch.setattr(devices, "build_name", lambda: "v9")
    monkeypatch.setattr(devices.metadata, "version", {"tfmini-runtime": "7", "numpy": "8"}.get)
    monkeypatch.setattr(devices.platform, "python_version", lambda: "9.1")
    with fake_gpus(devices=1, memory=5 << 28):
        runtime = sys.modules["cupy"].cuda.runtime
        monkeypatch.setattr(runtime, "driverGetVersion", lambda: 13020)
        monkeypatch.setattr(runtime, "runtimeGetVersion", lambda: 12110)
        monkeypatch.setattr(sys.modules["cupy"], "__version__", "14.5")
        report = devices_report()
    assert report == {
        "devices": [
            {
                "name": "/cpu:0",
                "kind": "CPU",
                "description": "sparc",
                "cores": 3,
                "kernels": "v9",
                "kernels_missing": "",
            },
            {
                "name": "/gpu:0",
                "kind": "GPU",
                "description": "Fake GPU",
                "cuda_index": 0,
                "pci_bus_id": "0000:01:00.0",
                "compute_capability": "9.0",
                "memory_total": 5 << 28,
                "memory_free": 3 << 28,
                "memory_limit": (3 << 28) - (225 << 20),
            },
        ],
        "versions": {
            "tfmini": "7",
            "python": "9.1",
            "numpy": "8",
            "cupy": "14.5",
            "driver": "580.65.06",
            "cuda_driver": "13.2",
            "cuda_runtime": "12.11",
        },
        "CUDA_VISIBLE_DEVICES": "0",
        "missing": ["cuBLAS"],
        "cudnn": "9.5.1",
        "cudnn_error": None,
        "why": "",
    }
    assert as_text(report).split("\n") == [
        "/cpu:0   sparc",
        "         3 cores, native kernels (v9)",
        "/gpu:0   Fake GPU",
        "         CUDA index 0, PCI bus id 0000:01:00.0, compute capability 9.0",
        "         memory: 1.2 GiB, 0.8 GiB free, at most 0.5 GiB for a session",
        "",
        "tfmini 7, python 9.1, numpy 8, cupy 14.5, driver 580.65.06, cuda driver 13.2, cuda runtime 12.11",
        "CUDA_VISIBLE_DEVICES = '0'",
        "Missing: cuBLAS. pip install 'cupy-cuda13x[ctk]' brings them (cupy-cuda12x for CUDA 12), or a toolkit.",
        "cuDNN 9.5.1: recurrent nets, convolutions",
    ]


@pytest.mark.parametrize("cupy", ["cupy-cuda13x", "cupy-cuda12x", "cupy", None])
def test_complete_report_without_gpus(monkeypatch, capsys, cupy):
    """CuPy's version is read from its distribution, without importing it."""
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    installed = {"tfmini-runtime": "7", "numpy": "8", cupy: "14.5"}

    def version(name):
        if name not in installed:
            raise devices.metadata.PackageNotFoundError(name)
        return installed[name]

    monkeypatch.setattr(devices.metadata, "version", version)
    monkeypatch.setattr(devices.platform, "processor", lambda: "sparc64")
    monkeypatch.setattr(devices.platform, "machine", lambda: "sparc")
    monkeypatch.setattr(devices.platform, "python_version", lambda: "9.1")
    monkeypatch.setattr(devices.os, "cpu_count", lambda: 1)
    monkeypatch.setattr(devices, "build_name", lambda: "")
    monkeypatch.setattr(devices, "numpy_reason", lambda: "none fits")
    monkeypatch.setitem(sys.modules, "pynvml", None)
    assert devices.run(SimpleNamespace(json=True, test=False)) == 0
    report = json.loads(capsys.readouterr().out)
    assert report == {
        "devices": [
            {
                "name": "/cpu:0",
                "kind": "CPU",
                "description": "sparc64",
                "cores": 1,
                "kernels": None,
                "kernels_missing": "none fits",
            }
        ],
        "versions": {
            "tfmini": "7",
            "python": "9.1",
            "numpy": "8",
            "cupy": "14.5" if cupy else None,
            "driver": None,
            "cuda_driver": None,
            "cuda_runtime": None,
        },
        "CUDA_VISIBLE_DEVICES": "",
        "missing": [],
        "cudnn": None,
        "cudnn_error": None,
        "why": "CUDA_VISIBLE_DEVICES='' hides all GPUs.",
    }
    assert devices.run(SimpleNamespace(json=False, test=False)) == 0
    assert capsys.readouterr().out.splitlines() == [
        "/cpu:0   sparc64",
        "         1 cores, numpy alone: no native kernels (none fits)",
        "",
        f"tfmini 7, python 9.1, numpy 8{', cupy 14.5' if cupy else ''}",
        "CUDA_VISIBLE_DEVICES = ''",
        "No GPU: CUDA_VISIBLE_DEVICES='' hides all GPUs.",
    ]
