"""GPU discovery: the visible physical GPUs in CUDA's order, or a message that explains why there are none.

Discovery starts CUDA, which fixes the visible GPUs and makes them unusable in forks of the process. Nothing is cached
before that, as visibility may change; NVML, if installed, determines the number of GPUs.
"""

from __future__ import annotations

import ctypes
import functools
import os
import re
import sys
import uuid
from contextlib import suppress
from typing import Any

from tfmini._src.base.errors import FailedPreconditionError
from tfmini._src.base.locks import make_lock
from tfmini._src.base.package import DISTRIBUTION
from tfmini._src.base.records import dataclass
from tfmini._src.devices.arrays import ArrayModule
from tfmini._src.devices.cuda.nvml import nvml_info

_DRIVER = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
_NUMBER = r"\+?([0-9]+)"
# A MIG instance is "MIG-" and its id; with drivers before 470, "MIG-GPU-.../1/0": the GPU's id and two numbers.
_UNIQUE_NAME = r"(GPU|MIG|MIG-GPU)-[0-9a-fA-F][-0-9a-fA-F/]*"


@dataclass(frozen=True)
class PhysicalGpu:
    """A GPU that CUDA sees.

    ordinal: its index among the visible GPUs. bus_id: PCI bus id, such as "0000:3b:00.0", which also identifies the GPU
      to other programs. uuid: the id of the GPU or MIG instance; "" if unknown.
    """

    ordinal: int
    name: str
    bus_id: str
    compute_capability: str
    total_bytes: int
    uuid: str = ""

    @property
    def description(self) -> str:
        """TensorFlow's description of the physical GPU, as in device attributes and placement logs."""
        return (
            f"device: {self.ordinal}, name: {self.name}, pci bus id: {self.bus_id}, "
            f"compute capability: {self.compute_capability}"
        )


@dataclass(frozen=True)
class Discovery:
    """The physical GPUs and CuPy, or why there are none.

    why: a sentence, empty if there are GPUs.
    unexpected: whether something is broken, as opposed to absent or disabled.
    """

    physical_gpus: tuple[PhysicalGpu, ...] = ()
    cupy: Any = None
    why: str = ""
    unexpected: bool = False


_lock = make_lock()
_discovery: tuple[int, Discovery] | None = (
    None  # the process that initialized CUDA, with its physical GPUs
)
_no_gpu_reason = ""  # why no GPU was found


def visible_entries(text: str | None) -> list[str] | None:
    """Returns the physical GPUs in CUDA_VISIBLE_DEVICES, up to the first invalid entry; None (all GPUs) if it is unset.

    Example: `visible_entries("0,2,-1,1")` is `["0", "2"]`.
    """
    if text is None:
        return None
    entries: list[str] = []
    for part in text.split(","):
        entry = part.strip()
        match = re.match(_NUMBER, entry)
        if match:  # CUDA ignores the rest of the entry
            entry = str(int(match[1]))
        elif not re.fullmatch(_UNIQUE_NAME, entry):
            break
        if entry in entries:  # for duplicates, CUDA reports no devices
            return []
        entries.append(entry)
    return entries


def discover() -> Discovery:
    """Discovers physical GPUs, which starts CUDA; loads CuPy only if there is a driver or the program has loaded CuPy.

    Raises:
      FailedPreconditionError: in a fork of a process that has already started CUDA.
    """
    global _discovery, _no_gpu_reason
    discovery = discover_driver()
    if discovery.why:
        return discovery
    with _lock:
        if _discovery is None:
            discovery = _physical_gpus(discovery.cupy, os.environ.get("CUDA_VISIBLE_DEVICES"))
            _no_gpu_reason = discovery.why
            if not discovery.physical_gpus:
                return discovery
            _discovery = os.getpid(), discovery
    check_process(_discovery[0])
    return _discovery[1]


def no_gpu_reason() -> str:
    """Returns why no physical GPU was found; "" if physical GPUs were found or discovery has not run."""
    return discover_driver().why or _no_gpu_reason


def lacks_cuda() -> bool:
    """Whether CUDA is unusable, regardless of whether physical GPUs are hidden."""
    return not _are_hidden() and bool(discover_driver().why)


def _are_hidden() -> bool:
    return visible_entries(os.environ.get("CUDA_VISIBLE_DEVICES")) == []


