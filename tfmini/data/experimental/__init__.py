"""tf.data.experimental: transformations for `Dataset.apply`, options, the types of elements."""

from tfmini.data.dataset import AUTOTUNE
from tfmini.data.dataset_v1 import get_structure
from tfmini.data.experimental.applied import counter as Counter
from tfmini.data.experimental.applied import (
    enumerate_dataset,
    from_variant,
    map_and_batch,
    parallel_interleave,
    scan,
    shuffle_and_repeat,
    to_variant,
    unbatch,
)
from tfmini.data.options import (
    DistributeOptions,
    MapVectorizationOptions,
    OptimizationOptions,
    StatsOptions,
    ThreadingOptions,
)
from tfmini.data.specs import DatasetSpec as DatasetStructure
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "AUTOTUNE",
    "Counter",
    "DatasetStructure",
    "DistributeOptions",
    "MapVectorizationOptions",
    "OptimizationOptions",
    "StatsOptions",
    "ThreadingOptions",
    "enumerate_dataset",
    "from_variant",
    "get_structure",
    "map_and_batch",
    "parallel_interleave",
    "scan",
    "shuffle_and_repeat",
    "to_variant",
    "unbatch",
]

_namespace(globals())
