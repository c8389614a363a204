"""`tensorflow.python.debug`: sessions and hooks that look at every tensor of a step, and what they write."""

from tfmini.debugger.dump_dir import (
    DebugDumpDir,
    DebugTensorDatum,
    load_tensor_from_event,
    load_tensor_from_event_file,
)
from tfmini.debugger.filters import has_inf_or_nan
from tfmini.debugger.hooks import DumpingDebugHook, LocalCLIDebugHook
from tfmini.debugger.watches import WatchOptions
from tfmini.debugger.wrappers import DumpingDebugWrapperSession, LocalCLIDebugWrapperSession

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