def count_physical_gpus() -> int:
    """Returns the number of physical GPUs that `discover` finds; uses NVML if possible, which does not start CUDA."""
    discovery = discover_driver()
    if discovery.why:
        return 0
    if _discovery is not None:
        return len(_discovery[1].physical_gpus)
    entries = visible_entries(os.environ.get("CUDA_VISIBLE_DEVICES"))
    count = nvml_info().count_visible(entries)
    return len(discover().physical_gpus) if count is None else count


def check_process(started_in: int) -> None:
    """Raises FailedPreconditionError in a fork of the process that started CUDA, which forks cannot use."""
    if started_in != os.getpid():
        raise FailedPreconditionError(
            None,
            None,
            f"This process was forked from process {started_in}, which had initialized CUDA, "
            "so it cannot use the GPUs. Start the first session after the fork, start "
            "processes by 'spawn', or hide the GPUs from the child with "
            "device_count={'GPU': 0}.",
        )


def discover_driver() -> Discovery:
    """Returns CuPy, or why there are no GPUs, as known before CUDA starts and fixes the visible GPUs."""
    if _are_hidden():
        hidden = os.environ.get("CUDA_VISIBLE_DEVICES")
        return Discovery(why=f"CUDA_VISIBLE_DEVICES={hidden!r} hides all GPUs.")
    loaded = sys.modules.get("cupy")
    if loaded is None and not _has_driver():
        return Discovery(why=f"No NVIDIA driver: {_DRIVER} does not load.")
    if loaded is None:
        try:
            loaded = _cupy()
        except ModuleNotFoundError as error:
            if error.name != "cupy":
                return _load_error(error)
            reason = (
                "An NVIDIA driver is present, but CuPy is not: install "
                f"{DISTRIBUTION}[cuda12] or {DISTRIBUTION}[cuda13] to match the driver's CUDA."
            )
            return Discovery(why=reason, unexpected=True)
        except Exception as error:  # a broken installation may raise any exception
            return _load_error(error)
    return Discovery(cupy=loaded)


def _has_driver() -> bool:
    return _loads(_DRIVER)


@functools.cache  # for each session: a search of all library paths
def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _cupy() -> Any:
    import cupy  # noqa: PLC0415  imported only if a driver is present

    return cupy


def _load_error(error: Exception) -> Discovery:
    text = " ".join(str(error).split())
    return Discovery(why=f"CuPy failed to load: {type(error).__name__}: {text}", unexpected=True)


def _physical_gpus(cupy: ArrayModule, hidden: str | None) -> Discovery:
    runtime = cupy.cuda.runtime
    try:
        count = runtime.getDeviceCount()
        physical_gpus = tuple(_physical_gpu(runtime, n) for n in range(count))
    except runtime.CUDARuntimeError as error:
        if "NoDevice" in str(error):
            count, physical_gpus = 0, ()
        else:
            return Discovery(why=f"CUDA failed to initialize: {error}", unexpected=True)
    if not count:
        hidden_note = "" if hidden is None else f" that CUDA_VISIBLE_DEVICES={hidden!r} shows"
        return Discovery(why=f"CUDA finds no GPU{hidden_note}.")
    _load_compiler(cupy)
    return Discovery(physical_gpus, cupy)


def _load_compiler(cupy: ArrayModule) -> None:
    """Loads NVRTC before several threads compile.

    Compilations in other threads fail until libnvrtc-builtins is loaded too; only CuPy finds it in the CUDA 13.0 wheel.
    """
    with suppress(ImportError, RuntimeError, OSError):  # the first kernel reports its absence
        cupy.cuda.nvrtc.getVersion()


def _physical_gpu(runtime: Any, ordinal: int) -> PhysicalGpu:
    properties = runtime.getDeviceProperties(ordinal)
    name = properties["name"]
    bus = f"{properties['pciDomainID']:04x}:{properties['pciBusID']:02x}:{properties['pciDeviceID']:02x}.0"
    return PhysicalGpu(
        ordinal,
        name.decode() if isinstance(name, bytes) else name,
        bus,
        f"{properties['major']}.{properties['minor']}",
        properties["totalGlobalMem"],
        str(uuid.UUID(bytes=bytes(properties["uuid"]))),
    )
