"""CUDA libraries and headers that CuPy requires but its wheel does not ship."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from tfmini._src.devices.arrays import ArrayModule

# Libraries by their cuda.pathfinder name.
_LIBRARIES = {
    "nvrtc": "NVRTC",
    "cublas": "cuBLAS",
    "cusolver": "cuSOLVER",
    "cusparse": "cuSPARSE",
    "curand": "cuRAND",
    "cufft": "cuFFT",
}


def cuda_major(cupy: ArrayModule) -> int:
    """Returns the CUDA major version for which CuPy is built."""
    return int(cupy.cuda.runtime.runtimeGetVersion()) // 1000


def missing_libraries() -> list[str]:
    """Returns the names of missing CUDA libraries, including "CUDA's headers"; loads the libraries it finds."""
    try:
        from cuda import pathfinder  # noqa: PLC0415  comes with CuPy
    except ImportError:
        return ["cuda-pathfinder"]
    return list(_missing_libraries(pathfinder))


def _missing_libraries(pathfinder: Any) -> Iterator[str]:
    for name, words in _LIBRARIES.items():
        if not _is_installed(pathfinder.load_nvidia_dynamic_lib, name):
            yield words
    if not _is_installed(pathfinder.find_nvidia_header_directory, "cudart"):
        yield "CUDA's headers"


def _is_installed(find: Callable[[str], Any], name: str) -> bool:
    with suppress(RuntimeError, OSError):  # raised if it is missing
        return find(name) is not None
    return False
