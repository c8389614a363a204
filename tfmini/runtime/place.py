"""place: which device runs each node.

An explicit device first, else that of the node's group (colocation, reference edges), else CPU:0.
"""

from __future__ import annotations

from typing import Any

from tfmini.runtime.program import Program


def place(program: Program, devices: Any) -> Program:
    """Checks and completes the device of each node."""
    return program
