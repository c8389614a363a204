"""Names of `tf` that load at their first use: messages, and namespaces that most programs do not touch."""

from __future__ import annotations

import sys
from typing import Any

from tfmini import proto
from tfmini.names.later import register

_PACKAGE = proto.__name__.rpartition(".")[0]

_NAMESPACES = (
    *("app", "audio", "autograph", "bitwise", "config", "contrib"),
    *("data", "distribute", "distributions", "estimator", "feature_column", "flags"),
    *("graph_util", "image", "initializers", "io", "keras", "layers"),
    *("linalg", "lookup", "losses", "manip", "metrics", "profiler"),
    *("python_io", "quantization", "queue", "ragged", "random", "raw_ops"),
    *("resource_loader", "saved_model", "sets", "signal", "sparse", "spectral"),
    *("strings", "summary", "sysconfig", "test", "train", "user_ops"),
)


def load(name: str) -> Any:
    """What `tf` offers under this name."""
    if name in ("RaggedTensor", "RaggedTensorSpec"):
        load("ragged")
        from tfmini.ops.ragged import ragged_specs, ragged_tensors  # noqa: PLC0415

        return getattr(ragged_tensors if name == "RaggedTensor" else ragged_specs, name)
    if name == "CriticalSection":
        from tfmini.functions.critical_sections import CriticalSection  # noqa: PLC0415

        return CriticalSection
    if name == "OptionalSpec":
        from tfmini.data.experimental.optionals import OptionalSpec  # noqa: PLC0415

        return OptionalSpec
    if name in ("function", "switch_case", "wrap_function"):
        from tfmini.functions import indexed_case, polymorphic  # noqa: PLC0415

        return getattr(indexed_case if name == "switch_case" else polymorphic, name)
    if name not in _NAMESPACES:
        return getattr(proto, name)
    if name == "app":
        import tfmini.app  # noqa: PLC0415
    elif name == "audio":
        import tfmini.audio  # noqa: PLC0415
    elif name == "autograph":
        import tfmini.autograph  # noqa: PLC0415
    elif name == "bitwise":
        import tfmini.bitwise  # noqa: PLC0415
    elif name == "config":
        import tfmini.config  # noqa: PLC0415
    elif name == "contrib":
        import tfmini.contrib  # noqa: PLC0415
    elif name == "data":
        import tfmini.data  # noqa: PLC0415
    elif name == "distribute":
        import tfmini.distribute  # noqa: PLC0415
    elif name == "distributions":
        import tfmini.distributions  # noqa: PLC0415
    elif name == "estimator":
        import tfmini.estimator  # noqa: PLC0415
    elif name == "feature_column":
        import tfmini.feature_column  # noqa: PLC0415
    elif name == "flags":
        import tfmini.flags  # noqa: PLC0415
    elif name == "graph_util":
        import tfmini.graph_util  # noqa: PLC0415
    elif name == "image":
        import tfmini.image  # noqa: PLC0415
    elif name == "initializers":
        import tfmini.initializers  # noqa: PLC0415
    elif name == "io":
        import tfmini.io  # noqa: PLC0415
    elif name == "keras":
        import tfmini.keras  # noqa: PLC0415
    elif name == "layers":
        import tfmini.layers  # noqa: PLC0415
    elif name == "linalg":
        import tfmini.linalg  # noqa: PLC0415
    elif name == "lookup":
        import tfmini.lookup  # noqa: PLC0415
    elif name == "losses":
        import tfmini.losses  # noqa: PLC0415
    elif name == "manip":
        import tfmini.manip  # noqa: PLC0415
    elif name == "metrics":
        import tfmini.metrics  # noqa: PLC0415
    elif name == "profiler":
        import tfmini.profiler  # noqa: PLC0415
    elif name == "python_io":
        import tfmini.python_io  # noqa: PLC0415
    elif name == "quantization":
        import tfmini.quantization  # noqa: PLC0415
    elif name == "queue":
        import tfmini.queue  # noqa: PLC0415
    elif name == "ragged":
        import tfmini.ragged  # noqa: PLC0415
    elif name == "random":
        import tfmini.random  # noqa: PLC0415
    elif name == "raw_ops":
        import tfmini.raw_ops  # noqa: PLC0415
    elif name == "resource_loader":
        import tfmini.resource_loader  # noqa: PLC0415
    elif name == "saved_model":
        import tfmini.saved_model  # noqa: PLC0415
    elif name == "sets":
        import tfmini.sets  # noqa: PLC0415
    elif name == "signal":
        import tfmini.signal  # noqa: PLC0415
    elif name == "sparse":
        import tfmini.sparse  # noqa: PLC0415
    elif name == "spectral":
        import tfmini.spectral  # noqa: PLC0415
    elif name == "strings":
        import tfmini.strings  # noqa: PLC0415
    elif name == "summary":
        import tfmini.summary  # noqa: PLC0415
    elif name == "sysconfig":
        import tfmini.sysconfig  # noqa: PLC0415
    elif name == "test":
        import tfmini.test  # noqa: PLC0415
    elif name == "train":
        import tfmini.train  # noqa: PLC0415
    else:
        import tfmini.user_ops  # noqa: F401, PLC0415
    # Not as an attribute of the package: what the module imports may ask for it before it has run to its end.
    return sys.modules[f"{_PACKAGE}.{name}"]


def _newer_head(name: str) -> Any:
    from tfmini.keras import heads  # noqa: PLC0415

    return getattr(heads, name)


def _replicas(name: str) -> Any:
    from tfmini.keras import replicas  # noqa: PLC0415

    return getattr(replicas, name)


def _conversion(name: str) -> Any:
    from tfmini.autograph import conversions  # noqa: PLC0415

    return getattr(conversions, name)


register("tf.autograph", _conversion)
register("tf.estimator", _newer_head)
register("tf.keras.utils", _replicas)
