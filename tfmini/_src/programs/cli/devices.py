"""`python -m tfmini devices`: the devices available to a session, or why there is no GPU."""

from __future__ import annotations

import argparse
import json
import os
import platform
from importlib import metadata
from typing import Any

from tfmini._src.base.package import DISTRIBUTION
from tfmini._src.devices.cuda.cudnn.library import CudnnError, installed_cudnn_version
from tfmini._src.devices.cuda.discovery import PhysicalGpu, discover
from tfmini._src.devices.cuda.gpu_options import logical_gpus
from tfmini._src.devices.cuda.libraries import cuda_major, missing_libraries
from tfmini._src.devices.cuda.nvml import NvmlInfo, nvml_info
from tfmini._src.devices.host.native.library import build_name, numpy_reason
from tfmini._src.programs.cli import device_checks


def add_to(commands: Any) -> None:
    """Adds the command to argparse's subparsers."""
    parser = commands.add_parser(
        "devices",
        help="list the devices of this machine",
        description="List the devices available to a session on this machine, or why there is no GPU.",
    )
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object: devices, versions, why"
    )
    parser.add_argument(
        "--test",
        action="store_true",
        help=(
            "test each GPU for a minute: kernels, copies, products, captured steps; fails if a "
            "check fails or no GPU is found"
        ),
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Prints the report; returns the exit status."""
    report = devices_report()
    if not arguments.test:
        print(json.dumps(report, indent=2) if arguments.json else as_text(report))
        return 0
    finished_checks = []
    if not arguments.json:
        print(as_text(report), end="\n\n")
    for check in device_checks.checks():
        finished_checks.append(check)
        if not arguments.json:
            print(device_checks.as_table([check]), flush=True)
    if arguments.json:
        print(json.dumps({**report, "checks": device_checks.as_records(finished_checks)}, indent=2))
    elif not finished_checks:
        print(device_checks.as_table(finished_checks))
    return 0 if finished_checks and all(check.passed for check in finished_checks) else 1


def devices_report() -> dict[str, Any]:
    """Returns the report as a dict: `devices` (a dict each), `versions`, and `why` no GPU is available ("" if one is).

    With GPUs also the `missing` parts of CUDA, the `cudnn` version (None if not found), and `cudnn_error` if cuDNN is
    unusable.
    """
    discovery = discover()
    management_library = nvml_info()
    cpu = {
        "name": "/cpu:0",
        "kind": "CPU",
        "description": platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "kernels": build_name() or None,
        "kernels_missing": "" if build_name() else numpy_reason(),
    }
    cupy = discovery.cupy

    def free_bytes(physical: PhysicalGpu) -> int:
        managed_gpu = management_library.find_gpu(physical.uuid, physical.bus_id)
        if managed_gpu is not None:
            return managed_gpu.free_bytes
        with cupy.cuda.Device(physical.ordinal):
            return cupy.cuda.runtime.memGetInfo()[0]

    gpus = [
        _gpu(index, share.physical, share.limit_bytes, free_bytes)
        for index, share in enumerate(logical_gpus(None, discovery.physical_gpus, free_bytes))
    ]
    return {
        "devices": [cpu, *gpus],
        "versions": _installed_versions(cupy, management_library),
        "CUDA_VISIBLE_DEVICES": os.environ.get("CUDA_VISIBLE_DEVICES"),
        "missing": missing_libraries() if discovery.physical_gpus else [],
        **_cudnn(cupy if discovery.physical_gpus else None),
        "why": discovery.why,
    }


def _cudnn(cupy: Any) -> dict[str, Any]:
    """Returns the cuDNN version from CuPy, and the error that prevents its use, if any."""
    try:
        version = None if cupy is None else installed_cudnn_version(cuda_major(cupy))
        return {"cudnn": version, "cudnn_error": None}
    except CudnnError as error:
        return {"cudnn": None, "cudnn_error": str(error)}


def _gpu(index: int, physical: PhysicalGpu, limit: int, free_bytes: Any) -> dict[str, Any]:
    return {
        "name": f"/gpu:{index}",
        "kind": "GPU",
        "description": physical.name,
        "cuda_index": physical.ordinal,
        "pci_bus_id": physical.bus_id,
        "compute_capability": physical.compute_capability,
        "memory_total": physical.total_bytes,
        "memory_free": free_bytes(physical),
        "memory_limit": limit,
    }


def _installed_versions(cupy: Any, management_library: NvmlInfo) -> dict[str, str | None]:
    """Returns the versions of tfmini and its dependencies; None if not installed."""
    return {
        "tfmini": installed_version(DISTRIBUTION),
        "python": platform.python_version(),
        "numpy": metadata.version("numpy"),
        "cupy": installed_version("cupy-cuda13x", "cupy-cuda12x", "cupy")
        if cupy is None
        else cupy.__version__,
        "driver": management_library.driver or None,
        "cuda_driver": None if cupy is None else _cuda(cupy.cuda.runtime.driverGetVersion()),
        "cuda_runtime": None if cupy is None else _cuda(cupy.cuda.runtime.runtimeGetVersion()),
    }


def installed_version(*names: str) -> str | None:
    """Returns the version of the first installed one of these distributions, without importing it."""
    for name in names:
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            pass
    return None


def _cuda(version_code: int) -> str:
    """Formats a CUDA version: "13.2" for 13020."""
    return f"{version_code // 1000}.{version_code % 1000 // 10}"


def as_text(report: dict[str, Any]) -> str:
    """Returns the report as text."""
    lines = []
    for device in report["devices"]:
        lines.append(f"{device['name']:8} {device['description']}")
        if device["kind"] == "CPU":
            build = device["kernels"]
            missing = f"numpy alone: no native kernels ({device['kernels_missing']})"
            kernels = f"native kernels ({build})" if build else missing
            lines.append(f"{'':8} {device['cores']} cores, {kernels}")
            continue
        total, free, limit = (
            f"{device[key] / (1 << 30):.1f} GiB"
            for key in ("memory_total", "memory_free", "memory_limit")
        )
        lines += [
            f"{'':8} CUDA index {device['cuda_index']}, PCI bus id {device['pci_bus_id']}, "
            f"compute capability {device['compute_capability']}",
            f"{'':8} memory: {total}, {free} free, at most {limit} for a session",
        ]
    lines.append("")
    visible = report["CUDA_VISIBLE_DEVICES"]
    versions = ", ".join(
        f"{name.replace('_', ' ')} {version}"
        for name, version in report["versions"].items()
        if version is not None
    )
    lines.append(versions)
    lines.append(f"CUDA_VISIBLE_DEVICES {'is not set' if visible is None else f'= {visible!r}'}")
    if report["missing"]:
        parts = ", ".join(report["missing"])
        lines.append(
            f"Missing: {parts}. pip install 'cupy-cuda13x[ctk]' brings them (cupy-cuda12x for CUDA 12), or a toolkit."
        )
    if any(device["kind"] == "GPU" for device in report["devices"]):
        lines.append(_cudnn_line(report["cudnn"], report["cudnn_error"]))
    if report["why"]:
        lines.append(f"No GPU: {report['why']}")
    return "\n".join(lines)


def _cudnn_line(version: str | None, error: str | None) -> str:
    """Returns the line about cuDNN: usability, and the ops that use it."""
    if error is not None:
        without = "convolutions use im2col, CuDNNLSTM and CuDNNGRU do not run."
        return f"cuDNN cannot be used: {error}: {without}"
    if version is None:
        return (
            "cuDNN not found: convolutions use im2col, CuDNNLSTM and CuDNNGRU "
            f"do not run. Install it with pip install '{DISTRIBUTION}[cudnn13]' (cudnn12 for "
            "CUDA 12)."
        )
    used = (
        "not for convolutions: TFMINI_CUDNN=0"
        if os.environ.get("TFMINI_CUDNN") == "0"
        else "convolutions"
    )
    return f"cuDNN {version}: recurrent nets, {used}"
