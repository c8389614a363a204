"""Packages of `tf.contrib` that load at their first use: few programs touch them."""

from __future__ import annotations

import sys
from typing import Any


def load(name: str) -> Any:
    """What `tf.contrib` offers under this name."""
    if name == "bayesflow":
        import tfmini.contrib.bayesflow  # noqa: PLC0415
    elif name == "checkpoint":
        import tfmini.contrib.checkpoint  # noqa: PLC0415
    elif name == "copy_graph":
        import tfmini.contrib.copy_graph  # noqa: PLC0415
    elif name == "distributions":
        import tfmini.contrib.distributions  # noqa: PLC0415
    elif name == "kernel_methods":
        import tfmini.contrib.kernel_methods  # noqa: PLC0415
    elif name == "mixed_precision":
        import tfmini.contrib.mixed_precision  # noqa: PLC0415
    elif name == "model_pruning":
        import tfmini.contrib.model_pruning  # noqa: PLC0415
    elif name == "keras":
        import tfmini.contrib.keras  # noqa: PLC0415
    elif name == "quantize":
        import tfmini.contrib.quantize  # noqa: PLC0415
    elif name == "receptive_field":
        import tfmini.contrib.receptive_field  # noqa: PLC0415
    elif name == "saved_model":
        import tfmini.contrib.saved_model  # noqa: PLC0415
    elif name == "signal":
        import tfmini.contrib.signal  # noqa: PLC0415
    elif name == "solvers":
        import tfmini.contrib.solvers  # noqa: PLC0415
    elif name == "timeseries":
        import tfmini.contrib.timeseries  # noqa: PLC0415
    else:
        import tfmini.contrib.stateless  # noqa: F401, PLC0415
    return sys.modules[f"{__name__.rpartition('.')[0]}.{name}"]
