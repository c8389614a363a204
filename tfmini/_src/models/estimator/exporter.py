"""Exporters, which write a SavedModel after each evaluation, after the last, or after the best."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tfmini._src.base import logs
from tfmini._src.base.errors import NotFoundError
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.formats.gfile_functions import glob, listdir, rmtree
from tfmini._src.formats.summary_iterator import summary_iterator
from tfmini._src.models.estimator.fn_args import parameter_names

if TYPE_CHECKING:
    from tfmini._src.models.estimator.estimator import Estimator


class Exporter:
    """Interface that `train_and_evaluate` calls after each evaluation; subclasses define both members."""

    @property
    def name(self) -> Any:
        """Name of the directory below "export"."""
        raise NotImplementedError

    def export(
        self,
        estimator: Estimator,
        export_path: str,
        checkpoint_path: str,
        eval_result: dict[str, Any],
        is_the_final_export: bool,
    ) -> Any:
        """Exports a model, or skips it.

        Args:
          estimator: the Estimator.
          export_path: the target directory.
          checkpoint_path: the evaluated checkpoint.
          eval_result: the evaluation results.
          is_the_final_export: whether training has ended; always false without `max_steps`.

        Returns:
          Path of the export, or None.
        """
        raise NotImplementedError


class _SavedModels(Exporter):
    """Base class of exporters of SavedModels; subclasses decide when to export."""

    def __init__(self, name: str, serving_input_receiver_fn: Any, assets_extra: Any, as_text: bool):
        self._name = name
        self._receive, self._extra, self._as_text = serving_input_receiver_fn, assets_extra, as_text

    name: str = read_only('Name of the directory within "export".')

    def _write(self, estimator: Any, path: str, checkpoint: str) -> bytes:
        return estimator.export_saved_model(
            path,
            self._receive,
            assets_extra=self._extra,
            as_text=self._as_text,
            checkpoint_path=checkpoint,
        )


def _keep_newest(directory: str, max_exports: int | None) -> None:
    """Deletes all but the newest exports, in directories named by ten-digit timestamps."""
    if max_exports is None:
        return
    names = [name for name in listdir(directory) if len(name) == 10 and name.isdigit()]
    for name in sorted(names)[:-max_exports]:
        path = os.path.join(directory, name)
        try:
            rmtree(path)
        except NotFoundError as error:  # another process may delete it, too
            logs.warning(f"Can not delete {path} recursively: {error}")


class FinalExporter(_SavedModels):
    """Exports once, at the last training step.

    Args:
      name: name of the directory below "export".
      serving_input_receiver_fn: function that returns a ServingInputReceiver.
      assets_extra: source files by destination name in "assets.extra".
      as_text: whether to write text instead of binary protos.

    Example: `tf.estimator.EvalSpec(input_fn, exporters=tf.estimator.FinalExporter("last", receive))`.
    """

    def __init__(
        self,
        name: str,
        serving_input_receiver_fn: Callable[..., Any],
        assets_extra: dict[str, str] | None = None,
        as_text: bool = False,
    ):
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text)

    @arguments_of(Exporter.export)
    def export(
        self, estimator: Any, export_path: str, checkpoint_path: str, _: Any, is_final: bool
    ) -> Any:
        """Exports at the end of training; returns the SavedModel's path, or None before."""
        if not is_final:
            return None
        logs.info("Performing the final export in the end of training.")
        return self._write(estimator, export_path, checkpoint_path)


