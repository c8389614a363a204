"""Older name of `tf.profiler.profile`, with options as a dict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.graph.graph import Graph
from tfmini._src.train.profiler.options import ProfileOptionBuilder
from tfmini._src.train.profiler.profiler import profile

if TYPE_CHECKING:
    from tfmini._src.base import proto


_LATER_OPTIONS = ("step", "min_occurrence")  # introduced after the others


def _older(options: dict[str, Any], **more: Any) -> dict[str, Any]:
    selected = {name: value for name, value in options.items() if name not in _LATER_OPTIONS}
    return {**selected, "dump_to_file": "", **more}


TRAINABLE_VARS_PARAMS_STAT_OPTIONS = _older(ProfileOptionBuilder.trainable_variables_parameter())
FLOAT_OPS_OPTIONS = _older(ProfileOptionBuilder.float_operation())
PRINT_ALL_TIMING_MEMORY = {
    name: value
    for name, value in _older(ProfileOptionBuilder.time_and_memory(), order_by="name").items()
    if not (name.startswith("min_") and name.count("_") > 1 and name != "min_float_ops")
}


@deprecated(
    "2018-01-01",
    "Use `tf.profiler.profile(graph, run_meta, op_log, cmd, options)`. Build `options` with "
    "`tf.profiler.ProfileOptionBuilder`. See README.md for details",
)
def print_model_analysis(
    graph: Graph,
    run_meta: proto.RunMetadata | None = None,
    op_log: object = None,
    tfprof_cmd: str = "scope",
    tfprof_options: Any = 0,
) -> Any:
    """Older name of `tf.profiler.profile`, with options as a dict.

    Args:
      graph: a `tf.Graph`.
      run_meta: the RunMetadata of a step.
      op_log: an OpLogProto.
      tfprof_cmd: "scope" or "op".
      tfprof_options: a dict of options.

    Returns:
      A GraphNodeProto, or a MultiGraphNodeProto.
    """
    return profile(graph, run_meta, op_log, tfprof_cmd, tfprof_options)
