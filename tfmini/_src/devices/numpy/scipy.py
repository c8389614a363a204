"""scipy, loaded on first use: `from tfmini._src.devices import scipy`, then `scipy.special.erf` as usual.

Importing it takes 10 ms, and most programs do not use it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from tfmini._src.devices.host.denormals import enable_denormals
from tfmini._src.devices.host.threads import limit_blas


def __getattr__(name: str) -> Any:
    return _import_submodule(name)


@cache
def _import_submodule(name: str) -> Any:
    # When imported, parts of NumPy measure the smallest float, even during a run.
    with enable_denormals():
        import scipy  # noqa: PLC0415

        part = getattr(scipy, name)
    limit_blas()  # SciPy has its own BLAS, loaded only now
    return part
