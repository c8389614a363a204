"""scipy, loaded at its first use: `from tfmini._src.devices import scipy`, then `scipy.special.erf` as ever.

Its import takes 10 ms, which most programs would pay for nothing.
"""

from __future__ import annotations

from typing import Any

from tfmini._src.devices.denormals import kept


def __getattr__(name: str) -> Any:
    with (
        kept()
    ):  # parts of numpy that scipy imports measure the smallest number, also in the middle of a run
        import scipy  # noqa: PLC0415

        return getattr(scipy, name)
