"""An Experiment run by the name of what it is to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini.contrib.learn.experiment import Experiment
from tfmini.contrib.learn.run_config import RunConfig


def run(
    experiment_fn: Callable,
    output_dir: str | None = None,
    schedule: str | None = None,
    run_config: Any = None,
    hparams: Any = None,
) -> Any:
    """Makes an Experiment and has it do one thing.

    Args:
      experiment_fn: `experiment_fn(output_dir)`, or with a config `experiment_fn(run_config, hparams)`.
      output_dir: the folder,
      run_config: or a RunConfig with one.
      schedule: the name of a method of the Experiment, by default "train_and_evaluate".
      hparams: a `tf.contrib.training.HParams`.

    Returns:
      What the method returns.

    Raises:
      ValueError: both or none of the folder and the config are given, or there is no such method.
      TypeError: the function cannot be called, or gives no Experiment.
    """
    if output_dir is not None and run_config is not None:
        raise ValueError("Cannot provide both `output_dir` and `run_config`")
    if output_dir is None and run_config is None:
        raise ValueError("Must set value for `output_dir` or `run_config`")
    if not callable(experiment_fn):
        raise TypeError(f'Experiment builder "{experiment_fn}" is not callable.')
    if run_config is None:
        if hparams is not None:
            raise ValueError("Must set `hparams` as None for `experiment_fn` with `output_dir`.")
        experiment = _checked(experiment_fn(output_dir=output_dir))
    else:
        experiment = _of_config(experiment_fn, run_config, hparams)
    name = schedule or "train_and_evaluate"
    task = getattr(experiment, name, None)
    if task is None:
        raise ValueError(f"Schedule references non-existent task {name}")
    if not callable(task):
        raise TypeError(f"Schedule references non-callable member {name}")
    return task()


def _checked(experiment: Any) -> Experiment:
    if not isinstance(experiment, Experiment):
        raise TypeError(
            "Experiment builder did not return an Experiment instance, got "
            f"{type(experiment)} instead."
        )
    return experiment


def _of_config(experiment_fn: Callable, run_config: Any, hparams: Any) -> Experiment:
    if not isinstance(run_config, RunConfig):
        raise ValueError("`run_config` must be `tf.contrib.learn.RunConfig` instance")
    if not run_config.model_dir:
        raise ValueError("Must specify a model directory `model_dir` in `run_config`.")
    expected = run_config.uid()
    experiment = _checked(experiment_fn(run_config, hparams))
    given = experiment.estimator.config
    if not hasattr(given, "uid"):
        raise RuntimeError(
            "Pass `run_config` argument of the `experiment_fn` to the Estimator in Experiment. It is likely "
            "a different `RunConfig` is passed to `Estimator` or the `config` constructor argument in "
            "`Estimator` is not set."
        )
    if given.uid() != expected:
        raise RuntimeError(
            "`RunConfig` instance is expected to be used by the `Estimator` inside the `Experiment`. "
            f"expected {expected}, but got {given.uid()}"
        )
    return experiment
