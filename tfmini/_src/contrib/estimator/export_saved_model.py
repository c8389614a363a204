"""Estimator exports for training and evaluation."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.models.estimator.mode_keys import ModeKeys

if TYPE_CHECKING:
    from tfmini._src.models.estimator.estimator import Estimator


@deprecated("2018-12-03", "Use estimator.export_saved_model(*args, experimental_mode=...)")
def export_saved_model_for_mode(
    estimator: Estimator,
    export_dir_base: str,
    input_receiver_fn: Callable[..., Any],
    assets_extra: dict[str, str] | None = None,
    as_text: bool = False,
    checkpoint_path: str | None = None,
    mode: str = ModeKeys.PREDICT,
) -> bytes:
    """Calls `Estimator.export_saved_model` for a given mode; takes the same arguments."""
    return estimator.export_saved_model(
        export_dir_base,
        input_receiver_fn,
        assets_extra=assets_extra,
        as_text=as_text,
        checkpoint_path=checkpoint_path,
        experimental_mode=mode,
    )


@deprecated("2018-12-03", "Use estimator.experimental_export_all_saved_models")
def export_all_saved_models(
    estimator: Estimator,
    export_dir_base: str,
    input_receiver_fn_map: dict[Any, Any],
    assets_extra: dict[str, str] | None = None,
    as_text: bool = False,
    checkpoint_path: str | None = None,
) -> bytes:
    """Calls `Estimator.experimental_export_all_saved_models`; takes the same arguments."""
    return estimator.experimental_export_all_saved_models(
        export_dir_base,
        input_receiver_fn_map,
        assets_extra=assets_extra,
        as_text=as_text,
        checkpoint_path=checkpoint_path,
    )
