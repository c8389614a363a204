"""Training, evaluation and prediction steps in eager mode, as single functions."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from tfmini._src.autodiff.gradient_tape import GradientTape
from tfmini._src.base import dtypes, logs
from tfmini._src.base.nest.structure import flatten, map_structure
from tfmini._src.functions.tf_function import Function
from tfmini._src.graph.autograph_status import Status, conversion
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.models.keras.engine.epoch_batches import FIXED_SHAPES, BatchShapes
from tfmini._src.models.keras.engine.output_metrics import call_metric, reduced_loss
from tfmini._src.models.keras.engine.outputs import Endpoint
from tfmini._src.models.keras.engine.run_loop import PREDICT, TRAIN
from tfmini._src.models.keras.engine.trainable_state import set_trainable_state, trainable_state
from tfmini._src.models.keras.mixed_precision.loss_scale_optimizer import LossScaleOptimizer
from tfmini._src.nn.layers.backend.config import floatx
from tfmini._src.nn.layers.backend.learning_phase import eager_learning_phase_scope
from tfmini._src.ops import ops


def make_step(
    model: Any, mode: str, shapes: BatchShapes = FIXED_SHAPES
) -> Callable[[Any, Any, Any], list]:
    """Creates a function of inputs, targets and sample weights (lists of tensors or arrays) that runs a step.

    The function returns the loss and metrics (for prediction, the outputs) as tensors. It is compiled unless
    `model.run_eagerly`.
    """
    run = partial(_predict, model) if mode == PREDICT else partial(_train_or_test, model, mode)
    return run if model.run_eagerly else _CompiledStep(run, mode, shapes)


class _CompiledStep:
    """A step compiled to graph functions, one for each number of inputs, targets and weights.

    Random ops derive their seeds from the node count, so the functions begin like TensorFlow's: with the nodes
    of an iterator, the batch size, and two nodes per vector converted to a column.
    """

    def __init__(self, run: Callable[[Any, Any, Any], list], mode: str, shapes: BatchShapes):
        self._run = run
        self._any_size = shapes.any_size
        self._previous_ids = (4 if mode == PREDICT else 9) + 2 * shapes.columns
        self._functions: dict[tuple[int, int], Function] = {}

    def __call__(self, inputs: Any, targets: Any, weights: Any) -> list:
        targets, weights = targets or [], weights or []
        counts = (len(inputs), len(inputs) + len(targets))
        values = [_feed(value) for value in (*inputs, *targets, *weights)]
        function = self._functions.get(counts)
        if function is None:
            function = self._function(counts)
            if self._any_size and _has_seeds(function.get_concrete_function(*values).graph):
                specs = [TensorSpec([None, *value.shape[1:]], value.dtype) for value in values]
                function = self._function(counts, specs)
            self._functions[counts] = function
        return function(*values)

    def _function(self, counts: tuple[int, int], signature: Any = None) -> Function:
        step = partial(self._run_values, counts)
        return Function(step, signature, relaxes=True, autograph=False)

    def _run_values(self, counts: tuple[int, int], *values: Any) -> list:
        first, second = counts
        graph = get_default_graph()
        graph._last_id = max(graph._last_id, self._previous_ids)
        return self._run(values[:first], values[first:second], values[second:])


def _has_seeds(graph: Any) -> bool:
    """Whether a graph contains seeded ops, whose random sequence a function for another batch size would repeat."""
    return any(op.attrs.get("seed") or op.attrs.get("seed2") for op in graph.get_operations())


def _feed(value: Any) -> Any:
    """Returns an array as a tensor that shares its memory during a step."""
    if value.__class__ is np.ndarray and value.dtype in _TENSOR_DTYPES and value.ndim:
        return EagerTensor(value, _TENSOR_DTYPES[value.dtype])
    return value


_TENSOR_DTYPES = {
    np.dtype(dtype.as_numpy_dtype): dtype
    for dtype in (dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64)
}


def values_of_step(step: Callable, inputs: Any, targets: Any, weights: Any) -> list:
    """Runs a step and returns its results as arrays and numbers."""
    results = step(inputs, targets, weights)
    return [map_structure(_as_numpy, result) for result in results]


def _as_numpy(result: Any) -> Any:
    if not isinstance(result, EagerTensor):
        return result
    value = result._numpy()
    return value if isinstance(value, np.ndarray) and value.ndim else result.numpy()


def _predict(model: Any, inputs: Any, targets: Any, weights: Any) -> list:
    with conversion(Status.UNSPECIFIED), eager_learning_phase_scope(0):
        return flatten(model(_cast_inputs(model, inputs)))


def _cast_inputs(model: Any, inputs: Any) -> Any:
    """Casts inputs to the dtypes of the model's own inputs."""
    symbolic = model.inputs
    expected = [symbolic[n] for n in sorted(symbolic)] if isinstance(symbolic, dict) else symbolic
    cast = [
        ops.cast(x, tensor.dtype) if x.dtype != tensor.dtype else x
        for x, tensor in zip(map(_as_tensor, inputs), expected)
    ]
    if isinstance(symbolic, dict):
        return dict(zip(sorted(symbolic), cast))
    return cast[0] if len(cast) == 1 else cast


