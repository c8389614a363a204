"""tf.raw_ops: all ops by type, called with keywords: `tf.raw_ops.MatMul(a=x, b=y)`.

The functions are created on first use; `tfmini._src.ops` declares the ops.
"""

from collections.abc import Callable as _Callable
from functools import lru_cache as _cache

from tfmini._src.base.names.hints import no_attribute as _no_attribute
from tfmini._src.graph.opdef import registry as _registry
from tfmini._src.ops.framework_test_ops import TYPES as _OF_TESTS
from tfmini._src.ops.raw_functions import raw_function as _raw_function

# Ops registered by or for tf.contrib packages, and absent from tf.raw_ops.
_CONTRIB_OPS = {
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
    "SparseFeatureCross",
    "SparseFeatureCrossV2",
    "WALSComputePartialLhsAndRhs",
    "ZeroInitializer",
    "ZeroVarInitializer",
}


def _is_public(name: str) -> bool:
    """Whether an op is in `tf.raw_ops`, which excludes ops of contrib, Horovod, later releases and tests."""
    if name.startswith(("_", "Horovod")) or name in _CONTRIB_OPS or name in _OF_TESTS:
        return False
    return name in _registry and name not in _registry.newer


def __getattr__(name: str) -> _Callable:
    if not _is_public(name):
        raise _no_attribute("tfmini.raw_ops", name, __dir__())
    if name not in globals():
        globals()[name] = _raw_function(_registry[name])
    return globals()[name]


def __dir__() -> list[str]:
    return list(_public_names(len(_registry)))


@_cache(maxsize=1)
def _public_names(_count: int) -> list[str]:
    """Returns sorted names, cached by the number of registered ops. The hint for each missing name lists them."""
    return sorted(filter(_is_public, _registry))
