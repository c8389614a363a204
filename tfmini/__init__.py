"""tfmini: TensorFlow 1.x programs on today's Python and today's GPUs.

`import tfmini as tf` gives the names of TensorFlow 1.15.5.
"""

from typing import Any as _Any

from tfmini import proto as _proto
from tfmini.autodiff.aggregation import AggregationMethod
from tfmini.autodiff.gradients import UnconnectedGradients, gradients
from tfmini.autodiff.registry import RegisterGradient, no_gradient
from tfmini.autodiff.registry import no_gradient as NoGradient
from tfmini.autodiff.registry import no_gradient as NotDifferentiable
from tfmini.dtypes import (
    DType,
    as_dtype,
    bfloat16,
    bool,
    complex64,
    complex128,
    double,
    float16,
    float32,
    float64,
    half,
    int8,
    int16,
    int32,
    int64,
    qint8,
    qint16,
    qint32,
    quint8,
    quint16,
    resource,
    string,
    uint8,
    uint16,
    uint32,
    uint64,
    variant,
)
from tfmini.graph.conversion import convert_to_tensor, register_tensor_conversion_function
from tfmini.graph.default import get_default_session
from tfmini.graph.default_graph import get_default_graph, reset_default_graph
from tfmini.graph.devices import DeviceSpec
from tfmini.graph.graph import Graph
from tfmini.graph.keys import GraphKeys
from tfmini.graph.operation import Operation
from tfmini.graph.scopes import (
    add_to_collection,
    add_to_collections,
    container,
    control_dependencies,
    device,
    get_collection,
    get_collection_ref,
    name_scope,
)
from tfmini.graph.scopes import public_colocate_with as colocate_with
from tfmini.graph.seeds import get_seed, set_random_seed
from tfmini.graph.specs import TensorSpec, TypeSpec
from tfmini.graph.tensor import Tensor
from tfmini.graph.values import (
    IndexedSlices,
    IndexedSlicesSpec,
    SparseTensor,
    SparseTensorSpec,
    SparseTensorValue,
)
from tfmini.ops.asserts import Assert
from tfmini.ops.cases import case
from tfmini.ops.conditions import cond
from tfmini.ops.constants import constant, placeholder, placeholder_with_default
from tfmini.ops.filling import fill, ones, ones_like, zeros, zeros_like
from tfmini.ops.grouping import group, no_op
from tfmini.ops.grouping import tuple_of as tuple
from tfmini.ops.identities import (
    ensure_shape,
    guarantee_const,
    identity,
    identity_n,
    stop_gradient,
)
from tfmini.ops.joining import concat
from tfmini.ops.packing import parallel_stack, stack, unstack
from tfmini.ops.sequences import lin_space, linspace, meshgrid, one_hot, range, sequence_mask
from tfmini.ops.shapes import expand_dims, rank, reshape, shape, shape_n, size, squeeze
from tfmini.ops.splitting import split
from tfmini.session.session import InteractiveSession, Session
from tfmini.shapes import Dimension, TensorShape

# Protocol buffers, loaded at their first use.
_MESSAGES = frozenset(
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
    }
)


def __getattr__(name: str) -> _Any:
    if name in _MESSAGES:
        return getattr(_proto, name)
    raise AttributeError(f"module 'tfmini' has no attribute {name!r}")
