"""`ProfileContext`, a block whose steps are sampled for tracing and profiled on request."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterable
from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.errors import InternalError
from tfmini._src.base.locks import make_lock
from tfmini._src.formats.gfile import FileIO
from tfmini._src.formats.gfile_functions import makedirs
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.session.base_session import BaseSession
from tfmini._src.session.fetches import Fetches
from tfmini._src.train.profiler.profiler import Profiler

# The first steps of a program are atypical.
WARMUP_STEPS = 10
MAX_TRACED_STEPS = 100
# Fraction of the graph's nodes to trace; until it is reached, similar steps are traced too.
_MIN_TRACED_FRACTION = 0.5

_VIEWS = {
    "graph": Profiler.profile_graph,
    "scope": Profiler.profile_name_scope,
    "op": Profiler.profile_operations,
    "code": Profiler.profile_python,
}
_contexts: list[ProfileContext] = []


class ProfileContext:
    """Context manager that traces steps of all sessions for a `tf.profiler.Profiler`.

    Args:
      profile_dir: output directory for files `profile_STEP`.
      trace_steps: step numbers to trace, at most 100; None traces a sample of the steps after the tenth, beginning
        with new fetches.
      dump_steps: step numbers after which to write a profile; None for step 100.
      enabled: whether the context has an effect.
      debug: whether to also write the metadata of steps and log to stderr.

    Raises:
      ValueError: if there is no directory, or there are more than 100 steps to trace.
      tf.errors.InternalError: on entry, within another such block.

    Example:
      with tf.contrib.tfprof.ProfileContext("/tmp/profiles", trace_steps=range(20, 30), dump_steps=[30]) as
      context:
          context.add_auto_profiling("op", tf.profiler.ProfileOptionBuilder.time_and_memory(), [25])
          train()
    """

    def __init__(
        self,
        profile_dir: str,
        trace_steps: Any = None,
        dump_steps: Iterable[int] | None = None,
        enabled: bool = True,
        debug: bool = False,
    ):
        self._enabled = enabled
        if not enabled:
            return
        if not profile_dir:
            raise ValueError("Must have a directory for profile.\n")
        if trace_steps is not None and len(trace_steps) > MAX_TRACED_STEPS:
            raise ValueError("Only support tracing up to 100 steps.\n")
        self._directory = profile_dir
        self._debug = debug
        self._samples_steps = trace_steps is None
        self._traces = set(trace_steps or ())
        self._dumps = {MAX_TRACED_STEPS} if dump_steps is None else set(dump_steps)
        self._trace_next = self._dump_next = False
        self._step = self._traced = 0
        self._requests: list[tuple[str, Any, list[int]]] = []
        self._views: dict[str, dict[int, Any]] = {}
        self._profiler: Profiler | None = None
        self._fetched: set[str] = set()
        self._traced_names: set[str] = set()  # names of traced nodes
        self._random = random.Random(111)
        self._lock = make_lock()

    def __enter__(self) -> ProfileContext:
        if self._enabled:
            if _contexts:
                raise InternalError(None, None, "Already in context or context not cleaned.")
            _contexts.append(self)
            self._original_run = BaseSession.run
            BaseSession.run = _profiled_run  # type: ignore[method-assign]
        return self

    def __exit__(self, *error: Any) -> None:
        if self._enabled:
            BaseSession.run = self._original_run  # type: ignore[method-assign,assignment]
            _contexts.remove(self)

    @property
    def profiler(self) -> Profiler | None:
        """The Profiler of the traced steps, or None if disabled."""
        if not self._enabled:
            return None
        if self._profiler is None:
            self._profiler = Profiler(get_default_graph())
        return self._profiler

    def add_auto_profiling(
        self, cmd: str, options: dict[str, Any], profile_steps: Iterable[int]
    ) -> None:
        """Traces and profiles the given steps.

        Args:
          cmd: the view, "scope", "graph", "op" or "code".
          options: view options, as from `tf.profiler.ProfileOptionBuilder`.
          profile_steps: a list of step numbers to profile.
        """
        if self._enabled:
            steps = list(profile_steps)
            self._requests.append((cmd, options, steps))
            self._traces.update(steps)

    def get_profiles(self, cmd: str) -> dict[int, Any]:
        """Returns the profiles of a view, by step.

        Raises:
          ValueError: if the view was never profiled.
        """
        if cmd not in self._views:
            raise ValueError(f"No autoprofiler for command: {cmd}, was run")
        return self._views[cmd]

    def trace_next_step(self) -> None:
        """Requests a trace of the next step."""
        if self._enabled:
            self._trace_next = True

    def dump_next_step(self) -> None:
        """Writes a profile after the next step."""
        if self._enabled:
            self._dump_next = True

    def _run(
        self, session: BaseSession, fetches: Any, feed_dict: Any, options: Any, run_metadata: Any
    ) -> Any:
        """Runs a step; traces at most one of several concurrent steps."""
        run = self._original_run
        if not self._lock.acquire(False):
            return run(session, fetches, feed_dict, options, run_metadata)
        try:
            step = self._step
            if not self._should_trace(step, session, fetches):
                result = run(session, fetches, feed_dict, options, run_metadata)
            else:
                result = self._traced_run(step, session, fetches, feed_dict, options, run_metadata)
            if step in self._dumps or self._dump_next:
                self._print_debug(f"dumping file at step: {step}")
                self._write(f"profile_{step}", self._required_profiler().serialize_to_string())
            self._profile(step)
            return result
        finally:
            self._step += 1
            self._trace_next = self._dump_next = False
            self._lock.release()

    def _traced_run(
        self,
        step: int,
        session: BaseSession,
        fetches: Any,
        feed_dict: Any,
        options: Any,
        run_metadata: Any,
    ) -> Any:
        self._print_debug(f"tracing step: {step}")
        self._traced += 1
        metadata = proto.RunMetadata() if run_metadata is None else run_metadata
        run_options = proto.RunOptions()
        if options is not None:
            run_options.CopyFrom(options)
        run_options.trace_level = proto.RunOptions.FULL_TRACE
        result = self._original_run(session, fetches, feed_dict, run_options, metadata)
        if self._debug:
            self._write(f"run_meta_{step}", str(metadata))
        profiler = self._required_profiler()
        profiler._graph = session.graph
        profiler.add_step(step, metadata)
        self._traced_names.update(
            node.node_name for device in metadata.step_stats.dev_stats for node in device.node_stats
        )
        return result

    def _required_profiler(self) -> Profiler:
        profiler = self.profiler
        assert profiler is not None
        return profiler

    def _should_trace(self, step: int, session: BaseSession, fetches: Any) -> bool:
        if self._traced > MAX_TRACED_STEPS:
            return False
        if step in self._traces or self._trace_next:
            return True
        if not self._samples_steps or step <= WARMUP_STEPS:
            return False
        resolved = Fetches(session.graph, fetches)
        names = [tensor.name for tensor in resolved.tensors] + [op.name for op in resolved.targets]
        name = "-".join(sorted(names))
        self._print_debug(f"trace fetches: {name}")
        if name not in self._fetched:
            self._fetched.add(name)
            return True
        nodes = len(session.graph.get_operations())
        is_known = len(self._traced_names) >= _MIN_TRACED_FRACTION * nodes
        return not is_known and step < MAX_TRACED_STEPS and self._random.randint(0, 10) < 2

    def _profile(self, step: int) -> None:
        """Computes the views requested for this step."""
        for cmd, options, steps in self._requests:
            if step not in steps:
                continue
            self._print_debug(f"profiling {cmd} step: {step}")
            if cmd not in _VIEWS:
                raise ValueError(f"Unknown cmd: {cmd}\n")
            self._views.setdefault(cmd, {})[step] = _VIEWS[cmd](self._required_profiler(), options)

    def _write(self, name: str, contents: Any) -> None:
        makedirs(self._directory)
        with FileIO(os.path.join(self._directory, name), "w") as file:
            file.write(contents)

    def _print_debug(self, text: str) -> None:
        if self._debug:
            sys.stderr.write(f"debug: {text}\n")


def _profiled_run(
    self: BaseSession,
    fetches: Any,
    feed_dict: Any = None,
    options: Any = None,
    run_metadata: Any = None,
) -> Any:
    return _contexts[0]._run(self, fetches, feed_dict, options, run_metadata)
