"""`tf.profiler.profile`, and the Profiler of several steps."""

from __future__ import annotations

import sys
from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.errors import UnimplementedError, invalid
from tfmini._src.formats.gfile import FileIO
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.graph import Graph
from tfmini._src.train.profiler import profile_text
from tfmini._src.train.profiler.code_view import view_by_lines
from tfmini._src.train.profiler.graph_view import view_by_inputs
from tfmini._src.train.profiler.grouped_views import (
    calls_message,
    graph_message,
    kinds_message,
    view_by_kinds,
    view_by_scopes,
)
from tfmini._src.train.profiler.nodes import graph_nodes
from tfmini._src.train.profiler.op_logs import merge_default_with_oplog
from tfmini._src.train.profiler.options import Options, ProfileOptionBuilder, options_proto

_EMPTY_PROTOS = {
    "scope": proto.GraphNodeProto,
    "graph": proto.GraphNodeProto,
    "op": proto.MultiGraphNodeProto,
    "code": proto.MultiGraphNodeProto,
}
_OUTPUTS = ("stdout", "none", "file")


def profile(
    graph: Graph | None = None,
    run_meta: proto.RunMetadata | None = None,
    op_log: object = None,
    cmd: str = "scope",
    options: Any = 0,
) -> Any:
    """Profiles parameters, floating-point operations, time and memory of a graph's nodes, and prints a report.

    Args:
      graph: a `tf.Graph`; by default the default graph.
      run_meta: the RunMetadata of a step, for time and memory.
      op_log: an OpLogProto with types and operations of nodes.
      cmd: the view: "scope" (name scopes), "graph" (nodes below their consumers), "op" (op types) or "code"
        (call tree by source line).
      options: a dict from `tf.profiler.ProfileOptionBuilder`; by default the parameters of trainable variables.

    Returns:
      A GraphNodeProto for "scope" and "graph", a MultiGraphNodeProto for "op" and "code".

    Raises:
      InvalidArgumentError: for an unknown view.
      UnimplementedError: for timeline and pprof outputs.

    Example:
      tf.profiler.profile(
          session.graph, run_meta=metadata, options=tf.profiler.ProfileOptionBuilder.time_and_memory()
      )
    """
    graph = get_default_graph() if graph is None else graph
    if isinstance(options, int) and options == 0:
        options = ProfileOptionBuilder.trainable_variables_parameter()
    if cmd not in _EMPTY_PROTOS:
        invalid(f"unknown cmd: {cmd}\n")
    merged = merge_default_with_oplog(graph, op_log, run_meta, add_trace=cmd == "code")
    _announce()
    return _view(graph, merged, [] if run_meta is None else [(1, run_meta)], cmd, options)


def _view(graph: Any, op_log: Any, steps: list[tuple[int, Any]], cmd: str, value: Options) -> Any:
    options = options_proto(value)
    options.output = options.output or "stdout"
    output_type, _, rest = options.output.partition(":")
    if output_type in ("timeline", "pprof"):
        raise UnimplementedError(
            None,
            None,
            f"profile(): output {options.output!r}; use tensorflow.python.client.timeline for timelines, or the "
            "runner's --profile for source lines",
        )
    if "tensor_value" in options.select:
        raise UnimplementedError(None, None, "profile(): select tensor_value")
    outputs = {name: text for name, _, text in [rest.partition("=")] if rest}
    if (
        outputs.keys() != ({"outfile"} if output_type == "file" else set())
        or output_type not in _OUTPUTS
    ):
        return _EMPTY_PROTOS[cmd]()
    if options.step >= 0 and options.step not in {step_id for step_id, _ in steps}:
        if output_type == "stdout":
            sys.stdout.write(_report(options, ""))
            sys.stdout.flush()
        return _EMPTY_PROTOS[cmd]()
    nodes = graph_nodes(graph, op_log, [step for step in steps if options.step in (-1, step[0])])
    if cmd == "scope":
        root = view_by_scopes(nodes, options)
        message, lines = graph_message(root), profile_text.scope_lines(root, options)
    elif cmd == "graph":
        root = view_by_inputs(nodes, options)
        message, lines = (
            graph_message(root),
            profile_text.scope_lines(root, options, "_TFGraphParent"),
        )
    elif cmd == "code":
        root = view_by_lines(nodes, op_log, options)
        message, lines = calls_message(root), profile_text.call_lines(root, options)
    else:
        root, op_types = view_by_kinds(nodes, options)
        message, lines = (
            kinds_message(root, op_types),
            profile_text.kind_lines(root, op_types, options),
        )
    if output_type == "none":
        return message
    report = (
        f"{profile_text.warning(nodes.values())}\n{profile_text.docs(options, cmd)}\n\nProfile:\n"
        + "".join(f"{line}\n" for line in lines)
    )
    if output_type == "file":
        with FileIO(outputs["outfile"], "w") as file:
            file.write(report)
        return message
    sys.stdout.write(_report(options, report))
    sys.stdout.flush()
    return message


def _report(options: Any, text: str) -> str:
    return (
        f"{profile_text.heading(options)}\n\n"
        "==================Model Analysis Report======================\n"
        f"{text}\n"
        "======================End of Report==========================\n"
    )


