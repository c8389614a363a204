"""tf.profiler: parameters, operations, times and memory of a graph's nodes, added up."""

import typing as _typing
from functools import partial as _partial

from tfmini import proto as _proto
from tfmini.names.namespaces import namespace as _namespace
from tfmini.profiles.op_logs import write_op_log
from tfmini.profiles.options import ProfileOptionBuilder
from tfmini.profiles.profiler import Profiler, advise, profile

if _typing.TYPE_CHECKING:  # what loads at its first use, shown to editors
    from tfmini.proto import AdviceProto, GraphNodeProto, MultiGraphNodeProto, OpLogProto

__all__ = [
    "AdviceProto",
    "GraphNodeProto",
    "MultiGraphNodeProto",
    "OpLogProto",
    "ProfileOptionBuilder",
    "Profiler",
    "advise",
    "profile",
    "write_op_log",
]

_namespace(globals(), _partial(getattr, _proto))