class LatestExporter(_SavedModels):
    """Exports after each evaluation, and keeps the latest exports.

    Args:
      name, serving_input_receiver_fn, assets_extra, as_text: as in FinalExporter.
      exports_to_keep: number of exports to keep; None for all.

    Raises:
      ValueError: if `exports_to_keep` is not positive.
    """

    def __init__(
        self,
        name: str,
        serving_input_receiver_fn: Callable[..., Any],
        assets_extra: dict[str, str] | None = None,
        as_text: bool = False,
        exports_to_keep: int | None = 5,
    ):
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text)
        if exports_to_keep is not None and exports_to_keep <= 0:
            raise ValueError("`exports_to_keep`, if provided, must be positive number")
        self._limit = exports_to_keep

    @arguments_of(Exporter.export)
    def export(self, estimator: Any, export_path: str, checkpoint_path: str, *_: Any) -> Any:
        """Exports; returns the SavedModel's path."""
        path = self._write(estimator, export_path, checkpoint_path)
        _keep_newest(export_path, self._limit)
        return path


def _loss_smaller(best_eval_result: Any, current_eval_result: Any) -> bool:
    """Whether the loss has decreased; raises ValueError if a result has no loss."""
    for title, result in (("best", best_eval_result), ("current", current_eval_result)):
        if not result or "loss" not in result:
            raise ValueError(f"{title}_eval_result cannot be empty or no loss is found in it.")
    return best_eval_result["loss"] > current_eval_result["loss"]


class BestExporter(_SavedModels):
    """Exports a model if it outperforms all earlier models, including those exported by earlier processes.

    Args:
      name, serving_input_receiver_fn, assets_extra, as_text: as in FinalExporter.
      event_file_pattern: pattern of event files of earlier evaluations, below the Estimator's directory; None
        ignores them.
      compare_fn: `compare_fn(best_eval_result, current_eval_result)` returns whether the second is better; by
        default compares losses.
      exports_to_keep: number of exports to keep; None for all.

    Raises:
      ValueError: if `exports_to_keep` is not positive, or `compare_fn` has other parameters.
    """

    def __init__(
        self,
        name: str = "best_exporter",
        serving_input_receiver_fn: Callable[..., Any] | None = None,
        event_file_pattern: str | None = "eval/*.tfevents.*",
        compare_fn: Callable[..., Any] = _loss_smaller,
        assets_extra: dict[str, str] | None = None,
        as_text: bool = False,
        exports_to_keep: int | None = 5,
    ):
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text)
        _check_comparison(compare_fn)
        if exports_to_keep is not None and exports_to_keep <= 0:
            raise ValueError(
                f"`exports_to_keep`, if provided, must be a positive number. Got {exports_to_keep}"
            )
        self._is_better, self._limit = compare_fn, exports_to_keep
        self._pattern, self._directory = event_file_pattern, None
        self._best: Any = None

    @arguments_of(Exporter.export)
    def export(
        self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Any, _: bool
    ) -> Any:
        """Exports the best model so far; returns the SavedModel's path, or None for other models."""
        if self._directory != estimator.model_dir and self._pattern:
            logs.info("Loading best metric from event files.")
            self._directory = estimator.model_dir
            self._best = self._find_best(os.path.join(estimator.model_dir, self._pattern))
        if self._best is not None and not self._is_better(
            best_eval_result=self._best, current_eval_result=eval_result
        ):
            return None
        logs.info("Performing best model export.")
        self._best = eval_result
        path = self._write(estimator, export_path, checkpoint_path)
        _keep_newest(export_path, self._limit)
        return path

    def _find_best(self, pattern: str) -> dict[str, float] | None:
        """Returns the best evaluation result found in event files."""
        best = None
        for path in glob(pattern):
            for event in summary_iterator(path):
                values = event.summary.value if event.HasField("summary") else ()
                result = {v.tag: v.simple_value for v in values if v.HasField("simple_value")}
                if result and (best is None or self._is_better(best, result)):
                    best = result
        return best


def _check_comparison(function: Any) -> None:
    if function is None:
        raise ValueError("`compare_fn` must not be None.")
    required = ("best_eval_result", "current_eval_result")
    parameters = parameter_names(function)
    for name in required:
        if name not in parameters:
            raise ValueError(f"compare_fn ({function}) must include {name} argument.")
    unexpected = [name for name in parameters if name not in required]
    if unexpected:
        raise ValueError(f"compare_fn ({function}) has following not expected args: {unexpected}")
