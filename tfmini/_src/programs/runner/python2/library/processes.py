"""`subprocess` and `commands`, with text output."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from typing import Any

from tfmini._src.programs.runner.python2.byte_text import as_bytes, as_native


class Popen(subprocess.Popen):
    """A process whose output is text if its bytes are decodable."""

    def communicate(self, input: Any = None, *args: Any, **kwargs: Any) -> Any:
        input_bytes = input if getattr(self, "text_mode", False) else as_bytes(input)
        return tuple(map(as_native, super().communicate(input_bytes, *args, **kwargs)))


def _check_output(*args: Any, **kwargs: Any) -> Any:
    return as_native(subprocess.check_output(*args, **kwargs))


MODULES: dict[str, tuple[tuple[str, ...], Mapping[str, Any]]] = {
    "commands": (("subprocess",), {"__name__": "commands"}),
    "subprocess": (("subprocess",), {"Popen": Popen, "check_output": _check_output}),
}
