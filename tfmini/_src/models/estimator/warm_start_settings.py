"""Warm start: initializes an Estimator's variables from an earlier model."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from tfmini._src.base import logs
from tfmini._src.formats.gfile_functions import exists
from tfmini._src.saved_model.saved_model_files import variables_prefix


class _Fields(NamedTuple):
    ckpt_to_initialize_from: Any
    vars_to_warm_start: Any
    var_name_to_vocab_info: dict[str, Any]
    var_name_to_prev_var_name: dict[str, str]


class WarmStartSettings(_Fields):
    """Arguments of `tf.train.warm_start` for an Estimator.

    Args:
      ckpt_to_initialize_from: checkpoint prefix, or a directory for its latest checkpoint.
      vars_to_warm_start: a pattern for names of trainable variables, a list of patterns for names of all
        variables, a list of variables, or None.
      var_name_to_vocab_info: a dict from variable name to `tf.estimator.VocabInfo`.
      var_name_to_prev_var_name: checkpoint names by variable name, if different.

    Raises:
      ValueError: if the checkpoint path is missing.

    Example: `tf.estimator.WarmStartSettings("/tmp/old", vars_to_warm_start="encoder/.*")`.
    """

    def __new__(
        cls,
        ckpt_to_initialize_from: Any,
        vars_to_warm_start: Any = ".*",
        var_name_to_vocab_info: Any = None,
        var_name_to_prev_var_name: Any = None,
    ) -> WarmStartSettings:
        if not ckpt_to_initialize_from:
            raise ValueError("`ckpt_to_initialize_from` MUST be set in WarmStartSettings")
        return super().__new__(
            cls,
            ckpt_to_initialize_from,
            vars_to_warm_start,
            var_name_to_vocab_info or {},
            var_name_to_prev_var_name or {},
        )


def to_warm_start_settings(warm_start_from: Any) -> WarmStartSettings | None:
    """Returns the WarmStartSettings of a checkpoint prefix, a checkpoint directory or a SavedModel directory."""
    if warm_start_from is None or isinstance(warm_start_from, WarmStartSettings):
        return warm_start_from
    if not isinstance(warm_start_from, str | bytes):
        raise ValueError(
            "warm_start_from must be a string or a WarmStartSettings, instead got "
            f"{type(warm_start_from)}"
        )
    prefix = variables_prefix(warm_start_from)
    if exists(f"{os.fsdecode(prefix)}.index"):
        logs.info("Warm-starting from a SavedModel")
        return WarmStartSettings(prefix)
    return WarmStartSettings(warm_start_from)
