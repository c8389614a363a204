"""Names of `tf` that load at their first use: messages, and namespaces that most programs do not touch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini import proto
from tfmini.hints import no_attribute

MESSAGES = frozenset(
    {
        "AttrValue",
        "ConfigProto",
        "Event",
        "GPUOptions",
        "GraphDef",
        "GraphOptions",
        "HistogramProto",
        "LogMessage",
        "MetaGraphDef",
        "NameAttrList",
        "NodeDef",
        "OptimizerOptions",
        "RunMetadata",
        "RunOptions",
        "SessionLog",
        "Summary",
        "SummaryMetadata",
        "TensorInfo",
    }
)
NAMES = MESSAGES | {"contrib", "distributions", "graph_util", "layers", "saved_model", "test"}


def late_names(names: dict[str, Any]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of the package whose globals are `names`."""

    def get(name: str) -> Any:
        if name in MESSAGES:
            return getattr(proto, name)
        if name == "contrib":
            import tfmini.contrib  # noqa: PLC0415
        elif name == "distributions":
            import tfmini.distributions  # noqa: PLC0415
        elif name == "graph_util":
            import tfmini.graph_util  # noqa: PLC0415
        elif name == "layers":
            import tfmini.layers  # noqa: PLC0415
        elif name == "saved_model":
            import tfmini.saved_model  # noqa: PLC0415
        elif name == "test":
            import tfmini.test  # noqa: F401, PLC0415
        if name in NAMES:
            return names[name]  # where the import has put it
        raise no_attribute("tfmini", name, {*names, *NAMES})

    return get, lambda: sorted({*names, *NAMES})