def _announce() -> None:
    """Prints the messages that TensorFlow prints when it reads a graph for the profiler."""
    sys.stdout.write("Parsing Inputs...\n")
    sys.stdout.flush()


_CHECKERS = ("ExpensiveOperationChecker",)


def advise(
    graph: Graph | None = None, run_meta: proto.RunMetadata | None = None, options: Any = 0
) -> Any:
    """Reports the most expensive op types of a step.

    Args:
      graph: a `tf.Graph`; by default the default graph.
      run_meta: the RunMetadata of a step.
      options: a dict keyed by checker (only "ExpensiveOperationChecker"); 0 for all checkers.

    Returns:
      An AdviceProto with the reports of the checkers.

    Raises:
      UnimplementedError: for TensorFlow's other checkers.
    """
    graph = get_default_graph() if graph is None else graph
    merged = merge_default_with_oplog(graph, None, run_meta, add_trace=False)
    _announce()
    return _advice(graph, merged, [] if run_meta is None else [(1, run_meta)], options)


def _advice(graph: Any, op_log: Any, steps: list[tuple[int, Any]], options: Any) -> Any:
    for name in options or ():
        if name not in _CHECKERS:
            text = f"advise(): {name}; there is {', '.join(_CHECKERS)}"
            raise UnimplementedError(None, None, text)
    profile_options = ProfileOptionBuilder.time_and_memory(min_bytes=0)
    root, op_types = view_by_kinds(
        graph_nodes(graph, op_log, steps), options_proto(profile_options)
    )
    lines = []
    for rank, op_type in enumerate(op_types[:3], 1):
        cpu, gpu, total = (
            op_type.own_total(name)
            for name in ("cpu_exec_micros", "accelerator_exec_micros", "exec_micros")
        )
        lines.append(
            f"top {rank} operation type: {op_type.name}, cpu: {profile_text.duration(cpu)}, accelerator: "
            f"{profile_text.duration(gpu)}, total: {profile_text.duration(total)} "
            f"({100 * total / root.totals['exec_micros']:.2f}%)"
        )
    message = proto.AdviceProto()
    report = message.checkers[_CHECKERS[0]]
    if lines:
        report.reports.append("\n".join(lines))
    sys.stdout.write("\n".join([f"{_CHECKERS[0]}:", *lines, "", ""]))
    sys.stdout.flush()
    return message


class Profiler:
    """Profiles several steps.

    Args:
      graph: a `tf.Graph`; by default the default graph.
      op_log: an OpLogProto with types and operations of nodes.

    Example:
      profiler = tf.profiler.Profiler(session.graph)
      session.run(train, options=options, run_metadata=metadata)
      profiler.add_step(1, metadata)
      profiler.profile_operations(tf.profiler.ProfileOptionBuilder.time_and_memory())
    """

    def __init__(self, graph: Graph | None = None, op_log: object = None):
        self._graph = get_default_graph() if graph is None else graph
        self._op_log = merge_default_with_oplog(self._graph, op_log, add_trace=False)
        self._has_lines = False
        self._steps: list[tuple[int, Any]] = []
        _announce()

    def add_step(self, step: int, run_meta: proto.RunMetadata) -> None:
        """Adds a step.

        Args:
          step: the step number, for `with_step` of profile options.
          run_meta: the step's RunMetadata.
        """
        run_metadata = proto.RunMetadata()
        run_metadata.CopyFrom(run_meta)
        self._steps.append((step, run_metadata))

    def profile_name_scope(self, options: Options) -> Any:
        """Profiles by name scope; returns a GraphNodeProto. `options` are as in `tf.profiler.profile`."""
        return self._profile("scope", options)

    def profile_operations(self, options: Options) -> Any:
        """Profiles by op type; returns a MultiGraphNodeProto. `options` are as in `tf.profiler.profile`."""
        return self._profile("op", options)

    def profile_graph(self, options: Options) -> Any:
        """Profiles by data flow; returns a GraphNodeProto. `options` are as in `tf.profiler.profile`."""
        return self._profile("graph", options)

    def profile_python(self, options: Options) -> Any:
        """Profiles by source line; returns a MultiGraphNodeProto. `options` are as in `tf.profiler.profile`."""
        return self._profile("code", options)

    def advise(self, options: dict[str, Any]) -> Any:
        """Calls `tf.profiler.advise` for all added steps."""
        return _advice(self._graph, self._op_log, self._steps, options)

    def serialize_to_string(self) -> bytes:
        """Returns a serialized ProfileProto: the nodes with their types, devices and operations."""
        message = proto.ProfileProto()
        nodes = graph_nodes(self._graph, self._op_log, self._steps)
        for index, node in enumerate(nodes.values()):
            result = message.nodes[index]
            result.name, result.op, result.id = node.name, node.op, index
            result.float_ops, result.canonical_device = node.counters["float_ops"], node.device
            result.shape.extend(node.shape or ())
            result.op_types.extend(sorted(node.types))
        message.steps.extend(step_id for step_id, _ in self._steps)
        return message.SerializeToString()

    def _profile(self, cmd: str, options: Options) -> Any:
        if cmd == "code" and not self._has_lines:
            self._has_lines = True
            self._op_log = merge_default_with_oplog(self._graph, self._op_log)
        return _view(self._graph, self._op_log, self._steps, cmd, options)
