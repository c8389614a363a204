"""Base class of `tf.contrib.learn` Estimators: fit, evaluate and predict."""

from __future__ import annotations

import copy
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tfmini._src.base import logs, proto
from tfmini._src.base.errors import UnimplementedError
from tfmini._src.base.names.deprecation import Function, deprecated, deprecated_args
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.learn.array_feeder import check_inputs, input_functions
from tfmini._src.contrib.learn.base_monitors import replace_monitors_with_hooks
from tfmini._src.contrib.learn.experiment_interfaces import Evaluable, Trainable
from tfmini._src.contrib.learn.model_fn import ModeKeys, ModelFnOps
from tfmini._src.contrib.learn.predict import concatenate_batches, iterate_predictions
from tfmini._src.contrib.learn.run_config import RunConfig
from tfmini._src.contrib.learn.sklearn_parameters import Parameters
from tfmini._src.contrib.learn.tensor_signature import (
    compatible,
    make_placeholders,
    make_signatures,
)
from tfmini._src.graph.collections import add_to_collection
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.seeds import set_random_seed
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.estimator import evaluation_events
from tfmini._src.models.estimator.parameter_server_devices import parameter_server_devices
from tfmini._src.models.estimator.predictions import select_keys
from tfmini._src.models.estimator.training_session import add_saver
from tfmini._src.nn.metrics.running_means import mean
from tfmini._src.ops import ops
from tfmini._src.train.checkpoints.checkpoint_management import latest_checkpoint
from tfmini._src.train.checkpoints.checkpoint_reader import list_variables, load_variable
from tfmini._src.train.global_step import create_global_step, get_or_create_global_step_read
from tfmini._src.train.monitored.checkpoint_saver_hook import CheckpointSaverHook
from tfmini._src.train.monitored.evaluate_once import StopAfterNEvalsHook, evaluate_once
from tfmini._src.train.monitored.feed_fn_hook import FeedFnHook
from tfmini._src.train.monitored.logging_tensor_hook import LoggingTensorHook
from tfmini._src.train.monitored.monitored_session import MonitoredSession
from tfmini._src.train.monitored.monitored_training_session import MonitoredTrainingSession
from tfmini._src.train.monitored.scaffold import Scaffold
from tfmini._src.train.monitored.session_creator import ChiefSessionCreator
from tfmini._src.train.monitored.start_stop_hooks import NanTensorHook, StopAtStepHook

_SERVER_OPS = [
    *("Variable", "VariableV2", "AutoReloadVariable", "VarHandleOp"),
    *("MutableHashTable", "MutableHashTableV2", "MutableHashTableOfTensors"),
    *("MutableHashTableOfTensorsV2", "MutableDenseHashTable", "MutableDenseHashTableV2"),
]


deprecated_export = deprecated("2017-03-25", "Please use Estimator.export_savedmodel() instead.")


def deprecate_array_arguments(**accepted: Any) -> Callable[[Function], Function]:
    """Decorator that deprecates scikit-learn-style arguments unless equal to the `accepted` values."""
    return deprecated_args(
        "2016-12-01",
        "Estimator is decoupled from Scikit Learn interface by moving into\n"
        "separate class SKCompat. Arguments x, y and batch_size are only\n"
        "available in the SKCompat class, Estimator will only accept input_fn.\n"
        "Example conversion:\n"
        "  est = Estimator(...) -> est = SKCompat(Estimator(...))",
        *accepted.items(),
    )


def _format_argument(name: str, value: Any) -> str:
    if isinstance(value, np.float32 | float | np.int32 | np.int64 | int):
        return f"{name} = {value}"
    return f"Type of {name} = {type(value)}"


class NotFittedError(ValueError, AttributeError):
    """Raised if an Estimator is used before being fitted."""


def _default_input_fn(estimator: Any, examples: Any) -> Any:
    """Raises NotImplementedError: the default input function of `export` is unsupported."""
    raise NotImplementedError