def _as_tensor(value: Any) -> Any:
    return ops.convert_to_tensor(value) if isinstance(value, np.ndarray | list) else value


def _train_or_test(model: Any, mode: str, inputs: Any, targets: Any, weights: Any) -> list:
    training = mode == TRAIN
    with conversion(Status.UNSPECIFIED), eager_learning_phase_scope(int(training)):
        now = trainable_state(model)
        set_trainable_state(model, model._compiled_trainable_state)
        try:
            if not training:
                endpoints, total, losses = _losses(model, inputs, targets, weights, training)
            else:
                with GradientTape() as tape:
                    endpoints, total, losses = _losses(model, inputs, targets, weights, training)
                    scaled = total
                    if isinstance(model.optimizer, LossScaleOptimizer):
                        scaled = model.optimizer.get_scaled_loss(total)
                _update(model, tape, scaled)
        finally:
            set_trainable_state(model, now)
        return [total, *losses, *_metrics(model, endpoints)]


def _losses(
    model: Any, inputs: Any, targets: Any, weights: Any, training: bool
) -> tuple[list[Endpoint], Any, list]:
    """Returns the outputs with targets, the total loss, and (for several outputs) the mean loss of each output."""
    kwargs = {"training": training} if model._expects_training_arg else {}
    outputs = flatten(model(_cast_inputs(model, inputs), **kwargs))
    endpoints = _endpoints(model, outputs, targets, weights)
    total: Any = 0
    losses = []
    with name_scope("loss"):
        for end in endpoints:
            if end.skips_target:
                continue
            with name_scope(end.loss_name):
                loss, _ = reduced_loss(end, getattr(end.output, "_keras_mask", None))
            if end.loss_metric is not None:
                losses.append(end.loss_metric(loss))
            total += end.loss_weight * loss
        extra_losses = model.losses
        if extra_losses:
            total += ops.add_n(extra_losses)
    return endpoints, total, losses


def _endpoints(model: Any, outputs: list, targets: Any, weights: Any) -> list[Endpoint]:
    """Returns the model's outputs with the tensors of this step."""
    remaining, left_weights = list(targets or []), list(weights or [])
    endpoints = []
    for template, output in zip(model._endpoints, outputs):
        end = copy.copy(template)
        end.output, end.sample_weight = output, None
        if end.feeds_target:
            target = _as_tensor(remaining.pop(0))
            castable = target.dtype.is_floating and target.dtype != output.dtype
            end.target = ops.cast(target, output.dtype) if castable else target
            weight = left_weights.pop(0) if left_weights else None
            if weight is not None:
                end.sample_weight = ops.cast(_as_tensor(weight), floatx())
        endpoints.append(end)
    return endpoints


def _update(model: Any, tape: GradientTape, loss: Any) -> None:
    if not model._unique_trainable_weights:
        logs.warning(
            "The list of trainable weights is empty. Make sure that you are not setting model.trainable to False "
            "before compiling the model."
        )
        return
    model._backwards(tape, loss)


def _metrics(model: Any, endpoints: list[Endpoint]) -> list:
    results = []
    with name_scope("metrics"):
        for index, end in enumerate(endpoints):
            if end.skips_target:
                continue
            mask = getattr(end.output, "_keras_mask", None)
            for metrics, weights in (
                (model._output_metrics[index], None),
                (model._weighted_output_metrics[index], end.sample_weight),
            ):
                for metric in metrics:
                    with name_scope(metric.name):
                        results.append(call_metric(metric, end, mask, weights))
    compiled = model._compile_metric_functions
    return results + [
        m.result() for m in model.metrics if not any(m is other for other in compiled)
    ]
