"""Estimators: a model function for training, evaluation and prediction, each in its own graph."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.errors import NotFoundError
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.read_only import read_only
from tfmini._src.formats.gfile_functions import isdir
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import device
from tfmini._src.graph.seeds import set_random_seed
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.estimator import evaluation, replicas
from tfmini._src.models.estimator.estimator_arguments import (
    check_model_fn,
    checked_hooks,
    checked_listeners,
    set_model_directory,
)
from tfmini._src.models.estimator.estimator_spec import EstimatorSpec
from tfmini._src.models.estimator.export.export_saved_model import export_all
from tfmini._src.models.estimator.fn_args import accepted_arguments, parameter_names
from tfmini._src.models.estimator.input_results import features_and_labels, is_finite_input
from tfmini._src.models.estimator.mode_keys import ModeKeys
from tfmini._src.models.estimator.parameter_server_devices import parameter_server_devices
from tfmini._src.models.estimator.predictions import select_keys, split_batch
from tfmini._src.models.estimator.run_config import RunConfig
from tfmini._src.models.estimator.tf_config import TaskType
from tfmini._src.models.estimator.training_session import train_with
from tfmini._src.models.estimator.warm_start_settings import (
    WarmStartSettings,
    to_warm_start_settings,
)
from tfmini._src.train.checkpoints.checkpoint_management import latest_checkpoint
from tfmini._src.train.checkpoints.checkpoint_reader import (
    list_variables,
    load_variable,
    new_checkpoint_reader,
)
from tfmini._src.train.checkpoints.warm_start import warm_start
from tfmini._src.train.global_step import create_global_step, get_or_create_global_step_read
from tfmini._src.train.monitored.evaluate_once import StopAfterNEvalsHook
from tfmini._src.train.monitored.monitored_session import MonitoredSession
from tfmini._src.train.monitored.session_creator import ChiefSessionCreator
from tfmini._src.train.monitored.session_run_hook import SessionRunHook
from tfmini._src.train.monitored.start_stop_hooks import StopAtStepHook

# Members that subclasses may override.
_OVERRIDABLE = {"model_fn", "_create_and_assert_global_step", "_export_all_saved_models"}


class Estimator:
    """A model for training, evaluation and prediction through input functions, with its state in checkpoints.

    Args:
      model_fn: `model_fn(features, labels, mode, params, config)` builds the model and returns an
        EstimatorSpec; only `features` is required.
      model_dir: directory of checkpoints and event files, by default `config`'s, else a temporary one.
      config: a `tf.estimator.RunConfig`.
      params: passed to `model_fn` and input functions as `params`.
      warm_start_from: a checkpoint or SavedModel to initialize variables from, or a `WarmStartSettings`.

    Raises:
      ValueError: if `model_fn` has unknown parameters or lacks `params`, a subclass overrides a method, or
        `model_dir` differs from the config's.

    Example:
      def model(features, labels, mode):
          logits = tf.layers.dense(features["x"], 10)
          loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
          train = tf.train.AdamOptimizer().minimize(loss, tf.train.get_global_step())
          return tf.estimator.EstimatorSpec(mode, tf.argmax(logits, 1), loss, train)

      estimator = tf.estimator.Estimator(model, "/tmp/model")
      estimator.train(input_fn, steps=1000)
    """

    model_dir: Any = read_only("The directory of checkpoints and event files.")

    def __init__(
        self,
        model_fn: Callable[..., EstimatorSpec],
        model_dir: str | None = None,
        config: RunConfig | None = None,
        params: TensorLike | None = None,
        warm_start_from: str | WarmStartSettings | None = None,
    ):
        # Subclasses may override these; calls go through another method.
        self.__class__._assert_members_are_not_overridden(self)
        self._config = set_model_directory(config, model_dir)
        self._model_dir = self._config.model_dir
        self._session_config = self._config.session_config
        logs.info("Using config: %s", str(vars(self._config)))
        self._device_fn = self._config.device_fn or parameter_server_devices(self._config)
        if model_fn is None:
            raise ValueError("model_fn must be provided to Estimator.")
        check_model_fn(model_fn, params)
        self._model_fn = model_fn
        self._params = copy.deepcopy(params or {})
        self._warm_start_settings = to_warm_start_settings(warm_start_from)

    def _assert_members_are_not_overridden(self) -> None:
        self._check_members(Estimator)

    def _check_members(self, base: type[Estimator]) -> None:
        """Raises ValueError if a subclass overrides a final member of `base`."""
        cls = type(self)
        if cls.__name__ == "TPUEstimator":
            return
        members = {name for name in dir(base) if not name.startswith("__")} - _OVERRIDABLE
        duplicates = [
            name for name in members & set(vars(cls)) if getattr(base, name) != getattr(cls, name)
        ]
        if duplicates:
            raise ValueError(
                "Subclasses of Estimator cannot override members of Estimator. "
                f"{cls} does override {duplicates}"
            )

    @property
    def config(self) -> RunConfig:
        """A copy of the RunConfig."""
        return copy.deepcopy(self._config)

    @property
    def params(self) -> Any:
        """A copy of the `params` passed to the model function."""
        return copy.deepcopy(self._params)

    @property
    def model_fn(self) -> Callable[[Any, Any, str, Any], EstimatorSpec]:
        """The model function with `params` bound: `model_fn(features, labels, mode, config)`."""
        return lambda features, labels, mode, config: self._call_model_fn(
            features, labels, mode, config
        )

    def latest_checkpoint(self) -> str | None:
        """Returns the prefix of the latest checkpoint; None if no checkpoint exists."""
        return latest_checkpoint(self._model_dir)

    def get_variable_names(self) -> list[str]:
        """Returns the variable names in the latest checkpoint; raises ValueError if none exists."""
        self._check_trained()
        return [name for name, _ in list_variables(self._model_dir)]

    def get_variable_value(self, name: str) -> Any:
        """Returns the value of a variable in the latest checkpoint, as an array; raises ValueError if none exists."""
        self._check_trained()
        return load_variable(self._model_dir, name)

    def eval_dir(self, name: str | None = None) -> str:
        """Returns the directory of evaluation event files, one per evaluation name."""
        return os.path.join(self._model_dir, f"eval_{name}" if name else "eval")

    def train(
        self,
        input_fn: Callable[..., Any],
        hooks: Sequence[Any] | None = None,
        steps: int | None = None,
        max_steps: int | None = None,
        saving_listeners: Sequence[Any] | None = None,
    ) -> Estimator:
        """Trains from the latest checkpoint until the input ends or the step limit is reached.

        Args:
          input_fn: function that returns (features, labels), or a dataset of them; may accept `mode`, `params` and
            `config`.
          hooks: SessionRunHooks.
          steps: number of steps.
          max_steps: final global step.
          saving_listeners: CheckpointSaverListeners.

        Returns:
          The Estimator.

        Raises:
          ValueError: if both step limits are given, or one is not positive.
        """
        if self._config.task_type in (TaskType.EVALUATOR, TaskType.PS):
            raise ValueError(
                "Train has been called wrong configuration. Please use tf.estimator.train_and_evaluate which calls "
                f"proper API according to given configuration. Current configuration: {self.config}."
            )
        if steps is not None and max_steps is not None:
            raise ValueError("Can not provide both steps and max_steps.")
        for title, limit in (("steps", steps), ("max_steps", max_steps)):
            if limit is not None and limit <= 0:
                raise ValueError(f"Must specify {title} > 0, given: {limit}")
        if max_steps is not None and max_steps <= self._checkpoint_step():
            logs.info("Skipping training since max_steps has already saved.")
            return self
        all_hooks = checked_hooks(hooks)
        if steps is not None or max_steps is not None:
            all_hooks.append(StopAtStepHook(steps, max_steps))
        loss = self._train_model(input_fn, all_hooks, checked_listeners(saving_listeners))
        logs.info("Loss for final step: %s.", loss)
        return self

    def _train_model(self, input_fn: Callable, hooks: list, listeners: list) -> Any:
        strategy = self._config.train_distribute
        if strategy is not None:
            replicas.configure(strategy, self._config)
            with (
                Graph().as_default() as graph,
                strategy.scope(),
                strategy._scale_loss_for_estimator_enabled(),
            ):
                set_random_seed(self._config.tf_random_seed)
                spec, input_hooks = replicas.training_spec(self, strategy, graph, input_fn)
                self._maybe_warm_start(None)
                return self._train_with_estimator_spec(spec, input_hooks, hooks, None, listeners)
        with Graph().as_default() as graph, device(self._device_fn):
            set_random_seed(self._config.tf_random_seed)
            step = self._create_and_assert_global_step(graph)
            if step is not None:
                get_or_create_global_step_read(graph)
            features, labels, input_hooks = self._get_features_and_labels_from_input_fn(
                input_fn, ModeKeys.TRAIN
            )
            spec = self._call_model_fn(features, labels, ModeKeys.TRAIN, self.config)
            self._maybe_warm_start(None)
            return self._train_with_estimator_spec(spec, input_hooks, hooks, step, listeners)

    def evaluate(
        self,
        input_fn: Callable[..., Any],
        steps: int | None = None,
        hooks: Sequence[Any] | None = None,
        checkpoint_path: str | None = None,
        name: str | None = None,
    ) -> dict[str, Any]:
        """Evaluates a checkpoint until the input ends or the step limit is reached, and writes the results as an
        event.

        Args:
          input_fn: function that returns (features, labels), or a dataset of them.
          steps: number of batches.
          hooks: SessionRunHooks.
          checkpoint_path: checkpoint prefix, by default the latest; if none exists, variables are initialized.
          name: name to distinguish several evaluations.

        Returns:
          The model's metrics by name, including `loss` and `global_step`.

        Raises:
          ValueError: if `steps` is not positive, or a metric has one of these two names.
        """
        all_hooks = checked_hooks(hooks)
        if steps is not None:
            if steps <= 0:
                raise ValueError(f"Must specify steps > 0, given: {steps}")
            all_hooks.append(StopAfterNEvalsHook(steps))
        path = checkpoint_path or self._newest_to("evaluate")
        return evaluation.evaluate(self, input_fn, path, all_hooks, self.eval_dir(name))

    def predict(
        self,
        input_fn: Callable[..., Any],
        predict_keys: str | Sequence[str] | None = None,
        hooks: Sequence[Any] | None = None,
        checkpoint_path: str | None = None,
        yield_single_examples: bool = True,
    ) -> Iterator[Any]:
        """Yields the model's predictions per example, lazily.

        Args:
          input_fn: function that returns features, (features, labels), or a dataset of these.
          predict_keys: list of the prediction names to return.
          hooks: SessionRunHooks.
          checkpoint_path: checkpoint prefix, by default the latest; if none exists, variables are initialized.
          yield_single_examples: whether to split batches into examples.

        Returns:
          An iterator of arrays, or of dicts of arrays.

        Raises:
          ValueError: if none of `predict_keys` is a prediction, or batch lengths differ.
        """
        all_hooks = checked_hooks(hooks)
        path = checkpoint_path or self._newest_to("predict")
        with Graph().as_default() as graph:
            set_random_seed(self._config.tf_random_seed)
            self._create_and_assert_global_step(graph)
            features, input_hooks = self._get_features_from_input_fn(input_fn, ModeKeys.PREDICT)
            spec = self._call_model_fn(features, None, ModeKeys.PREDICT, self.config)
            self._maybe_warm_start(path)
            predictions = self._extract_keys(spec.predictions, predict_keys)
            creator = ChiefSessionCreator(
                checkpoint_filename_with_path=path,
                master=self._config.master,
                scaffold=spec.scaffold,
                config=self._session_config,
            )
            hooks = [*input_hooks, *all_hooks, *spec.prediction_hooks]
            with MonitoredSession(creator, hooks) as session:
                while not session.should_stop():
                    batch = session.run(predictions)
                    yield from split_batch(batch) if yield_single_examples else [batch]

    def export_saved_model(
        self,
        export_dir_base: str,
        serving_input_receiver_fn: Callable[..., Any] | None,
        assets_extra: dict[str, str] | None = None,
        as_text: bool = False,
        checkpoint_path: str | None = None,
        experimental_mode: str = ModeKeys.PREDICT,
    ) -> bytes:
        """Exports the model as a SavedModel, e.g. for serving or `tf.contrib.predictor`.

        Args:
          export_dir_base: parent directory of the export, whose name is a timestamp.
          serving_input_receiver_fn: function that returns a ServingInputReceiver; see `tf.estimator.export`.
          assets_extra: source files by destination name in "assets.extra".
          as_text: whether to write text instead of binary protos.
          checkpoint_path: checkpoint prefix, by default the latest.
          experimental_mode: the mode of the exported graph.

        Returns:
          Path of the new directory.

        Raises:
          ValueError: missing receiver function, checkpoint or outputs.
        """
        if not serving_input_receiver_fn:
            raise ValueError("An input_receiver_fn must be defined.")
        return self._export_all_saved_models(
            export_dir_base,
            {experimental_mode: serving_input_receiver_fn},
            assets_extra,
            as_text,
            checkpoint_path,
            True,
        )

    @deprecated(None, "This function has been renamed, use `export_saved_model` instead.")
    def export_savedmodel(
        self,
        export_dir_base: str,
        serving_input_receiver_fn: Callable[..., Any] | None,
        assets_extra: dict[str, str] | None = None,
        as_text: bool = False,
        checkpoint_path: str | None = None,
        strip_default_attrs: bool = False,
    ) -> bytes:
        """Does the same as `export_saved_model`, but keeps attrs with default values unless `strip_default_attrs`."""
        if not serving_input_receiver_fn:
            raise ValueError("An input_receiver_fn must be defined.")
        functions = {ModeKeys.PREDICT: serving_input_receiver_fn}
        return self._export_all_saved_models(
            export_dir_base, functions, assets_extra, as_text, checkpoint_path, strip_default_attrs
        )

    def experimental_export_all_saved_models(
        self,
        export_dir_base: str,
        input_receiver_fn_map: dict[str, Callable[..., Any]],
        assets_extra: dict[str, str] | None = None,
        as_text: bool = False,
        checkpoint_path: str | None = None,
    ) -> bytes:
        """Exports a SavedModel for several modes; `input_receiver_fn_map` maps modes to functions."""
        return self._export_all_saved_models(
            export_dir_base, input_receiver_fn_map, assets_extra, as_text, checkpoint_path, True
        )

    def _export_all_saved_models(
        self,
        export_dir_base: Any,
        input_receiver_fn_map: dict[str, Callable],
        assets_extra: dict[str, str] | None,
        as_text: bool,
        checkpoint_path: str | None,
        strip_default_attrs: bool,
    ) -> bytes:
        path = checkpoint_path or latest_checkpoint(self._model_dir)
        if not path and self._warm_start_settings:
            path = self._warm_start_settings.ckpt_to_initialize_from
            path = latest_checkpoint(path) if isdir(path) else path
        if not path:
            raise ValueError(f"Couldn't find trained model at {self._model_dir}.")

        def build(mode: str, graph: Graph, receive: Callable) -> tuple[Any, EstimatorSpec]:
            self._create_and_assert_global_step(graph)
            set_random_seed(self._config.tf_random_seed)
            received = receive()
            labels = getattr(received, "labels", None)
            return received, self._call_model_fn(received.features, labels, mode, self.config)

        return export_all(
            export_dir_base,
            input_receiver_fn_map,
            build,
            path,
            self._session_config,
            assets_extra or {},
            as_text,
            strip_default_attrs,
        )

    # Shared parts --------------------------------------------------------------------------------------

    def _create_global_step(self, graph: Graph) -> Any:
        return create_global_step(graph)

    def _create_and_assert_global_step(self, graph: Graph) -> Any:
        return self._create_global_step(graph)

    def _get_features_and_labels_from_input_fn(
        self, input_fn: Callable, mode: str
    ) -> tuple[Any, Any, list[SessionRunHook]]:
        return features_and_labels(self._call_input_fn(input_fn, mode))

    def _get_features_from_input_fn(
        self, input_fn: Callable, mode: str
    ) -> tuple[Any, list[SessionRunHook]]:
        features, _, input_hooks = self._get_features_and_labels_from_input_fn(input_fn, mode)
        self._validate_features_in_predict_input(features)
        return features, input_hooks

    def _validate_features_in_predict_input(self, result: Any) -> None:
        if not is_finite_input(result, get_default_graph()):
            logs.warning(
                "Input graph does not use tf.data.Dataset or contain a QueueRunner. That means predict yields "
                "forever. This is probably a mistake."
            )

    def _extract_keys(self, predictions: Any, predict_keys: Any) -> Any:
        return select_keys(predictions, predict_keys)

    def _train_with_estimator_spec(
        self,
        estimator_spec: EstimatorSpec,
        worker_hooks: Sequence[Any],
        hooks: Sequence[Any],
        global_step_tensor: Any,
        saving_listeners: Any,
    ) -> Any:
        all_hooks = [*worker_hooks, *hooks]
        return train_with(
            estimator_spec, self._config, self._session_config, all_hooks, saving_listeners
        )

    def _call_input_fn(self, input_fn: Callable, mode: str, input_context: Any = None) -> Any:
        arguments = {"mode": mode, "params": self.params, "config": self.config}
        if input_context is not None:
            arguments["input_context"] = input_context
        with device("/cpu:0"):
            return input_fn(**accepted_arguments(input_fn, arguments))

    def _call_model_fn(self, features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
        if labels is not None and "labels" not in parameter_names(self._model_fn):
            raise ValueError("model_fn does not take labels, but input_fn returns labels.")
        arguments = {"labels": labels, "mode": mode, "params": self.params, "config": config}
        logs.info("Calling model_fn.")
        spec = self._model_fn(features=features, **accepted_arguments(self._model_fn, arguments))
        logs.info("Done calling model_fn.")
        if not isinstance(spec, EstimatorSpec):
            raise ValueError("model_fn should return an EstimatorSpec.")
        return spec

    def _maybe_warm_start(self, checkpoint_path: str | None) -> None:
        if self._warm_start_settings and not checkpoint_path:
            logs.info("Warm-starting with WarmStartSettings: %s", self._warm_start_settings)
            warm_start(*self._warm_start_settings)

    def _newest_to(self, purpose: str) -> str | None:
        """Returns the path of the latest checkpoint, or None after logging that variables are initialized instead."""
        path = latest_checkpoint(self._model_dir)
        if not path:
            logs.info(
                "Could not find trained model in model_dir: %s, running initialization to %s.",
                self._model_dir,
                purpose,
            )
        return path

    def _check_trained(self) -> None:
        if not latest_checkpoint(self._model_dir):
            raise ValueError(f"Could not find trained model in model_dir: {self._model_dir}.")

    def _checkpoint_step(self) -> int:
        """Returns the global step of the latest checkpoint, or 0."""
        path = latest_checkpoint(self._model_dir)
        if not path:
            return 0
        try:
            return int(new_checkpoint_reader(path).get_tensor(GraphKeys.GLOBAL_STEP))
        except NotFoundError:
            return 0
