"""Profile options, which are dicts, and their builder."""

from __future__ import annotations

import copy
from typing import Any

from tfmini._src.base import proto
from tfmini._src.train.profiler.op_logs import TRAINABLE_VARIABLES

Options = dict[str, Any]

_NUMBERS = (
    *("max_depth", "min_bytes", "min_peak_bytes", "min_residual_bytes", "min_output_bytes"),
    *("min_micros", "min_accelerator_micros", "min_cpu_micros", "min_params", "min_float_ops"),
    *("min_occurrence", "step", "order_by"),
)
_LISTS = (
    *("account_type_regexes", "start_name_regexes", "trim_name_regexes", "show_name_regexes"),
    *("hide_name_regexes", "select"),
)


def options_proto(options: Options) -> Any:
    """Returns the OptionsProto for a dict of options."""
    message = proto.OptionsProto(max_depth=10, step=-1, order_by="name", output="stdout")
    for name in (*_NUMBERS, "account_displayed_op_only", "output", "dump_to_file"):
        if name in options:
            setattr(message, name, options[name])
    for name in _LISTS:
        getattr(message, name).extend(options.get(name, []))
    return message


def _options(**extra_options: Any) -> Options:
    return {
        "max_depth": 10000,
        "min_bytes": 0,
        "min_micros": 0,
        "min_params": 0,
        "min_float_ops": 0,
        "min_occurrence": 0,
        "order_by": "name",
        "account_type_regexes": [".*"],
        "start_name_regexes": [".*"],
        "trim_name_regexes": [],
        "show_name_regexes": [".*"],
        "hide_name_regexes": [],
        "account_displayed_op_only": True,
        "select": ["params"],
        "step": -1,
        "output": "stdout",
        **extra_options,
    }


