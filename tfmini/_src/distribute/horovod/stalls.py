"""Warnings about ranks that wait for others: ranks in different operations, or a rank that skipped a branch.

Horovod's own variables: HOROVOD_STALL_CHECK_TIME_SECONDS (60) until a wait is logged,
HOROVOD_STALL_SHUTDOWN_TIME_SECONDS (0: never) until it fails; HOROVOD_STALL_CHECK_DISABLE=1 disables both.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.errors import invalid
from tfmini._src.cluster.rendezvous import Future
from tfmini._src.distribute.horovod.failures import HorovodInternalError

_CHECK = "HOROVOD_STALL_CHECK_TIME_SECONDS"
_SHUTDOWN = "HOROVOD_STALL_SHUTDOWN_TIME_SECONDS"
_RETRY_SECONDS = 1.0


class StallCheck:
    """Limits of this process's waits for others, read from the environment at construction.

    Raises:
      InvalidArgumentError: if a variable is not a number of seconds.
    """

    def __init__(self) -> None:
        is_disabled = os.environ.get("HOROVOD_STALL_CHECK_DISABLE", "") not in ("", "0")
        self._warn_after = 0.0 if is_disabled else _seconds(_CHECK, 60.0)
        self._fail_after = 0.0 if is_disabled else _seconds(_SHUTDOWN, 0.0)

    def wait(self, outcome: Future, name: str, missing: Callable[[], list[int]]) -> Any:
        """Waits for another rank's value in an operation.

        missing: returns the ranks that have not reached it.

        Raises:
          HorovodInternalError: if it does not arrive in time.
        """
        if self._warn_after and not outcome.wait(self._warn_after):
            logs.warning(
                "This rank has waited for %s of %s for more than %g seconds. Ranks may be in "
                "different operations, or some may have skipped this one.",
                name,
                ranks_text(missing()),
                self._warn_after,
            )
        remaining = max(0.0, self._fail_after - self._warn_after)
        while self._fail_after and not outcome.wait(remaining):
            ranks = missing()
            if ranks:
                raise HorovodInternalError(
                    None,
                    None,
                    f"{ranks_text(ranks).capitalize()} {'has' if len(ranks) == 1 else 'have'} "
                    f"not reached {name} within {self._fail_after:g} seconds ({_SHUTDOWN})",
                )
            remaining = _RETRY_SECONDS  # all ranks have arrived, or a failure notice is on its way
        return outcome.get()


def ranks_text(ranks: Sequence[int]) -> str:
    """Returns the ranks as text; "other ranks" for none."""
    if not ranks:
        return "other ranks"
    return f"rank{'s' * (len(ranks) > 1)} {', '.join(map(str, ranks))}"


def _seconds(name: str, default: float) -> float:
    text = os.environ.get(name, "")
    try:
        value = float(text) if text else default
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        invalid(f"{name} is {text!r}, not a number of seconds")
    return value
