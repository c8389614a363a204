"""Training with an evaluation after each checkpoint, in one process or as a cluster task."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import logs
from tfmini._src.models.estimator.checkpoint_evaluator import CheckpointEvaluator
from tfmini._src.models.estimator.checkpoint_listener import EvaluatesCheckpoints
from tfmini._src.models.estimator.cluster_tasks import run_task
from tfmini._src.models.estimator.estimator import Estimator
from tfmini._src.models.estimator.tf_config import TaskType
from tfmini._src.models.estimator.training_specs import EvalSpec, TrainSpec


def train_and_evaluate(estimator: Estimator, train_spec: TrainSpec, eval_spec: EvalSpec) -> Any:
    """Trains, and evaluates and exports each checkpoint.

    If the environment variable TF_CONFIG defines a cluster, each task runs the same script and performs its role: the
    chief and the workers train, a parameter server (`ps`) serves variables and never returns, the single `evaluator`
    evaluates checkpoints until the last step (`max_steps`), and a `master` is a chief that also evaluates.

    Args:
      estimator: the Estimator, whose RunConfig sets the checkpoint interval.
      train_spec: the TrainSpec.
      eval_spec: the EvalSpec.

    Returns:
      The last evaluation's results and its exporters' results; (None, None) if no training step remained; None
      for a cluster task.

    Raises:
      TypeError: for arguments of the wrong type.
      ValueError: for an unsupported task in TF_CONFIG, or a second evaluator.

    Example:
      train = tf.estimator.TrainSpec(train_input, max_steps=1000)
      tf.estimator.train_and_evaluate(estimator, train, tf.estimator.EvalSpec(eval_input, throttle_secs=0))
    """
    if not isinstance(eval_spec, EvalSpec):
        raise TypeError(
            f"`eval_spec` must have type `tf.estimator.EvalSpec`. Got: {type(eval_spec)}"
        )
    if not isinstance(estimator, Estimator):
        raise TypeError(
            f"`estimator` must have type `tf.estimator.Estimator`. Got: {type(estimator)}"
        )
    if not isinstance(train_spec, TrainSpec):
        raise TypeError(
            f"`train_spec` must have type `tf.estimator.TrainSpec`. Got: {type(train_spec)}"
        )
    config = estimator.config
    logs.info("Not using Distribute Coordinator.")
    if config.cluster_spec or config.task_type == TaskType.EVALUATOR:
        run_task(estimator, train_spec, eval_spec)
        return None
    logs.info("Running training and evaluation locally (non-distributed).")
    logs.info(
        "Start train and evaluate loop. The evaluate will happen after every checkpoint. Checkpoint frequency is "
        "determined based on RunConfig arguments: save_checkpoints_steps %s or save_checkpoints_secs %s.",
        config.save_checkpoints_steps,
        config.save_checkpoints_secs,
    )
    evaluator = CheckpointEvaluator(estimator, eval_spec, train_spec.max_steps)
    listener = EvaluatesCheckpoints(evaluator, eval_spec.throttle_secs)
    estimator.train(
        train_spec.input_fn,
        hooks=train_spec.hooks,
        max_steps=train_spec.max_steps,
        saving_listeners=[listener],
    )
    return (None, None) if listener.last_evaluation is None else listener.last_evaluation[1:]