class BaseEstimator(Parameters, Evaluable, Trainable):
    """Base class of `tf.contrib.learn` Estimators.

    Args:
      model_dir: directory of checkpoints and event files, by default `config`'s, else a temporary one.
      config: a RunConfig.

    Raises:
      ValueError: if `model_dir` differs from the directory in `config`.
    """

    model_dir: Any = read_only("The directory of checkpoints and events.")

    @deprecated(
        None,
        "Please replace uses of any Estimator from tf.contrib.learn with an Estimator from tf.estimator.*",
    )
    def __init__(self, model_dir: str | None = None, config: Any = None):
        if config is None:
            config = RunConfig()
            logs.info("Using default config.")
        self._session_config = config.session_config
        if self._session_config is None:
            self._session_config = proto.ConfigProto(allow_soft_placement=True)
        if model_dir is not None and config.model_dir not in (None, model_dir):
            raise ValueError(
                "model_dir are set both in constructor and RunConfig, but with different values. In "
                f"constructor: '{model_dir}', in RunConfig: '{config.model_dir}' "
            )
        self._model_dir = model_dir or config.model_dir
        if self._model_dir is None:
            self._model_dir = tempfile.mkdtemp()
            logs.warning("Using temporary folder as model directory: %s", self._model_dir)
        if config.model_dir is None:
            config = config.replace(model_dir=self._model_dir)
        self._config = config
        logs.info("Using config: %s", str(vars(self._config)))
        self._device_fn = parameter_server_devices(self._config, _SERVER_OPS)
        self._features_info: Any = None
        self._labels_info: Any = None

    @property
    def config(self) -> Any:
        """A copy of the RunConfig."""
        return copy.deepcopy(self._config)

    def get_variable_names(self) -> list[str]:
        """Returns the variable names in the latest checkpoint."""
        return [name for name, _ in list_variables(self._model_dir)]

    def get_variable_value(self, name: str) -> Any:
        """Returns the value of a variable in the latest checkpoint, as an array."""
        return load_variable(self._model_dir, name)

    @deprecate_array_arguments(x=None, y=None, batch_size=None)
    @arguments_of(Trainable.fit)
    def fit(
        self,
        x: Any,
        y: Any,
        input_fn: Any,
        steps: Any,
        batch_size: Any,
        monitors: Any,
        max_steps: Any,
    ) -> Any:
        """Trains from the latest checkpoint until the input ends or the step limit is reached.

        Args:
          x, y: arrays of features and labels, or dicts of them.
          input_fn: alternatively, a function that returns (features, labels).
          steps: number of steps.
          batch_size: number of rows per batch; by default all.
          monitors: SessionRunHooks, or monitors of `tf.contrib.learn.monitors`.
          max_steps: final global step.

        Returns:
          The Estimator.

        Raises:
          ValueError: if both kinds of inputs, or both step limits, are given.
        """
        if steps is not None and max_steps is not None:
            raise ValueError("Can not provide both steps and max_steps.")
        check_inputs(x, y, input_fn, None, batch_size)
        hooks = replace_monitors_with_hooks(monitors, self)
        if x is not None:
            input_fn, feed = input_functions(
                x, y, None, None, batch_size, shuffle=True, epochs=None
            )
            hooks.insert(0, FeedFnHook(feed))
        for hook in hooks:
            if hasattr(hook, "set_estimator"):
                hook.set_estimator(self)
        if max_steps is not None and max_steps <= self._last_step():
            logs.info("Skipping training since max_steps has already saved.")
            return self
        if steps is not None or max_steps is not None:
            hooks.append(StopAtStepHook(steps, max_steps))
        loss = self._train_model(input_fn, hooks)
        logs.info("Loss for final step: %s.", loss)
        return self

    @deprecate_array_arguments(x=None, y=None, batch_size=None)
    @arguments_of(fit, "max_steps", steps=1)
    def partial_fit(self, *args: Any) -> Any:
        """Trains for a few steps; takes the arguments of `fit`."""
        logs.warning(
            "The current implementation of partial_fit is not optimized for use in a loop. Consider using "
            "fit() instead."
        )
        return self.fit(*args)

    @deprecate_array_arguments(x=None, y=None, batch_size=None)
    def evaluate(
        self,
        x: TensorLike | None = None,
        y: TensorLike | None = None,
        input_fn: Callable[..., Any] | None = None,
        feed_fn: Callable[..., Any] | None = None,
        batch_size: int | None = None,
        steps: int | None = None,
        metrics: Mapping[Any, Any] | None = None,
        name: str | None = None,
        checkpoint_path: str | None = None,
        hooks: Sequence[Any] | None = None,
        log_progress: bool = True,
    ) -> dict[str, Any]:
        """Evaluates a checkpoint and writes the results to an event file.

        Args:
          x, y, input_fn, batch_size: as in `fit`.
          feed_fn: returns the feed dict of each step.
          steps: number of batches; None to evaluate until the input ends.
          metrics: a dict from name to MetricSpec.
          name: evaluation name, which distinguishes several evaluations.
          checkpoint_path: checkpoint path, by default the latest.
          hooks: SessionRunHooks.
          log_progress: whether to log steps.

        Returns:
          A dict from name to value, including `loss` and `global_step`.

        Raises:
          ValueError: if both kinds of inputs are given, or `metrics` is not a dict.
          NotFittedError: if there is no checkpoint.
        """
        check_inputs(x, y, input_fn, feed_fn, batch_size)
        if metrics is not None and not isinstance(metrics, dict):
            raise ValueError(f"Metrics argument should be None or dict. Got {metrics}.")
        all_hooks = list(hooks or [])
        if x is not None:
            input_fn, feed_fn = input_functions(x, y, None, None, batch_size)
        if feed_fn:
            all_hooks.append(FeedFnHook(feed_fn))
        if steps == 0:
            logs.warning(
                "evaluation steps are 0. If `input_fn` does not raise `OutOfRangeError`, the evaluation will "
                "never stop. Use steps=None if intended."
            )
        if steps:
            all_hooks.append(StopAfterNEvalsHook(steps, log_progress=log_progress))
        return self._evaluate_model(input_fn, metrics, name, checkpoint_path, all_hooks)

    @deprecate_array_arguments(x=None, batch_size=None, as_iterable=True)
    def predict(
        self,
        x: TensorLike | None = None,
        input_fn: Callable[..., Any] | None = None,
        batch_size: int | None = None,
        outputs: Sequence[str] | None = None,
        as_iterable: bool = True,
        iterate_batches: bool = False,
    ) -> Any:
        """Returns the predictions for each example.

        Args:
          x: an array of features, or a dict of them.
          input_fn: alternatively, a function that returns features.
          batch_size: number of rows per batch; by default all.
          outputs: list of prediction keys, by default all.
          as_iterable: whether to return an iterator instead of arrays.
          iterate_batches: whether to iterate over batches.

        Returns:
          An iterator over the predictions for each example or batch, or else the predictions for all examples:
            arrays, or dicts of arrays.

        Raises:
          ValueError: if both kinds of inputs are passed, or for an unknown output.
          NotFittedError: if there is no checkpoint.
        """
        check_inputs(x, None, input_fn, None, batch_size)
        if x is not None and not as_iterable:
            function, feed = input_functions(x, None, None, None, batch_size)
            return concatenate_batches(list(self._infer_model(function, feed, outputs, True)))
        function, feed = input_functions(x, None, input_fn, None, batch_size)
        predictions = self._infer_model(function, feed, outputs, iterate_batches or not as_iterable)
        return predictions if as_iterable else next(predictions)

    @property
    def model_fn(self) -> Callable[..., Any]:
        """The model function: `model_fn(features, labels, mode, config)`."""
        return lambda features, labels, mode, config: self._call_model_fn(
            features, labels, mode, config=config
        )

    @deprecated_export
    def export(
        self,
        export_dir: str,
        input_fn: Callable[..., Any] | None = _default_input_fn,
        input_feature_key: str | None = None,
        use_deprecated_input_fn: bool = True,
        signature_fn: Callable[..., Any] | None = None,
        prediction_key: str | None = None,
        default_batch_size: int = 1,
        exports_to_keep: int | None = None,
        checkpoint_path: str | None = None,
    ) -> Any:
        """Raises UnimplementedError: servers stopped reading this export format in 2016.

        Raises:
          UnimplementedError: always; use `export_savedmodel` to export for serving.
        """
        raise UnimplementedError(
            None, None, "tfmini cannot write session bundles: call export_savedmodel instead"
        )

    def _last_step(self) -> int:
        path = latest_checkpoint(self._model_dir)
        return int(load_variable(path, GraphKeys.GLOBAL_STEP)) if path else 0

    def _checkpoint(self) -> str:
        path = latest_checkpoint(self._model_dir)
        if not path:
            raise NotFittedError(f"Couldn't find trained model at {self._model_dir}.")
        return path

    def _check_signatures(self, features: Any, labels: Any) -> None:
        """Checks that features and labels match the earlier signatures."""
        for name, value in (("features", features), ("labels", labels)):
            attribute = f"_{name}_info"
            previous_value = getattr(self, attribute)
            if previous_value is None:
                setattr(self, attribute, make_signatures(value))
            elif value is not None and not compatible(value, previous_value):
                title = name.capitalize()
                raise ValueError(
                    f"{title} are incompatible with given information. Given {name}: {value}, required "
                    f"signatures: {previous_value}."
                )

    def _train_model(self, input_fn: Any, hooks: list) -> Any:
        config = self._config
        with Graph().as_default() as graph, graph.device(self._device_fn):
            set_random_seed(config.tf_random_seed)
            step = create_global_step(graph)
            features, labels = input_fn()
            self._check_signatures(features, labels)
            get_or_create_global_step_read()
            spec = self._call_model_fn(features, labels, ModeKeys.TRAIN)
            add_to_collection(GraphKeys.LOSSES, spec.loss)
            log_values = {"loss": spec.loss, "step": step}
            hooks = [
                *hooks,
                NanTensorHook(spec.loss),
                LoggingTensorHook(log_values, every_n_iter=100),
            ]
            scaffold = spec.scaffold or Scaffold()
            if not scaffold.saver:
                add_saver(config)
            own_hooks: list = []
            values = [*hooks, *spec.training_hooks, *spec.training_chief_hooks]
            secs, steps = config.save_checkpoints_secs, config.save_checkpoints_steps
            if (secs or steps) and not any(isinstance(h, CheckpointSaverHook) for h in values):
                own_hooks = [
                    CheckpointSaverHook(
                        self._model_dir, save_secs=secs, save_steps=steps, scaffold=scaffold
                    )
                ]
            with MonitoredTrainingSession(
                master=config.master,
                is_chief=config.is_chief,
                checkpoint_dir=self._model_dir,
                scaffold=scaffold,
                hooks=[*hooks, *spec.training_hooks],
                chief_only_hooks=[*own_hooks, *spec.training_chief_hooks],
                save_checkpoint_secs=0,  # a hook saves checkpoints
                save_summaries_steps=config.save_summary_steps,
                max_wait_secs=config.session_creation_timeout_secs,
                config=self._session_config,
            ) as session:
                loss = None
                while not session.should_stop():
                    _, loss = session.run([spec.train_op, spec.loss])
            return loss

    def _evaluate_model(
        self, input_fn: Any, metrics: Any, name: str | None, path: str | None, hooks: list
    ) -> dict[str, Any]:
        path = path or self._checkpoint()
        directory = os.path.join(self._model_dir, f"eval_{name}" if name else "eval")
        with Graph().as_default() as graph:
            set_random_seed(self._config.tf_random_seed)
            step = create_global_step(graph)
            features, labels = input_fn()
            self._check_signatures(features, labels)
            spec = self._call_model_fn(features, labels, ModeKeys.EVAL, metrics)
            if "loss" not in spec.eval_metric_ops:
                spec.eval_metric_ops["loss"] = mean(spec.loss)
            values, updates = {}, []
            for key, measure in spec.eval_metric_ops.items():
                values[key] = measure
                if isinstance(measure, list | tuple):
                    values[key], update = measure
                    updates.append(update)
            update_op = ops.group(*updates) if updates else None
            key = GraphKeys.GLOBAL_STEP
            while key in values:
                key = "_" + key
            values[key] = step
            results = evaluate_once(
                checkpoint_path=path,
                master=self._config.evaluation_master,
                scaffold=spec.scaffold,
                eval_ops=update_op,
                final_ops=values,
                hooks=hooks,
                config=self._session_config,
            )
            texts = [_format_argument(*result) for result in sorted(results.items())]
            evaluation_events.write_results(directory, results, results[key], texts)
        results[GraphKeys.GLOBAL_STEP] = results[key]
        return results

    def _infer_model(
        self, input_fn: Any, feed_fn: Any, outputs: Any, by_batches: bool
    ) -> Iterator[Any]:
        path = self._checkpoint()
        with Graph().as_default() as graph:
            set_random_seed(self._config.tf_random_seed)
            create_global_step(graph)
            inputs = input_fn()
            features = inputs[0] if isinstance(inputs, list | tuple) else inputs
            labels = make_placeholders(self._labels_info)
            spec = self._call_model_fn(features, labels, ModeKeys.INFER)
            predictions = select_keys(spec.predictions, outputs, "outputs")
            creator = ChiefSessionCreator(
                checkpoint_filename_with_path=path,
                scaffold=spec.scaffold,
                config=self._session_config,
            )
            session = MonitoredSession(session_creator=creator)
            is_constant = feed_fn is None and not graph.get_collection(GraphKeys.QUEUE_RUNNERS)
        return iterate_predictions(session, predictions, feed_fn, by_batches, is_constant)

    def _call_model_fn(
        self, features: Any, labels: Any, mode: str, metrics: Any = None, config: Any = None
    ) -> ModelFnOps:
        raise NotImplementedError
