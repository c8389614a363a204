"""`tf.compat.v2.summary.trace_on`, which records the graphs of functions called in eager mode, for TensorBoard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import logs, proto
from tfmini._src.base.locks import make_lock
from tfmini._src.functions.library_functions import LibraryFunction
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager import execution_mode
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.train.summary_v2.write_summary import run_metadata, run_metadata_graphs


class _Trace:
    """The functions called since a trace was started.

    profiler: whether a profile was requested.
    call: the previous function caller.
    """

    def __init__(self, profiler: bool, call: Callable[..., list[Any]]):
        self.profiler = profiler
        self._call = call
        self._functions: dict[str, LibraryFunction] = {}

    def __call__(self, function: LibraryFunction, *args: Any) -> list[Any]:
        self._functions[function.library_name] = function
        return self._call(function, *args)

    def metadata(self) -> Any:
        """Returns the recorded graphs, in order of first call."""
        metadata = proto.RunMetadata()
        for function in self._functions.values():
            graph = function.graph.as_graph_def()
            metadata.function_graphs.add(pre_optimization_graph=graph, partition_graphs=[graph])
            metadata.partition_graphs.add().CopyFrom(graph)
        return metadata

    def end(self) -> None:
        """Restores the previous function caller."""
        execution_mode.call = self._call


_lock = make_lock()
_current: _Trace | None = None


def trace_on(graph: bool = True, profiler: bool = False) -> None:
    """Starts recording the graphs of functions called in eager mode, in all threads.

    Args:
      graph: whether to record graphs.
      profiler: whether the summary contains a complete RunMetadata; no profile is recorded.
    """
    global _current
    if get_default_graph().building_function:
        logs.warn("Cannot enable trace inside a tf.function.")
    elif not executing_eagerly():
        logs.warn("Must enable trace in eager mode.")
    else:
        with _lock:
            if _current is not None:
                logs.warn("Trace already enabled")
                return
            assert execution_mode.call is not None
            execution_mode.call = _current = _Trace(profiler or not graph, execution_mode.call)


def trace_export(name: str, step: Any = None, profiler_outdir: str | None = None) -> None:
    """Ends the trace and writes it with the thread's writer.

    Args:
      name: the name of the summary.
      step: as in `tf.compat.v2.summary.write`.
      profiler_outdir: required if `trace_on` was called with `profiler`.

    Raises:
      ValueError: if there is no trace, or no step for the thread's writer.
    """
    if get_default_graph().building_function:
        logs.warn("Cannot export trace inside a tf.function.")
        return
    if not executing_eagerly():
        logs.warn("Can only export trace while executing eagerly.")
        return
    trace = _current
    if trace is None:
        raise ValueError("Must enable trace before export.")
    if trace.profiler and profiler_outdir is None:
        raise ValueError("Required profiler_outdir is not specified")
    (run_metadata if trace.profiler else run_metadata_graphs)(name, trace.metadata(), step)
    trace_off()


def trace_off() -> None:
    """Discards the trace, if any."""
    global _current
    with _lock:
        if _current is not None:
            _current.end()
        _current = None
