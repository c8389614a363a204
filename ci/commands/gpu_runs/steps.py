"""A step on a GPU, and a call: the steps of one command."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

# Seconds for the setup and the end of every call.
FIND_DEVICE, INSTALL_WHEELS, CHECK_VERSIONS, KEEP_CACHES = 5, 8, 20, 6
AROUND = FIND_DEVICE + INSTALL_WHEELS + CHECK_VERSIONS + KEEP_CACHES


@dataclass(frozen=True)
class Step:
    """One process with its own limit and log.

    Attributes:
      name: of its log, NN-name.log.
      limit: seconds until it is stopped, including the time to stop it.
      arguments: for Python. "{log}" becomes the log's path without its suffix, "{soon}" slightly fewer seconds than
        the limit, "{workers}" the number of test processes.
      environment: variables to set.
      under: the program, with its options, that runs Python; the step is skipped if it is not installed.
      shown: number of last log lines in the summary.
      takes_rest: whether it may also use the time left over by earlier steps.
    """

    name: str
    limit: int
    arguments: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    under: tuple[str, ...] = ()
    shown: int = 0
    takes_rest: bool = False


@dataclass(frozen=True)
class Call:
    """Steps that run in sequence.

    Attributes:
      title: heading of the summary.
      limit: seconds for the whole call; AROUND and the limits of its steps fit in.
      steps: in their order.
    """

    title: str
    limit: int
    steps: tuple[Step, ...]