class ProfileOptionBuilder:
    """Builds profile options: the nodes to show, their order and their columns.

    Args:
      options: initial options, a dict; by default all nodes with their times.

    Example:
      options = (
          tf.profiler.ProfileOptionBuilder(tf.profiler.ProfileOptionBuilder.time_and_memory())
          .with_node_names(show_name_regexes=[".*rnn.*"])
          .build()
      )
      tf.profiler.profile(graph, run_meta=metadata, cmd="scope", options=options)
    """

    def __init__(self, options: Options | None = None):
        if options is not None:
            self._options = copy.deepcopy(options)
        else:
            self._options = _options(
                max_depth=100, account_displayed_op_only=False, select=["micros"]
            )

    @staticmethod
    def trainable_variables_parameter() -> Options:
        """Returns options for the parameter counts of trainable variables, in the scope view."""
        return _options(account_type_regexes=[TRAINABLE_VARIABLES])

    @staticmethod
    def float_operation() -> Options:
        """Returns options for floating-point operation counts, in descending order."""
        return _options(min_float_ops=1, order_by="float_ops", select=["float_ops"])

    @staticmethod
    def time_and_memory(
        min_micros: int = 1,
        min_bytes: int = 1,
        min_accelerator_micros: int = 0,
        min_cpu_micros: int = 0,
        min_peak_bytes: int = 0,
        min_residual_bytes: int = 0,
        min_output_bytes: int = 0,
    ) -> Options:
        """Returns options for the time and memory of nodes above the given minimums.

        Args:
          min_micros: minimum microseconds on any device.
          min_bytes: minimum requested bytes.
          min_accelerator_micros: minimum microseconds on a GPU.
          min_cpu_micros: minimum microseconds on the CPU.
          min_peak_bytes: minimum peak memory in bytes.
          min_residual_bytes: minimum memory in bytes that is still allocated after the node.
          min_output_bytes: minimum output bytes.
        """
        return _options(**locals(), order_by="micros", select=["micros", "bytes"])

    def build(self) -> Options:
        """Returns the options dict."""
        return copy.deepcopy(self._options)

    def _with(self, **options: Any) -> ProfileOptionBuilder:
        self._options.update(options)
        return self

    def with_max_depth(self, max_depth: int) -> ProfileOptionBuilder:
        """Limits the displayed depth of nested scopes, or the number of op types."""
        return self._with(max_depth=max_depth)

    def with_min_memory(
        self,
        min_bytes: int = 0,
        min_peak_bytes: int = 0,
        min_residual_bytes: int = 0,
        min_output_bytes: int = 0,
    ) -> ProfileOptionBuilder:
        """Shows nodes that use at least this many bytes.

        Args:
          min_bytes: minimum requested bytes.
          min_peak_bytes: minimum peak of allocated memory.
          min_residual_bytes: minimum memory that is still allocated after the node.
          min_output_bytes: minimum size of the outputs.
        """
        return self._with(
            min_bytes=min_bytes,
            min_peak_bytes=min_peak_bytes,
            min_residual_bytes=min_residual_bytes,
            min_output_bytes=min_output_bytes,
        )

    def with_min_execution_time(
        self, min_micros: int = 0, min_accelerator_micros: int = 0, min_cpu_micros: int = 0
    ) -> ProfileOptionBuilder:
        """Shows nodes that take at least this many microseconds.

        Args:
          min_micros: minimum time on any device.
          min_accelerator_micros: minimum time on a GPU.
          min_cpu_micros: minimum time on the CPU.
        """
        return self._with(
            min_micros=min_micros,
            min_accelerator_micros=min_accelerator_micros,
            min_cpu_micros=min_cpu_micros,
        )

    def with_min_parameters(self, min_params: int) -> ProfileOptionBuilder:
        """Shows nodes with at least this many parameters."""
        return self._with(min_params=min_params)

    def with_min_occurrence(self, min_occurrence: int) -> ProfileOptionBuilder:
        """Shows entries with at least this many graph nodes."""
        return self._with(min_occurrence=min_occurrence)

    def with_min_float_operations(self, min_float_ops: int) -> ProfileOptionBuilder:
        """Shows nodes with at least this many floating-point operations."""
        return self._with(min_float_ops=min_float_ops)

    def with_accounted_types(self, account_type_regexes: list[str]) -> ProfileOptionBuilder:
        """Counts nodes with a matching type: an op type, a device, or a type from an op log."""
        return self._with(account_type_regexes=copy.copy(account_type_regexes))

    def with_node_names(
        self,
        start_name_regexes: list[str] | None = None,
        show_name_regexes: list[str] | None = None,
        hide_name_regexes: list[str] | None = None,
        trim_name_regexes: list[str] | None = None,
    ) -> ProfileOptionBuilder:
        """Selects nodes by regular expressions for full names.

        Args:
          start_name_regexes: root nodes.
          show_name_regexes: names to show.
          hide_name_regexes: names to hide.
          trim_name_regexes: names to hide with their descendants.
        """
        values = {
            "start_name_regexes": start_name_regexes,
            "show_name_regexes": show_name_regexes,
            "hide_name_regexes": hide_name_regexes,
            "trim_name_regexes": trim_name_regexes,
        }
        return self._with(**{k: copy.copy(v) for k, v in values.items() if v is not None})

    def account_displayed_op_only(self, is_true: bool) -> ProfileOptionBuilder:
        """Sets whether sums include only displayed nodes."""
        return self._with(account_displayed_op_only=is_true)

    def with_step(self, step: int) -> ProfileOptionBuilder:
        """Selects one of the steps added to a `tf.profiler.Profiler`; -1 for all."""
        return self._with(step=step)

    def with_empty_output(self) -> ProfileOptionBuilder:
        """Prints nothing."""
        return self._with(output="none")

    def with_stdout_output(self) -> ProfileOptionBuilder:
        """Prints to standard output."""
        return self._with(output="stdout")

    def with_file_output(self, outfile: str) -> ProfileOptionBuilder:
        """Writes the report to a file."""
        return self._with(output=f"file:outfile={outfile}")

    def with_timeline_output(self, timeline_file: str) -> ProfileOptionBuilder:
        """Requests a timeline, which `profile` rejects; use `timeline.Timeline` on a RunMetadata."""
        return self._with(output=f"timeline:outfile={timeline_file}")

    def with_pprof_output(self, pprof_file: str) -> ProfileOptionBuilder:
        """Requests a pprof file, which `profile` rejects; use `python -m tfmini run --profile` for source lines."""
        return self._with(output=f"pprof:outfile={pprof_file}")

    def order_by(self, attribute: str) -> ProfileOptionBuilder:
        """Orders nodes by: name, bytes, peak_bytes, residual_bytes, output_bytes, micros, accelerator_micros,
        cpu_micros, params, float_ops, occurrence."""
        return self._with(order_by=attribute)

    def select(self, attributes: list[str]) -> ProfileOptionBuilder:
        """Shows these columns: bytes, peak_bytes, residual_bytes, output_bytes, micros, accelerator_micros,
        cpu_micros, params, float_ops, occurrence, device, op_types, input_shapes.
        """
        return self._with(select=copy.copy(attributes))
