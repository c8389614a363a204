"""`tensorflow.python.debug`: sessions and hooks that dump all tensors of a step."""

from tfmini._src.train.debugger.dump_dir import DebugDumpDir
from tfmini._src.train.debugger.filters import has_inf_or_nan
from tfmini._src.train.debugger.hooks import DumpingDebugHook, LocalCLIDebugHook
from tfmini._src.train.debugger.tensor_datum import (
    DebugTensorDatum,
    load_tensor_from_event,
    load_tensor_from_event_file,
)
from tfmini._src.train.debugger.watches import WatchOptions
from tfmini._src.train.debugger.wrappers import (
    DumpingDebugWrapperSession,
    LocalCLIDebugWrapperSession,
)

__all__ = [
    "DebugDumpDir",
    "DebugTensorDatum",
    "DumpingDebugHook",
    "DumpingDebugWrapperSession",
    "LocalCLIDebugHook",
    "LocalCLIDebugWrapperSession",
    "WatchOptions",
    "has_inf_or_nan",
    "load_tensor_from_event",
    "load_tensor_from_event_file",
]
