"""`figure.add_subplot("111")`, accepted by matplotlib 3.3."""

from __future__ import annotations

import functools
from typing import Any

from matplotlib.figure import FigureBase


def accept_digits() -> None:
    """Makes `add_subplot` also accept its three digits as a string."""
    add_subplot = FigureBase.add_subplot

    @functools.wraps(add_subplot)
    def adding(figure: Any, *args: Any, **kwargs: Any) -> Any:
        if args and isinstance(args[0], str):
            args = (int(args[0]), *args[1:])
        return add_subplot(figure, *args, **kwargs)

    setattr(FigureBase, "add_subplot", adding)  # noqa: B010
