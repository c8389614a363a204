"""Runs an Experiment by schedule name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.contrib.learn.experiment import Experiment
from tfmini._src.contrib.learn.run_config import RunConfig, TaskType
from tfmini._src.contrib.training.hparams import HParams


@deprecated(None, "Use tf.estimator.train_and_evaluate.")
def run(
    experiment_fn: Callable[..., Any],
    output_dir: str | None = None,
    schedule: str | None = None,
    run_config: RunConfig | None = None,
    hparams: HParams | None = None,
) -> Any:
    """Creates an Experiment and runs one of its schedules.

    Args:
      experiment_fn: `experiment_fn(output_dir)`, or with a config `experiment_fn(run_config, hparams)`.
      output_dir: output directory.
      run_config: alternatively, a RunConfig with a model directory.
      schedule: name of an Experiment method, by default "train_and_evaluate"; in a cluster "train" for workers and
        "run_std_server" for parameter servers.
      hparams: a `tf.contrib.training.HParams`.

    Returns:
      The method's result.

    Raises:
      ValueError: if both or neither of the directory and the config are given, or for an unknown method.
      TypeError: if the function is not callable, or does not return an Experiment.
    """
    if output_dir is not None and run_config is not None:
        raise ValueError("Cannot provide both `output_dir` and `run_config`")
    if output_dir is None and run_config is None:
        raise ValueError("Must set value for `output_dir` or `run_config`")
    if not callable(experiment_fn):
        raise TypeError(f'Experiment builder "{experiment_fn}" is not callable.')
    if run_config is None:
        if not output_dir:
            raise ValueError("Must specify an output directory")
        if hparams is not None:
            raise ValueError("Must set `hparams` as None for `experiment_fn` with `output_dir`.")
        experiment = _check_experiment(experiment_fn(output_dir=output_dir))
    else:
        experiment = _build_experiment(experiment_fn, run_config, hparams)
    name = schedule or _default_schedule(run_config or experiment.estimator.config)
    task = getattr(experiment, name, None)
    wrong = ""
    if not callable(task):
        wrong = "non-callable member" if hasattr(experiment, name) else "non-existent task"
    if wrong:
        names = [n for n in dir(experiment) if n[0] != "_" and callable(getattr(experiment, n))]
        logs.error("Schedule references %s %s", wrong, name)
        logs.error("Allowed values for this experiment are: %s", names)
        error_class = TypeError if hasattr(experiment, name) else ValueError
        raise error_class(f"Schedule references {wrong} {name}")
    return task()  # type: ignore[misc]


def _default_schedule(config: Any) -> str:
    """Returns the default schedule of a task in a cluster; a lone process trains and evaluates."""
    jobs = config.cluster_spec.as_dict() if config and config.cluster_spec else {}
    if sum(map(len, jobs.values())) <= 1:
        return "train_and_evaluate"
    if not config.task_type:
        raise ValueError("Must specify a schedule")
    schedules = {
        TaskType.MASTER: "train_and_evaluate",
        TaskType.PS: "run_std_server",
        TaskType.WORKER: "train",
    }
    if config.task_type not in schedules:
        raise ValueError(f"No default schedule for task type: {config.task_type}")
    return schedules[config.task_type]


@deprecated(None, "Use tf.estimator.train_and_evaluate.")
def tune(experiment_fn: Callable[..., Any], tuner: Any) -> None:
    """Runs an Experiment for each trial of a tuner.

    Args:
      experiment_fn: `experiment_fn(run_config, hparams)` returns an Experiment.
      tuner: object with the methods `next_trial()`, which returns whether there is another trial, and
        `run_experiment(experiment_fn)`.
    """
    while tuner.next_trial():
        tuner.run_experiment(
            lambda run_config, hparams: _build_experiment(
                experiment_fn, run_config, hparams, needs_hparams=True
            )
        )


def _check_experiment(experiment: Any) -> Experiment:
    if not isinstance(experiment, Experiment):
        raise TypeError(
            "Experiment builder did not return an Experiment instance, got "
            f"{type(experiment)} instead."
        )
    return experiment


def _build_experiment(
    experiment_fn: Callable, run_config: Any, hparams: Any, needs_hparams: bool = False
) -> Experiment:
    if not isinstance(run_config, RunConfig):
        raise ValueError("`run_config` must be `tf.contrib.learn.RunConfig` instance")
    if not run_config.model_dir:
        raise ValueError("Must specify a model directory `model_dir` in `run_config`.")
    if hparams is not None and not isinstance(hparams, HParams):
        raise ValueError("`hparams` must be `HParams` instance")
    if needs_hparams and hparams is None:
        raise ValueError("`hparams` cannot be `None`.")
    expected = run_config.uid()
    experiment = _check_experiment(experiment_fn(run_config, hparams))
    config = experiment.estimator.config
    if not hasattr(config, "uid"):
        raise RuntimeError(
            "Pass `run_config` argument of the `experiment_fn` to the Estimator in Experiment. It is likely "
            "a different `RunConfig` is passed to `Estimator` or the `config` constructor argument in "
            "`Estimator` is not set."
        )
    if config.uid() != expected:
        raise RuntimeError(
            "`RunConfig` instance is expected to be used by the `Estimator` inside the `Experiment`. "
            f"expected {expected}, but got {config.uid()}"
        )
    return experiment
