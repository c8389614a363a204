"""Device discovery without GPUs, and with CUDA_VISIBLE_DEVICES."""

import sys

import pytest

from tfmini._src.devices.cuda import discovery
from tfmini._src.devices.cuda.discovery import PhysicalGpu, discover, visible_entries
from tfmini._src.devices.cuda.nvml import short_bus_id


@pytest.mark.parametrize(
    "text, entries",
    [
        (None, None),
        ("", []),
        ("-1", []),
        ("0", ["0"]),
        ("2, 0", ["2", "0"]),
        ("0,2,-1,1", ["0", "2"]),
        ("GPU-8932f937,MIG-0a1b", ["GPU-8932f937", "MIG-0a1b"]),
        (
            "MIG-GPU-8932f937-d72c-4106-c12f-20bd9faed9f6/1/0",
            ["MIG-GPU-8932f937-d72c-4106-c12f-20bd9faed9f6/1/0"],
        ),
        ("1,1", []),
        ("nonsense", []),
        ("0,x", ["0"]),
        ("1gpu,0;2", ["1", "0"]),
        ("00,0", []),
        ("\u0661", []),
    ],
)
def test_visible_devices_are_parsed_like_cuda(text, entries):
    assert visible_entries(text) == entries


@pytest.mark.parametrize("text", ["", "-1"])
def test_hidden_gpus_are_not_probed(monkeypatch, text):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", text)
    monkeypatch.setattr(discovery, "_has_driver", lambda: pytest.fail("looked for a driver"))
    found = discover()
    assert found.physical_gpus == ()
    assert found.why == f"CUDA_VISIBLE_DEVICES={text!r} hides all GPUs."
    assert not found.unexpected


@pytest.fixture
def without_cupy(monkeypatch):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.delitem(sys.modules, "cupy", raising=False)


def test_missing_driver_does_not_load_cupy(monkeypatch, without_cupy):
    monkeypatch.setattr(discovery, "_DRIVER", "libcuda-that-is-not-there.so.1")
    found = discover()
    assert "No NVIDIA driver" in found.why
    assert not found.unexpected
    assert "cupy" not in sys.modules


@pytest.mark.parametrize(
    "error, text",
    [
        (
            ModuleNotFoundError("No module named 'cupy'", name="cupy"),
            "install tfmini-runtime[cuda12]",
        ),
        (
            ImportError("libcudart.so.13: cannot open"),
            "CuPy failed to load: ImportError: libcudart",
        ),
        (RuntimeError("two\nlines"), "CuPy failed to load: RuntimeError: two lines"),
    ],
)
def test_unusable_cupy_is_reported(monkeypatch, without_cupy, error, text):
    monkeypatch.setattr(discovery, "_has_driver", lambda: True)

    def broken():
        raise error

    monkeypatch.setattr(discovery, "_cupy", broken)
    found = discover()
    assert found.physical_gpus == ()
    assert text in found.why
    assert found.unexpected


def test_device_description_matches_tensorflow():
    physical = PhysicalGpu(1, "Tesla P100-PCIE-16GB", "0000:85:00.0", "6.0", 16 << 30)
    assert physical.description == (
        "device: 1, name: Tesla P100-PCIE-16GB, pci bus id: 0000:85:00.0, compute capability: 6.0"
    )


def test_nvml_bus_ids_are_shortened():
    assert short_bus_id("00000000:3B:00.0") == "0000:3b:00.0"
