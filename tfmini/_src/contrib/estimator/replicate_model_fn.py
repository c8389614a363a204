"""`replicate_model_fn`: runs a model function in one tower per device, each on a shard of the batch."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.cluster.device_setter import ReplicaDevices
from tfmini._src.contrib.estimator.tower_optimizer import (
    DEPRECATION,
    TowerOptimizer,
    build_towers,
    sum_on_device,
)
from tfmini._src.graph.collections import get_collection
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import control_dependencies, device, name_scope
from tfmini._src.models.estimator.estimator_spec import EstimatorSpec
from tfmini._src.models.estimator.export.export_output import (
    ClassificationOutput,
    PredictOutput,
    RegressionOutput,
)
from tfmini._src.models.estimator.fn_args import accepted_arguments
from tfmini._src.models.estimator.mode_keys import ModeKeys
from tfmini._src.nn.losses.reduction import Reduction
from tfmini._src.ops import ops
from tfmini._src.ops.sparse.sparse_slicing import sparse_split
from tfmini._src.session.list_devices import list_local_devices
from tfmini._src.variables.variable_scope import variable_scope

_VARIABLE_OPS = ("Variable", "VariableV2", "VarHandleOp")


@deprecated(*DEPRECATION)
def replicate_model_fn(
    model_fn: Callable,
    loss_reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
    devices: Sequence[str] | None = None,
) -> Callable[..., EstimatorSpec | None]:
    """Replicates a model function on several devices, each on an equal shard of the batch.

    The towers share variables, which reside on the GPU if it is the only one, else on the CPU. Losses and gradients are
    averaged or summed over the towers, metric variables summed, predictions concatenated. Everything else comes from
    one tower.

    Args:
      model_fn: the model function of an Estimator. Its optimizers are wrapped in `TowerOptimizer`.
      loss_reduction: a `tf.losses.Reduction`; SUM sums the towers' losses and gradients, the others average them.
      devices: device names; by default all GPUs, or the CPU if there are none.

    Raises:
      ValueError: for the reduction NONE; when the function is called, for a batch not divisible by the number of
        towers, or optimizers that are not wrapped or differ between towers.

    Example:
      def model(features, labels, mode):
          loss = tf.losses.mean_squared_error(labels, tf.layers.dense(features["x"], 1))
          optimizer = tf.contrib.estimator.TowerOptimizer(tf.train.AdamOptimizer())
          train_op = optimizer.minimize(loss, tf.train.get_global_step())
          return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

      tf.estimator.Estimator(tf.contrib.estimator.replicate_model_fn(model))
    """
    if loss_reduction == Reduction.NONE:
        raise ValueError(
            f"Tower losses need to be reduced in some way, yet {loss_reduction} reduction is specified."
        )
    where = list(devices or _local_devices("GPU") or _local_devices("CPU"))
    together = where[0] if len(where) == 1 and "GPU" in where[0].upper() else "/CPU:0"
    logs.info(
        f"Replicating the `model_fn` across {where}.  Variables are going to be placed on {[together]}.  "
        f"Consolidation device is going to be {together}."
    )

    def towers(features: list, labels: list | None, mode: str, params: Any, config: Any) -> list:
        return _towers(
            model_fn, loss_reduction, where, together, features, labels, mode, params, config
        )

    def single_device_model_fn(
        features: Any, labels: Any, mode: str, params: Any = None, config: Any = None
    ) -> EstimatorSpec:
        return towers([features], [labels], mode, params, config)[0]

    def replicated_model_fn(
        features: Any, labels: Any, mode: str, params: Any = None, config: Any = None
    ) -> EstimatorSpec | None:
        with name_scope("split_inputs"), device(together):
            shares = _split_batch(features, len(where))
            label_shares = None if labels is None else _split_batch(labels, len(where))
        specs = towers(shares, label_shares, mode, params, config)
        reduced = {
            ModeKeys.TRAIN: _training_spec,
            ModeKeys.EVAL: _evaluation_spec,
            ModeKeys.PREDICT: _prediction_spec,
        }
        return reduced[mode](specs, together) if mode in reduced else None

    return single_device_model_fn if len(where) == 1 else replicated_model_fn


def _local_devices(device_type: str) -> list[str]:
    return [
        local_device.name
        for local_device in list_local_devices()
        if local_device.device_type == device_type
    ]


def _split_batch(batch: Any, shard_count: int) -> list:
    """Returns the equal shards of a batch: a tensor, or a dict of tensors and SparseTensors."""
    if not isinstance(batch, dict):
        size = convert_to_tensor(batch).get_shape()[0]
        if size % shard_count != 0:
            raise ValueError(
                f"Batch size {size} needs to be divisible by the number of GPUs, which is {shard_count}."
            )
        return ops.split(batch, shard_count)
    shares: list[dict] = [{} for _ in range(shard_count)]
    for name, value in batch.items():
        if isinstance(value, SparseTensor):
            parts = sparse_split(sp_input=value, num_split=shard_count, axis=0)
        else:
            parts = _split_batch(value, shard_count)
        for share, part in zip(shares, parts):
            share[name] = part
    return shares


def _towers(
    model_fn: Callable,
    loss_reduction: str,
    devices: list[str],
    together: str,
    features: list,
    labels: list | None,
    mode: str,
    params: Any,
    config: Any,
) -> list[EstimatorSpec]:
    """Builds the towers and returns their specs; names in the first tower have no prefix."""
    optional = accepted_arguments(model_fn, {"params": params, "config": config})
    optional = {name: copy.deepcopy(value) for name, value in optional.items()}
    specs = []
    with build_towers(loss_reduction, len(devices)) as towers:
        for i, worker in enumerate(devices):
            replica_devices = ReplicaDevices(together, worker, True, _VARIABLE_OPS, lambda op: 0)
            with (
                variable_scope("", reuse=i != 0) as variables,
                name_scope(f"tower_{i}" if i else "") as names,
                towers.tower(i, (variables, names)),
                device(replica_devices.device_function),
            ):
                share = labels[i] if labels else None
                spec = model_fn(mode=mode, features=features[i], labels=share, **optional)
                if (
                    spec.train_op is not None
                    and len(devices) > 1
                    and not TowerOptimizer.has_been_used()
                ):
                    raise ValueError(
                        "Please wrap optimizers with TowerOptimizer in order to use replicate_model_fn with multiple "
                        "`devices`."
                    )
                if spec.loss is not None:
                    spec = spec._replace(loss=towers.mean_loss(spec.loss))
                specs.append(spec)
        if not towers.has_equal_calls():
            raise ValueError(
                "Each invocation of model_fn was supposed to make the same optimizer calls."
            )
    return specs


def _sum_losses(specs: list[EstimatorSpec], where: str) -> Any:
    return sum_on_device([spec.loss for spec in specs], where, "loss")


def _training_spec(specs: list[EstimatorSpec], where: str) -> EstimatorSpec:
    """Returns the spec of the last tower, with the loss of all towers and the update by all gradients."""
    return specs[-1]._replace(loss=_sum_losses(specs, where))


def _evaluation_spec(specs: list[EstimatorSpec], where: str) -> EstimatorSpec:
    """Returns the spec of the first tower, with the loss and metrics of all towers."""
    loss = _sum_losses(specs, where)
    with control_dependencies([update for s in specs for _, update in s.eval_metric_ops.values()]):
        update = _sum_metric_variables(len(specs))
    metrics = {name: (value, update) for name, (value, _) in specs[0].eval_metric_ops.items()}
    return specs[0]._replace(loss=loss, eval_metric_ops=metrics)


def _sum_metric_variables(tower_count: int) -> Operation:
    """Adds the metric variables of the other towers to the first tower's, and resets the others to zero."""
    variables = get_collection(GraphKeys.METRIC_VARIABLES)
    variables_per_tower = len(variables) // tower_count
    if len(variables) % tower_count != 0:
        raise ValueError(
            "Different `EstimatorSpec.eval_metric_ops` across `model_fn()` calls. "
            f"Expected {variables_per_tower * tower_count} local variables, but got {len(variables)} instead."
        )
    clear_ops = []
    for i in range(variables_per_tower):
        copies = variables[i + variables_per_tower :: variables_per_tower]
        with control_dependencies([ops.assign_add(variables[i], ops.add_n(copies))]):
            for other in copies:
                clear_ops.append(ops.assign(other, ops.zeros(ops.shape(other), dtype=other.dtype)))
    return ops.group(*clear_ops)


def _prediction_spec(specs: list[EstimatorSpec], where: str) -> EstimatorSpec:
    """Returns the spec of the first tower, with the predictions of all towers."""
    with device(where):
        predictions = _concat_dicts([spec.predictions for spec in specs])
        outputs = {
            name: _concat_outputs([spec.export_outputs[name] for spec in specs])
            for name in specs[0].export_outputs
        }
    return specs[0]._replace(predictions=predictions, export_outputs=outputs)


def _concat_dicts(dicts: list[dict]) -> dict:
    return {
        name: ops.concat([tensors[name] for tensors in dicts], axis=0, name=name)
        for name in dicts[0]
    }


def _concat_outputs(outputs: list) -> Any:
    first = outputs[0]
    if isinstance(first, PredictOutput):
        return PredictOutput(_concat_dicts([output.outputs for output in outputs]))
    if isinstance(first, RegressionOutput):
        return RegressionOutput(ops.concat([output.value for output in outputs], axis=0))
    scores, classes = first.scores, first.classes
    if scores is not None:
        scores = ops.concat([output.scores for output in outputs], axis=0)
    if classes is not None:
        classes = ops.stack([output.classes for output in outputs], axis=0)
    return ClassificationOutput(scores=scores, classes=classes)
