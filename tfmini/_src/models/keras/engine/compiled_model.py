"""A model's losses and metrics, and its functions for training, evaluation and prediction."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, NoReturn

from tfmini._src.base import logs
from tfmini._src.base.nest.structure import flatten
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.replica_modes import (
    current_strategy,
    is_cross_replica,
    part_of_replica,
    reject_mirrored_variables,
)
from tfmini._src.graph.scopes import name_scope
from tfmini._src.models.keras.engine import replicas
from tfmini._src.models.keras.engine.compile_arguments import (
    loss_functions,
    output_metrics,
    set_loss_weights,
)
from tfmini._src.models.keras.engine.network import Network
from tfmini._src.models.keras.engine.output_metrics import call_metric, reduced_loss
from tfmini._src.models.keras.engine.outputs import Endpoint
from tfmini._src.models.keras.engine.standardize_arrays import check_keys
from tfmini._src.models.keras.engine.trainable_state import set_trainable_state, trainable_state
from tfmini._src.models.keras.metrics.reductions import Mean
from tfmini._src.models.keras.mixed_precision.loss_scale_optimizer import (
    LossScaleOptimizer,
    policy_optimizer,
)
from tfmini._src.models.keras.optimizers import optimizer_by_name as optimizers
from tfmini._src.models.keras.optimizers.optimizer_v2 import OptimizerV2
from tfmini._src.nn.layers.backend.function import function
from tfmini._src.nn.layers.backend.keras_graph import get_graph
from tfmini._src.nn.layers.backend.learning_phase import symbolic_learning_phase
from tfmini._src.nn.layers.backend.tensor_values import is_tensor
from tfmini._src.nn.layers.metric import Metric
from tfmini._src.ops import ops
from tfmini._src.variables.trackable import no_automatic_dependency_tracking

if TYPE_CHECKING:
    from tfmini._src.autodiff.gradient_tape import GradientTape
    from tfmini._src.distribute.strategy import Strategy
    from tfmini._src.train.optimizers.optimizer import Optimizer


class CompileMixin(Network):
    """Mixin that adds `compile` to networks."""

    _endpoints: list[Endpoint]
    _has_newer_loop = False
    _replicas: Any = None
    optimizer: Any

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        vars(self).setdefault("_compile_metric_functions", [])

    @no_automatic_dependency_tracking
    def compile(
        self,
        optimizer: str | OptimizerV2 | Optimizer = "rmsprop",
        loss: object = None,
        metrics: object = None,
        loss_weights: object = None,
        sample_weight_mode: object = None,
        weighted_metrics: object = None,
        target_tensors: object = None,
        distribute: Strategy | None = None,
        **kwargs: Any,
    ) -> None:
        """Configures training.

        Args:
          optimizer: an optimizer (possibly from `tf.train`), or its name.
          loss: a function of targets and predictions, a `tf.keras.losses.Loss`, or its name; a list or dict for
            several outputs.
          metrics: list of metrics, functions or names ("accuracy" selects the variant); a dict or a list of lists
            for several outputs.
          loss_weights: weights of the outputs' losses, a list or dict.
          sample_weight_mode: "temporal" for weights per sequence step; a list or dict for several outputs.
          weighted_metrics: metrics that use sample weights.
          target_tensors: tensors that replace target placeholders.
          distribute: unsupported; create and compile the model within `strategy.scope()` instead.
          **kwargs: `run_eagerly`; others are passed to `Session.run`.

        Raises:
          ValueError: for unknown or mismatched arguments.
          NotImplementedError: for `distribute` in graph mode, which TensorFlow deprecates.
        """
        if executing_eagerly():
            reject_mirrored_variables("compiled Keras models in eager mode")
        self.run_eagerly = kwargs.pop("run_eagerly", None)
        # Raises if layers are incompatible with graphs.
        runs_eagerly = getattr(self, "run_eagerly", False)
        uses_functions = kwargs.pop("experimental_run_tf_function", True)
        if distribute is not None:
            _raise_distribute_error()
        if isinstance(optimizer, (list, tuple)):
            self.optimizer = [optimizers.get(item) for item in optimizer]
        else:
            self.optimizer = optimizers.get(optimizer)
            self._track_trackable(self.optimizer, "optimizer", overwrite=True)
        self.optimizer = policy_optimizer(self.optimizer, self._dtype_policy)
        # The newer of TensorFlow's eager loops also batches tensors.
        self._has_newer_loop = (
            uses_functions
            and sample_weight_mode is None
            and target_tensors is None
            and all(isinstance(item, OptimizerV2) for item in flatten(self.optimizer))
            and executing_eagerly()
        )
        self._make_replicas(weighted_metrics, sample_weight_mode, target_tensors)
        self.loss = loss or {}
        self.loss_weights = loss_weights
        self.sample_weight_mode = sample_weight_mode
        self._compile_metrics = metrics or []
        self._compile_weighted_metrics = weighted_metrics
        self._endpoints = []
        self._compiled_trainable_state = trainable_state(self)
        self._compile_metric_functions: list[Metric] = []
        if not self.built or not self.inputs or not self.outputs:
            return  # compiled once data is available
        self._is_compiled = True
        self._function_kwargs = kwargs
        self._eager_steps: dict[str, Any] = {}
        self.train_function: Any = None
        self.test_function: Any = None
        self.predict_function: Any = None
        with get_graph().as_default() if executing_eagerly() else nullcontext():
            self._make_endpoints(
                metrics, weighted_metrics, loss_weights, sample_weight_mode, target_tensors
            )
            if not runs_eagerly:
                self._call_metrics(self._output_metrics, None)
                self._compile_losses()
        self._collected_trainable_weights = self._unique_trainable_weights
        if self._replicas is not None:
            self._replicas.check_variables()

    def get_weights(self) -> list[Any]:
        """Returns the weight values; copies of distributed variables are reduced."""
        if self._replicas is None:
            return super().get_weights()
        with self._replicas.strategy.scope():
            return super().get_weights()

    def _make_replicas(self, weighted_metrics: Any, mode: Any, targets: Any) -> None:
        """Creates the replicas of the model if its strategy has several replicas."""
        previous_replicas, self._replicas = self._replicas, None
        strategy = current_strategy() if is_cross_replica() else None
        if strategy is None and previous_replicas is not None:
            strategy = previous_replicas.strategy
        if strategy is not None and not executing_eagerly():
            replicas.check_compile(self, weighted_metrics, mode, targets, self.run_eagerly)
            self._replicas = replicas.Replicas(self, strategy)

    def _make_endpoints(
        self,
        metrics: Any,
        weighted_metrics: Any,
        loss_weights: Any,
        sample_weight_mode: Any,
        target_tensors: Any,
    ) -> None:
        self.loss_functions = loss_functions(self.loss, self.output_names)
        targets = self._target_tensors(target_tensors)
        for output, name, fn, target in zip(
            self.outputs, self.output_names, self.loss_functions, targets
        ):
            endpoint = Endpoint(output, name, fn)
            endpoint.make_target(target)
            self._endpoints.append(endpoint)
        set_loss_weights(self._endpoints, loss_weights)
        self._choose_metrics(metrics, weighted_metrics)
        self._set_weight_modes(sample_weight_mode)

    @property
    def _loss_weights_list(self) -> list:
        return [endpoint.loss_weight for endpoint in self._endpoints]

    @property
    def _unique_trainable_weights(self) -> list:
        return list(dict.fromkeys(self.trainable_weights))

    def _target_tensors(self, arguments: Any) -> list:
        if arguments is None or (isinstance(arguments, list) and not arguments):
            return [None] * len(self.output_names)
        if isinstance(arguments, list):
            if len(arguments) != len(self.outputs):
                raise ValueError(
                    "When passing a list as `target_tensors`, it should have one entry per model output. The "
                    f"model has {len(self.outputs)} outputs, but you passed target_tensors={arguments}"
                )
            return arguments
        if isinstance(arguments, dict):
            unexpected = set(arguments).difference(self.output_names)
            if unexpected:
                raise ValueError(
                    f'Unknown entry in `target_tensors` dictionary: "{unexpected}". Only expected the following '
                    f"keys: {self.output_names}"
                )
            return [arguments.get(name) for name in self.output_names]
        if is_tensor(arguments):
            return [arguments]
        raise TypeError(
            "Expected `target_tensors` to be a list or tuple or dict or a single tensor, but got:",
            arguments,
        )

    # Metrics -------------------------------------------------------------------------------------

    def _choose_metrics(self, metrics: Any, weighted_metrics: Any) -> None:
        shapes = [
            None if output is None or output.shape.ndims is None else output.shape.as_list()
            for output in self.outputs
        ]
        names = self.output_names
        plain = output_metrics(metrics, names, shapes, self.loss_functions, weighted=False)
        weighted = output_metrics(
            weighted_metrics, names, shapes, self.loss_functions, weighted=True
        )
        self._output_metrics: list[list[Metric]] = []
        self._weighted_output_metrics: list[list[Metric]] = []
        for index, endpoint in enumerate(self._endpoints):
            for metrics_of_output, collected in (
                (plain, self._output_metrics),
                (weighted, self._weighted_output_metrics),
            ):
                rows = list(metrics_of_output[index].items())
                if not endpoint.skips_target:
                    for name, metric in rows:
                        metric._name = self._unique_metric_name(name, index)
                        self._compile_metric_functions.append(metric)
                collected.append([metric for _, metric in rows])
        if len(self._endpoints) > 1:
            for endpoint in self._endpoints:
                if not endpoint.skips_target:
                    endpoint.loss_metric = Mean(name=endpoint.loss_name)

    def _unique_metric_name(self, name: str, output: int) -> str:
        if len(self.output_names) > 1:
            name = f"{self.output_names[output]}_{name}"
        proposal, suffix = name, 1
        while proposal in self.metrics_names:
            proposal = f"{name}_{suffix}"
            suffix += 1
        return proposal

    def _call_metrics(self, metrics: list[list[Metric]], weights: Any) -> None:
        """Adds the metrics of all outputs to the graph."""
        with name_scope("metrics"):
            for index, endpoint in enumerate(self._endpoints):
                if endpoint.skips_target:
                    continue
                mask = getattr(endpoint.output, "_keras_mask", None)
                for metric in metrics[index]:
                    with name_scope(metric.name):
                        call_metric(metric, endpoint, mask, weights[index] if weights else None)

    @property
    def metrics(self) -> list[Any]:
        """The metrics passed to `compile` and `add_metric`, and the layers' metrics."""
        collected = list(self._compile_metric_functions) if self._is_compiled else []
        return collected + self._metrics + _metrics_in(self.layers)

    @property
    def metrics_names(self) -> list[str]:
        """Names of the values that `evaluate` returns: "loss", output losses, metrics."""
        names = ["loss"]
        if self._is_compiled:
            if len(self._endpoints) > 1:
                names += [str(e.loss_name) for e in self._endpoints if not e.skips_target]
            names += [metric.name for metric in self._compile_metric_functions]
        for layer in self.layers:
            names += [metric.name for metric in layer._metrics]
        return names + [metric.name for metric in self._metrics]

    def _evaluated_metrics(self) -> list:
        """Returns all metrics, starting with the output losses."""
        loss_metrics = [e.loss_metric for e in self._endpoints if e.loss_metric is not None]
        return loss_metrics + self.metrics

    def reset_metrics(self) -> None:
        """Resets the state of all metrics."""
        for metric in self._evaluated_metrics() if hasattr(self, "_endpoints") else self.metrics:
            metric.reset_states()
        if self._replicas is not None:
            self._replicas.reset_metrics()

    # Losses --------------------------------------------------------------------------------------

    def _set_weight_modes(self, mode: Any) -> None:
        endpoints = [e for e in self._endpoints if not (e.skips_target or e.skips_weights)]
        if isinstance(mode, Mapping):
            check_keys("sample_weight_mode", mode, [e.name for e in self._endpoints])
            for endpoint in endpoints:
                if endpoint.name not in mode:
                    raise ValueError(
                        f"Output {endpoint.name}missing from `_sample_weight_modes` dictionary"
                    )
                endpoint.sample_weight_mode = mode[endpoint.name]
        elif isinstance(mode, (list, tuple)):
            if len(mode) != len(self._endpoints):
                raise ValueError(
                    "When passing a list as sample_weight_mode, it should have one entry per model output. The "
                    f"model has {len(self._endpoints)} outputs, but you passed {len(mode)}_sample_weight_modes."
                )
            for item, endpoint in zip(mode, self._endpoints):
                if endpoint in endpoints:
                    endpoint.sample_weight_mode = item
        else:
            for endpoint in endpoints:
                endpoint.sample_weight_mode = mode

    def _note_sample_weights(self, weights: Any) -> None:
        """Sets the sample weight modes according to whether there are sample weights."""
        if not self._is_compiled:
            return
        has_weights = bool(weights) and any(w is not None for w in weights)
        for endpoint in self._endpoints:
            endpoint.sample_weight_mode = (
                (endpoint.sample_weight_mode or "samplewise") if has_weights else None
            )

    def _compile_again(self) -> bool:
        """Rebuilds the losses if sample weights were added or dropped; returns whether they were rebuilt."""
        recompiles = self._is_compiled and any(e.weights_mismatch for e in self._endpoints)
        if recompiles:
            self._compile_losses()
        return recompiles

    @no_automatic_dependency_tracking
    def _compile_losses(self, value: Any = None) -> None:
        """Adds losses and weighted metrics to the graph; `value` contains a weight tensor or None per output."""
        if value is not None:
            self._note_sample_weights(value)
        for index, endpoint in enumerate(self._endpoints):
            endpoint.make_sample_weight(None if value is None else value[index])
        masks = [getattr(output, "_keras_mask", None) for output in self.outputs]
        weights = [endpoint.sample_weight for endpoint in self._endpoints]
        self._call_metrics(self._weighted_output_metrics, weights)
        self.total_loss = self._loss_sum(masks)

    def _loss_sum(self, masks: list) -> Any:
        total: Any = None
        with name_scope("loss"):
            for endpoint, mask in zip(self._endpoints, masks):
                if endpoint.skips_target:
                    continue
                with name_scope(endpoint.loss_name):
                    loss, is_mean = reduced_loss(endpoint, mask)
                if len(self.outputs) > 1:
                    endpoint.loss_metric(loss)
                weighted = endpoint.loss_weight * (part_of_replica(loss) if is_mean else loss)
                total = weighted if total is None else total + weighted
            if total is None:
                if not self.losses:
                    raise ValueError(
                        "The model cannot be compiled because it has no loss to optimize."
                    )
                total = 0.0
            extra_losses = self.get_losses_for(None) + self.get_losses_for(self.inputs)
            if extra_losses:
                total += part_of_replica(ops.add_n(extra_losses))
        return total

    # Functions -----------------------------------------------------------------------------------

    @property
    def _feed_targets(self) -> list:
        return [e.target for e in self._endpoints if e.feeds_target]

    @property
    def _feed_sample_weights(self) -> list:
        return [e.sample_weight for e in self._endpoints if e.sample_weight is not None]

    @property
    def sample_weights(self) -> list[Any]:
        """Sample weight tensors of the outputs; None for unweighted outputs."""
        return [e.sample_weight for e in self._endpoints]

    def _check_trainable_weights_consistency(self) -> None:
        collected_weights = vars(self).get("_collected_trainable_weights")
        if collected_weights is not None and len(collected_weights) != len(
            self._unique_trainable_weights
        ):
            logs.log_first_n(
                logs.WARN,
                "Discrepancy between trainable weights and collected trainable weights, did you set "
                "`model.trainable` without calling `model.compile` after ?",
                1,
            )

    def _loss_and_metrics(self) -> list:
        """Returns the loss and the results of the metrics."""
        results = [m._call_result for m in self._evaluated_metrics() if hasattr(m, "_call_result")]
        return [self.total_loss, *results]

    def _optimizer_updates(self) -> list:
        if isinstance(self.optimizer, list):
            raise ValueError("The `optimizer` in `compile` should be a single optimizer.")
        return self.optimizer.get_updates(
            params=self._collected_trainable_weights, loss=self.total_loss
        )

    def _backwards(self, tape: GradientTape, loss: Any) -> None:
        """Applies the gradients of a loss in eager mode."""
        weights = self._unique_trainable_weights
        gradients = tape.gradient(loss, weights)
        if isinstance(self.optimizer, LossScaleOptimizer):
            gradients = self.optimizer.get_unscaled_gradients(gradients)
        self.optimizer.apply_gradients(zip(gradients, weights))

    @no_automatic_dependency_tracking
    def _make_train_function(self) -> Any:
        recompiles = self._compile_again()
        self._check_trainable_weights_consistency()
        if vars(self).get("train_function") is not None and not recompiles:
            return self.train_function
        now = trainable_state(self)
        set_trainable_state(self, self._compiled_trainable_state)
        inputs = self._feed_inputs + self._feed_targets + self._feed_sample_weights
        phase = symbolic_learning_phase()
        if not isinstance(phase, int):
            inputs = [*inputs, phase]
        with name_scope("training"):
            updates = (
                self._optimizer_updates()
                + self.get_updates_for(None)
                + self.get_updates_for(self.inputs)
            )
        with name_scope("training"):
            self.train_function = function(
                inputs,
                self._loss_and_metrics(),
                updates=updates,
                name="train_function",
                **self._function_kwargs,
            )
        set_trainable_state(self, now)
        return self.train_function

    @no_automatic_dependency_tracking
    def _make_test_function(self) -> Any:
        recompiles = self._compile_again()
        if vars(self).get("test_function") is not None and not recompiles:
            return self.test_function
        inputs = self._feed_inputs + self._feed_targets + self._feed_sample_weights
        with name_scope("evaluation"):
            self.test_function = function(
                inputs,
                self._loss_and_metrics(),
                updates=self.state_updates,
                name="test_function",
                **self._function_kwargs,
            )
        return self.test_function

    @no_automatic_dependency_tracking
    def _make_predict_function(self) -> Any:
        if vars(self).get("predict_function") is None:
            with name_scope("predict"):
                self.predict_function = function(
                    self._feed_inputs,
                    self.outputs,
                    updates=self.state_updates,
                    name="predict_function",
                    **vars(self).get("_function_kwargs", {}),
                )
        return self.predict_function


def _metrics_in(layers: list) -> list:
    collected: list = []
    for layer in layers:
        if isinstance(layer, CompileMixin):
            collected += layer._metrics + _metrics_in(layer.layers)
        else:
            collected += layer.metrics
    return collected


def _raise_distribute_error() -> NoReturn:
    if executing_eagerly():
        raise ValueError(
            "Distribute argument in compile is not available in TF 2.0 please create the model under the distribution "
            "strategy scope."
        )
    raise NotImplementedError(
        "tfmini does not support `distribute` in compile: build and compile the model within `strategy.scope()`"
    )
