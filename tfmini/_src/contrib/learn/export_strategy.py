"""Export strategies of Experiments: an export function and its name."""

from __future__ import annotations

import os
from collections import namedtuple
from collections.abc import Callable
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.errors import NotFoundError
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.contrib.learn.export_gc import Path, get_paths
from tfmini._src.formats.gfile_functions import rmtree
from tfmini._src.models.estimator.estimator import Estimator as CoreEstimator
from tfmini._src.models.estimator.fn_args import parameter_names

_ADVICE = "Switch to tf.estimator.Exporter and associated utilities."


class ExportStrategy(namedtuple("ExportStrategy", ["name", "export_fn", "strip_default_attrs"])):
    """A named export function of an Estimator.

    Args:
      name: name of the directory below "export".
      export_fn: `export_fn(estimator, export_path)` writes an export and returns its path; may also accept
        `checkpoint_path`, `eval_result` and `strip_default_attrs`.
      strip_default_attrs: passed to `export_fn`.

    Example: `tf.contrib.learn.Experiment(..., export_strategies=tf.contrib.learn.make_export_strategy(serving))`.
    """

    @deprecated(
        None,
        "Please switch to tf.estimator.train_and_evaluate, and use tf.estimator.Exporter.",
    )
    def __new__(
        cls, name: str, export_fn: Callable[..., Any], strip_default_attrs: bool | None = None
    ) -> ExportStrategy:
        return super().__new__(cls, name, export_fn, strip_default_attrs)

    def export(
        self,
        estimator: Any,
        export_path: Any,
        checkpoint_path: str | None = None,
        eval_result: Any = None,
    ) -> Any:
        """Calls `export_fn` with the accepted arguments and returns its result.

        Args:
          estimator: the Estimator.
          export_path: target directory.
          checkpoint_path: checkpoint path; None to let `export_fn` search for one.
          eval_result: the evaluation results of that checkpoint.

        Raises:
          ValueError: if the function accepts a result but no checkpoint.
        """
        takes = parameter_names(self.export_fn)
        values = {}
        if "checkpoint_path" in takes:
            values["checkpoint_path"] = checkpoint_path
        if "eval_result" in takes:
            if "checkpoint_path" not in takes:
                raise ValueError(
                    "An export_fn accepting eval_result must also accept checkpoint_path."
                )
            values["eval_result"] = eval_result
        if "strip_default_attrs" in takes:
            values["strip_default_attrs"] = self.strip_default_attrs
        return self.export_fn(estimator, export_path, **values)


@deprecated(None, _ADVICE)
def make_export_strategy(
    serving_input_fn: Callable[..., Any],
    default_output_alternative_key: str | None = None,
    assets_extra: dict[Any, Any] | None = None,
    as_text: bool = False,
    exports_to_keep: int | None = 5,
    strip_default_attrs: bool | None = None,
) -> ExportStrategy:
    """Returns a strategy named "Servo" that writes SavedModels.

    Args:
      serving_input_fn: returns InputFnOps; for a `tf.estimator` Estimator, a ServingInputReceiver.
      default_output_alternative_key: key of the default output, if there are several; None for a `tf.estimator`
        Estimator.
      assets_extra: a dict from file name in "assets.extra" to the file to be copied there.
      as_text: whether to write text instead of binary protos.
      exports_to_keep: number of newest exports to keep; None for all.
      strip_default_attrs: whether to omit attrs with default values.

    Returns:
      An ExportStrategy; with an output key, exporting a `tf.estimator` Estimator raises ValueError.
    """

    def export_fn(
        estimator: Any,
        export_dir_base: Any,
        checkpoint_path: Any = None,
        strip_default_attrs: bool | None = False,
    ) -> Any:
        values: dict[str, Any] = {
            "assets_extra": assets_extra,
            "as_text": as_text,
            "checkpoint_path": checkpoint_path,
            "strip_default_attrs": strip_default_attrs,
        }
        if not isinstance(estimator, CoreEstimator):
            values["default_output_alternative_key"] = default_output_alternative_key
        elif default_output_alternative_key is not None:
            raise ValueError(
                "default_output_alternative_key is not supported in core Estimator. Given: "
                f"{default_output_alternative_key}"
            )
        written = estimator.export_savedmodel(export_dir_base, serving_input_fn, **values)
        garbage_collect_exports(export_dir_base, exports_to_keep)
        return written

    return ExportStrategy("Servo", export_fn, strip_default_attrs)


@deprecated(None, _ADVICE)
def get_most_recent_export(export_dir_base: Any) -> Path | None:
    """Returns the newest export.

    Args:
      export_dir_base: directory of exports named by ten-digit Unix timestamps.

    Returns:
      A Path with `export_version`; None if there are no exports.

    Raises:
      NotFoundError: if the directory does not exist.
    """
    return max(get_paths(export_dir_base, _with_version), default=None)


def _with_version(path: Path) -> Path | None:
    name = os.path.basename(path.path)
    return path._replace(export_version=int(name)) if len(name) == 10 and name.isdigit() else None


@deprecated(None, _ADVICE)
def garbage_collect_exports(export_dir_base: Any, exports_to_keep: int | None) -> None:
    """Deletes all exports except the newest.

    Args:
      export_dir_base: directory of exports named by ten-digit Unix timestamps.
      exports_to_keep: number of exports to keep; None for all.
    """
    if exports_to_keep is None:
        return
    exports = get_paths(export_dir_base, _with_version)
    for path in exports[: max(0, len(exports) - exports_to_keep)]:
        try:
            rmtree(path.path)
        except NotFoundError as error:  # another process has already deleted it
            logs.warning("Can not delete %s recursively: %s", path.path, error)


def checked_strategies(values: Any) -> tuple[ExportStrategy, ...]:
    """Validates one strategy, several or None; returns them as a tuple."""
    if not values:
        return ()
    if isinstance(values, ExportStrategy):
        return (values,)
    for value in values:
        if not isinstance(value, ExportStrategy):
            raise ValueError(
                "`export_strategies` must be an ExportStrategy, an iterable of ExportStrategy, or `None`, found "
                f"{value}."
            )
    return tuple(values)
