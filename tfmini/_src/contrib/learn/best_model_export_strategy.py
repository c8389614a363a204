"""Export strategies of Experiments: parsing exports, best model only, postprocessed exports."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from glob import glob
from typing import Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.contrib.layers.feature_column.feature_column_ops import (
    create_feature_spec_for_parsing,
)
from tfmini._src.contrib.learn.export_strategy import ExportStrategy, make_export_strategy
from tfmini._src.contrib.learn.serving_input_fn import build_parsing_serving_input_fn
from tfmini._src.formats.gfile_functions import exists, makedirs, rename, rmtree
from tfmini._src.formats.summary_iterator import summary_iterator
from tfmini._src.models.estimator.export.serving_input_receiver import (
    build_parsing_serving_input_receiver_fn,
)
from tfmini._src.train.checkpoints.checkpoint_management import latest_checkpoint

_ADVICE = "Switch to tf.estimator.Exporter and associated utilities."


@deprecated(None, "Use tf.estimator.export.build_parsing_serving_input_receiver_fn")
def make_parsing_export_strategy(
    feature_columns: Any,
    default_output_alternative_key: str | None = None,
    assets_extra: dict | None = None,
    as_text: bool = False,
    exports_to_keep: int | None = 5,
    target_core: bool = False,
    strip_default_attrs: bool | None = None,
) -> ExportStrategy:
    """Returns a strategy that exports SavedModels that parse serialized Examples by their feature columns.

    Args:
      feature_columns: columns of `tf.contrib.layers`.
      target_core: whether the Estimator is from `tf.estimator` instead of `tf.contrib.learn`.
      default_output_alternative_key, assets_extra, as_text, exports_to_keep, strip_default_attrs: as in
        `make_export_strategy`.

    Example: `make_parsing_export_strategy([tf.contrib.layers.real_valued_column("age")])`.
    """
    spec = create_feature_spec_for_parsing(feature_columns)
    build: Callable = build_parsing_serving_input_fn
    if target_core:
        build = build_parsing_serving_input_receiver_fn
    return make_export_strategy(
        build(spec),
        default_output_alternative_key=default_output_alternative_key,
        assets_extra=assets_extra,
        as_text=as_text,
        exports_to_keep=exports_to_keep,
        strip_default_attrs=strip_default_attrs,
    )


def is_loss_smaller(curr_best_eval_result: Any, cand_eval_result: Any) -> bool:
    """Whether the second of two evaluations has the smaller loss; raises ValueError if a result has no loss."""
    for name, result in (
        ("curr_best_eval_result", curr_best_eval_result),
        ("cand_eval_result", cand_eval_result),
    ):
        if not result or "loss" not in result:
            raise ValueError(f"{name} cannot be empty or no loss is found in it.")
    return curr_best_eval_result["loss"] > cand_eval_result["loss"]


class BestModelSelector:
    """Selects the best checkpoint so far.

    Args:
      event_file_pattern: pattern of event files with earlier evaluation results.
      compare_fn: `compare_fn(best, candidate)` returns whether the candidate is better; by default compares losses.
    """

    @deprecated(None, _ADVICE)
    def __init__(self, event_file_pattern: str | None = None, compare_fn: Callable | None = None):
        self._compare_fn = compare_fn or is_loss_smaller
        self._best_eval_result = self._find_best(event_file_pattern)

    def update(self, checkpoint_path: Any, eval_result: dict | None) -> tuple[Any, Any]:
        """Returns the checkpoint and its result if it is the best so far, else "" and None.

        Raises:
          ValueError: if the path or the result is missing.
        """
        if not checkpoint_path:
            raise ValueError("Checkpoint path is empty.")
        if eval_result is None:
            raise ValueError("%s has empty evaluation results.", checkpoint_path)
        best = self._best_eval_result
        if best is not None and not self._compare_fn(best, eval_result):
            return "", None
        self._best_eval_result = eval_result
        return checkpoint_path, eval_result

    def _find_best(self, pattern: str | None) -> dict | None:
        best: dict | None = None
        for path in glob(pattern) if pattern else ():
            for event in summary_iterator(path):
                if event.HasField("summary"):
                    values = event.summary.value
                    result = {v.tag: v.simple_value for v in values if v.HasField("simple_value")}
                    if best is None or self._compare_fn(best, result):
                        best = result
        return best


@deprecated(None, _ADVICE)
def make_best_model_export_strategy(
    serving_input_fn: Callable,
    exports_to_keep: int | None = 1,
    model_dir: str | None = None,
    event_file_pattern: str | None = None,
    compare_fn: Callable | None = None,
    default_output_alternative_key: str | None = None,
    strip_default_attrs: bool | None = None,
) -> ExportStrategy:
    """Returns a strategy named "best_model", which exports only models better than all previous ones.

    Args:
      serving_input_fn: returns InputFnOps, or a ServingInputReceiver.
      exports_to_keep: number of best exports to keep.
      model_dir, event_file_pattern: location of previous evaluation results to compare with, if any.
      compare_fn: as in `BestModelSelector`.
      default_output_alternative_key, strip_default_attrs: as in `make_export_strategy`.
    """
    plain = make_export_strategy(
        serving_input_fn,
        exports_to_keep=exports_to_keep,
        default_output_alternative_key=default_output_alternative_key,
        strip_default_attrs=strip_default_attrs,
    )
    pattern = None
    if model_dir and event_file_pattern:
        pattern = os.path.join(model_dir, event_file_pattern)
    selector = BestModelSelector(pattern, compare_fn)

    def export_fn(
        estimator: Any, export_dir_base: Any, checkpoint_path: Any, eval_result: Any = None
    ) -> Any:
        checkpoint_path = checkpoint_path or latest_checkpoint(estimator.model_dir)
        best, result = selector.update(checkpoint_path, eval_result)
        if not best or result is None:
            return ""
        directory = os.path.join(export_dir_base, os.path.basename(best))
        return plain.export(estimator, directory, best, result)

    return ExportStrategy("best_model", export_fn)


@deprecated(None, _ADVICE)
def extend_export_strategy(
    base_export_strategy: ExportStrategy,
    post_export_fn: Callable,
    post_export_name: str | None = None,
) -> ExportStrategy:
    """Returns a strategy that postprocesses another strategy's export with a function.

    Args:
      base_export_strategy: the strategy to extend; it exports to a temporary directory.
      post_export_fn: `post_export_fn(base_path, directory)` writes the final export below `directory` and returns
        its path.
      post_export_name: strategy name, by default the base's.

    Returns:
      An ExportStrategy; its export raises ValueError if the returned path is outside `directory`, and RuntimeError if
      the target directory already exists.
    """

    def export_fn(estimator: Any, export_dir_base: Any, checkpoint_path: Any = None) -> Any:
        first = _new_directory(export_dir_base, "base", "base")
        written = base_export_strategy.export(estimator, first, checkpoint_path)
        second = _new_directory(export_dir_base, "post", "temp")
        exported_path = post_export_fn(written, second)
        if not exported_path.startswith(second):
            raise ValueError(f"post_export_fn must return a sub-directory of {second}")
        final = os.path.join(export_dir_base, os.path.relpath(exported_path, second))
        if exists(final):
            raise RuntimeError("Failed to obtain final export directory")
        rename(exported_path, final)
        rmtree(first)
        rmtree(second)
        return final

    return ExportStrategy(post_export_name or base_export_strategy.name, export_fn)


def _new_directory(base: str, name: str, directory_name: str) -> str:
    path = os.path.join(base, f"temp-{name}-export-{int(time.time())}")
    if exists(path):
        raise RuntimeError(f"Failed to obtain {directory_name} export directory")
    makedirs(path)
    return path
