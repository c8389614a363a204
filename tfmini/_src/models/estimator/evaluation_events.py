"""Writes evaluation results as events, which TensorBoard displays next to training."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import logs, proto
from tfmini._src.graph.tensor_proto import make_tensor_proto
from tfmini._src.train.events.file_writer import FileWriterCache


def write_results(
    directory: str, results: dict[str, Any], step: Any, texts: list[str] | None = None
) -> None:
    """Writes an event with evaluation results.

    Args:
      directory: the target directory, created if needed.
      results: numbers, arrays or serialized summaries, by name.
      step: the global step.
      texts: texts to log, by name; by default, texts for all results except summaries.
    """
    if texts is None:
        texts = [
            f"{name} = {value!s}"
            for name, value in sorted(results.items())
            if not isinstance(value, bytes)
        ]
    logs.info("Saving dict for global step %d: %s", step, ", ".join(texts))
    summary = proto.Summary()
    for name, value in results.items():
        if value is not None and name != "global_step":
            _add_value(summary, name, value)
    writer = FileWriterCache.get(directory)
    writer.add_summary(summary, step)
    writer.flush()


def _add_value(summary: Any, name: str, value: Any) -> None:
    if isinstance(value, np.float32 | float | np.int32 | np.int64 | int):
        summary.value.add(tag=name, simple_value=value)
    elif isinstance(value, bytes):
        try:
            inner = proto.Summary.FromString(value)
        except proto.DecodeError:
            logs.warning("Skipping summary for %s, cannot parse string to Summary.", name)
            return
        for index, inner_value in enumerate(inner.value):
            inner_value.tag = f"{name}/{index}"
        summary.value.extend(inner.value)
    elif isinstance(value, np.ndarray):
        summary.value.add(tag=name, node_name=name).tensor.CopyFrom(make_tensor_proto(value))
        logs.info(
            "Summary for np.ndarray is not visible in Tensorboard by default. Consider using a Tensorboard plugin for "
            "visualization (see https://github.com/tensorflow/tensorboard-plugin-example/blob/master/README.md for "
            "more information)."
        )
    else:
        logs.warning(
            "Skipping summary for %s, must be a float, np.float32, np.int64, np.int32 or int or np.ndarray or a "
            "serialized string of Summary.",
            name,
        )


def write_checkpoint_path(directory: str, path: str, step: Any) -> None:
    """Writes an event with the evaluated checkpoint's path."""
    tag = "checkpoint_path"
    logs.info("Saving '%s' summary for global step %d: %s", tag, step, path)
    summary = proto.Summary()
    tensor = make_tensor_proto(path, dtype="string")
    summary.value.add(tag=tag).tensor.CopyFrom(tensor)
    writer = FileWriterCache.get(directory)
    writer.add_summary(summary, step)
    writer.flush()
