"""Helpers for predicting and evaluating: selected keys, batches or single examples, metric ops."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tfmini._src.contrib.learn.metric_spec import MetricSpec
from tfmini._src.train.monitored.monitored_session import MonitoredSession


def iterate_predictions(
    session: MonitoredSession, predictions: Any, feed_fn: Any, by_batches: bool, is_single_run: bool
) -> Iterator[Any]:
    """Yields predictions, by batch or by example, until the input ends."""
    with session:
        while not session.should_stop():
            try:
                feed_values = feed_fn() if feed_fn else None
            except StopIteration:
                return
            batch = session.run(predictions, feed_values)
            if by_batches:
                yield batch
            elif isinstance(predictions, dict):
                for i in range(len(next(iter(batch.values())))):
                    yield {key: value[i] for key, value in batch.items()}
            else:
                yield from batch
            if is_single_run:
                return


def regressor_metrics(metrics: Any) -> dict | None:
    """Returns the metrics of a regressor; metrics without a prediction key measure its scores."""
    return metrics and {
        name
        if isinstance(metric, MetricSpec) or isinstance(name, tuple)
        else (name, "scores"): metric
        for name, metric in metrics.items()
    }


def metric_ops(metrics: dict, features: Any, labels: Any, predictions: Any) -> dict[str, Any]:
    """Returns the metric ops of a batch, by name."""
    results = {}
    single = labels
    if isinstance(labels, dict) and len(labels) == 1:
        single = next(iter(labels.values()))
    for name, metric in sorted(metrics.items(), key=str):
        if isinstance(metric, MetricSpec):
            results[name] = metric.create_metric_ops(features, labels, predictions)
        elif isinstance(name, tuple):
            if len(name) != 2:
                raise ValueError(
                    f"Invalid metric for {name}. It returned a tuple with len {len(name)}, expected 2."
                )
            key, head = name
            expected = labels[head] if isinstance(labels, dict) and head in labels else single
            results[key] = metric(predictions[head], expected)
        elif isinstance(predictions, dict):
            raise ValueError(
                "Metrics passed provide only name, no prediction, but predictions are dict. "
                f"Metrics: {metrics}, Labels: {single}."
            )
        else:
            results[name] = metric(predictions, single)
    return results


def concatenate_batches(batches: list) -> Any:
    """Concatenates batches into one array, or into a dict of arrays."""
    if not isinstance(batches[0], dict):
        return np.concatenate(batches, axis=0)
    return {key: np.concatenate([b[key] for b in batches], axis=0) for key in batches[0]}
