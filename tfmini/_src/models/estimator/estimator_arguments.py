"""Checks of an Estimator's constructor and call arguments."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from typing import Any

from tfmini._src.base import logs
from tfmini._src.models.estimator.fn_args import parameter_names
from tfmini._src.models.estimator.run_config import RunConfig, default_session_config
from tfmini._src.train.monitored.checkpoint_saver_hook import CheckpointSaverListener
from tfmini._src.train.monitored.session_run_hook import SessionRunHook

_PARAMETERS = {"features", "labels", "mode", "params", "self", "config"}


def check_model_fn(model_fn: Callable, params: Any) -> None:
    """Raises ValueError if a model function lacks `features` or has unknown or mismatched parameters."""
    parameters = set(parameter_names(model_fn))
    if "features" not in parameters:
        raise ValueError(f"model_fn ({model_fn}) must include features argument.")
    if params is not None and "params" not in parameters:
        raise ValueError(
            f"model_fn ({model_fn}) does not include params argument, but params ({params}) is passed to Estimator."
        )
    if params is None and "params" in parameters:
        logs.warning(
            "Estimator's model_fn (%s) includes params argument, but params are not passed to Estimator.",
            model_fn,
        )
    unknown = list(parameters - _PARAMETERS)
    if unknown:
        raise ValueError(f"model_fn ({model_fn}) has following not expected args: {unknown}")


def set_model_directory(config: RunConfig | None, directory: Any) -> RunConfig:
    """Returns a RunConfig with the model directory, by default a temporary one, and session options."""
    if config is None:
        config = RunConfig()
        logs.info("Using default config.")
    if not isinstance(config, RunConfig):
        raise ValueError(f"config must be an instance of `RunConfig`, but provided {config}.")
    if config.session_config is None:
        config = config.replace(session_config=default_session_config())
    directory = None if directory is None else os.fspath(directory)
    if directory is not None and config.model_dir not in (None, directory):
        raise ValueError(
            "`model_dir` are set both in constructor and `RunConfig`, but with different values. In constructor: "
            f"'{directory}', in `RunConfig`: '{config.model_dir}' "
        )
    if not directory and config.model_dir is None:
        directory = tempfile.mkdtemp()
        logs.warning("Using temporary folder as model directory: %s", directory)
    return config.replace(model_dir=directory) if directory else config


def checked_hooks(hooks: Any) -> list[SessionRunHook]:
    """Returns the hooks as a list; raises TypeError for other objects."""
    hooks = list(hooks or [])
    for hook in hooks:
        if not isinstance(hook, SessionRunHook):
            raise TypeError(f"Hooks must be a SessionRunHook, given: {hook}")
    return hooks


def checked_listeners(listeners: Any) -> list[CheckpointSaverListener]:
    """Returns the listeners as a list; raises TypeError for other objects."""
    listeners = list(listeners or [])
    for listener in listeners:
        if not isinstance(listener, CheckpointSaverListener):
            raise TypeError(
                f"saving_listeners must be a list of CheckpointSaverListener, given: {listener}"
            )
    return listeners
