"""tf.raw_ops: every op by its type, called with keywords: `tf.raw_ops.MatMul(a=x, b=y)`.

The functions are made when they are first asked for; `tfmini.ops` declares the ops.
"""

from collections.abc import Callable as _Callable

from tfmini.graph.opdef import registry as _registry
from tfmini.names.hints import no_attribute as _no_attribute
from tfmini.ops.raw_functions import raw_function as _raw_function

# Registered by packages of tf.contrib, or for them, so no ops of tf.raw_ops.
_OF_CONTRIB = {
    "BipartiteMatch",
    "GatherTree",
    "ImageConnectedComponents",
    "ImageProjectiveTransform",
    "ImageProjectiveTransformV2",
    "KMC2ChainInitialization",
    "KmeansPlusPlusInitialization",
    "MaskedMatmul",
    "NearestNeighbors",
    "Resampler",
    "ResamplerGrad",
    "SingleImageRandomDotStereograms",
    "WALSComputePartialLhsAndRhs",
}


def __getattr__(name: str) -> _Callable:
    if name.startswith("_") or name in _OF_CONTRIB or name not in _registry:
        raise _no_attribute(__name__, name, __dir__())
    globals()[name] = _raw_function(_registry[name])
    return globals()[name]


def __dir__() -> list[str]:
    return sorted(name for name in {*_registry} - _OF_CONTRIB if not name.startswith("_"))
