"""The `compile` arguments of each output: losses, loss weights and metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tfmini._src.base import logs
from tfmini._src.models.keras.engine.outputs import Endpoint
from tfmini._src.models.keras.engine.standardize_arrays import check_keys
from tfmini._src.models.keras.losses.loss_by_name import as_loss
from tfmini._src.models.keras.metrics.mean_metrics import MeanMetricWrapper
from tfmini._src.models.keras.metrics.metric_by_name import clone, metric_name, resolve_metric
from tfmini._src.nn.layers.metric import Metric


def loss_functions(loss: Any, names: list[str]) -> list:
    """Returns the loss functions of the outputs, from one loss or a list or dict of losses."""
    if isinstance(loss, Mapping):
        check_keys("loss", loss, names)
        for name in names:
            if name not in loss:
                logs.warning(
                    f"Output {name} missing from loss dictionary. We assume this was done on purpose. The fit and "
                    f"evaluate APIs will not be expecting any data to be passed to {name}."
                )
        return [as_loss(loss.get(name)) for name in names]
    if isinstance(loss, Sequence) and not isinstance(loss, str):
        if len(loss) != len(names):
            raise ValueError(
                "When passing a list as loss, it should have one entry per model outputs. The model has "
                f"{len(names)} outputs, but you passed loss={loss}"
            )
        return [as_loss(item) for item in loss]
    return [as_loss(loss) for _ in names]


def set_loss_weights(endpoints: list[Endpoint], weights: Any) -> None:
    """Sets each output's weight in the total loss."""
    names = [e.name for e in endpoints]
    if isinstance(weights, Mapping):
        check_keys("loss_weights", weights, names)
        values = [weights.get(name, 1.0) for name in names]
    elif isinstance(weights, list):
        if len(weights) != len(endpoints):
            raise ValueError(
                "When passing a list as loss_weights, it should have one entry per model output. The model has "
                f"{len(endpoints)} outputs, but you passed loss_weights={weights}"
            )
        values = weights
    elif weights is None:
        values = [1.0] * len(endpoints)
    else:
        raise TypeError(
            f"Could not interpret loss_weights argument: {weights} - expected a list of dicts."
        )
    for endpoint, weight in zip(endpoints, values):
        endpoint.loss_weight = weight


def output_metrics(
    metrics: Any, names: list[str], shapes: list, losses: list, weighted: bool
) -> list[dict[str, Metric]]:
    """Returns the metrics of each output, by name."""
    if not metrics:
        return [{} for _ in names]
    if isinstance(metrics, Mapping):
        check_keys("metrics", metrics, names)
        rows = [_as_list(metrics.get(name, [])) for name in names]
    elif not isinstance(metrics, list):
        raise TypeError(
            "Type of `metrics` argument not understood. Expected a list or dictionary, found: "
            f"{metrics}"
        )
    elif any(isinstance(m, list) for m in metrics):
        if len(metrics) != len(names):
            raise ValueError(
                "When passing a list of lists as `metrics`, it should have one entry per model output. The model "
                f"has {len(names)} outputs, but you passed metrics={metrics}"
            )
        rows = [_as_list(m) for m in metrics]
    else:
        rows = [[clone(m) for m in metrics] if len(names) > 1 else metrics for _ in names]
    metrics_by_output = []
    for row, shape, loss in zip(rows, shapes, losses):
        of_output: dict[str, Metric] = {}
        for metric in row:
            name = metric_name(metric, weighted)
            function = resolve_metric(metric, shape, loss)
            of_output[name] = (
                function if isinstance(function, Metric) else MeanMetricWrapper(function, name=name)
            )
        metrics_by_output.append(of_output)
    return metrics_by_output


def _as_list(value: Any) -> list:
    return value if isinstance(value, list) else [value]
