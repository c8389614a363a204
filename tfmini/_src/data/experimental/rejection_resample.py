"""`rejection_resample`, which resamples elements to a target distribution of classes.

With p the class distribution and t the target, an element passes unchanged with probability m = min(t /
p), and is otherwise replaced by an accepted element; class i is accepted with probability (t_i / p_i - m) / (max(t
/ p) - m).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.data import registry
from tfmini._src.data.dataset import DatasetV2
from tfmini._src.data.experimental.directed_interleave import sample_from_datasets
from tfmini._src.data.experimental.element_transformations import scan
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops

_CLASS_BATCH_SIZE = 32  # number of elements whose classes are counted at a time
_SMOOTHING_COUNT = 10  # initial count of each class


def rejection_resample(
    class_func: Callable[..., Any],
    target_dist: TensorLike,
    initial_dist: TensorLike | None = None,
    seed: int | None = None,
) -> Callable[[DatasetV2], Any]:
    """Resamples elements to a target class distribution by rejection.

    Args:
      class_func: a function of an element that returns its class, a scalar int32 in [0, number of classes).
      target_dist: the target distribution, floats [number of classes].
      initial_dist: the class distribution of the dataset, by default estimated online.
      seed: an integer, combined with the seed of the graph.

    Returns:
      A transformation for `Dataset.apply` from elements to (class, element) pairs.
    """

    def _apply_fn(dataset: Any) -> Any:
        target = ops.convert_to_tensor(target_dist, name="target_dist")
        classes = dataset.map(class_func)
        base = registry.base()
        initial = None
        if initial_dist is not None:
            initial = ops.convert_to_tensor(initial_dist, name="initial_dist")
            acceptance_probs, original = _probabilities(initial, target)
            given_ds = base.from_tensors(initial).repeat()
            accepted_ds = base.from_tensors(acceptance_probs).repeat()
            original_ds = base.from_tensors(original).repeat()
        else:
            given_ds = _estimate_distribution(target, classes)
            both = given_ds.map(lambda initial: _probabilities(initial, target))
            accepted_ds = both.map(lambda accept_prob, _: accept_prob)
            original_ds = both.map(lambda _, prob_original: prob_original)
        filtered = _filter_rejected(dataset, accepted_ds, given_ds, classes, seed).prefetch(3)
        is_original = None if initial is None else _known_original(initial, target)
        if is_original == 1:
            return base.zip((classes, dataset))
        if is_original == 0:
            return filtered
        return sample_from_datasets(
            [base.zip((classes, dataset)), filtered],
            weights=original_ds.map(lambda prob: [(prob, 1.0 - prob)]),
            seed=seed,
        )

    return _apply_fn


def _known_original(initial: Any, target: Any) -> Any:
    values = get_static_value(initial), get_static_value(target)
    if values[0] is None or values[1] is None:
        return None
    return np.min(values[1] / values[0])


def _filter_rejected(dataset: Any, accepted_ds: Any, given_ds: Any, classes: Any, seed: Any) -> Any:
    def maybe_warn_on_large_rejection(accept_dist: Any, initial_dist: Any) -> Any:
        rejected = ops.reduce_sum((1 - accept_dist) * initial_dist)
        return ops.cond(
            ops.less(rejected, 0.5),
            lambda: accept_dist,
            lambda: ops.Print(
                accept_dist,
                [rejected, initial_dist, accept_dist],
                message="Proportion of examples rejected by sampler is high: ",
                summarize=100,
                first_n=10,
            ),
        )

    base = registry.base()
    accepted_ds = base.zip((accepted_ds, given_ds)).map(maybe_warn_on_large_rejection)

    def _gather_and_copy(class_val: Any, acceptance_prob: Any, data: Any) -> Any:
        return class_val, ops.gather(acceptance_prob, class_val), data

    with_probability = base.zip((classes, accepted_ds, dataset)).map(_gather_and_copy)
    filtered = with_probability.filter(lambda _1, p, _2: ops.random_uniform([], seed=seed) < p)
    return filtered.map(lambda class_value, _, data: (class_value, data))


def _estimate_distribution(target: Any, classes: Any) -> Any:
    """Returns a dataset of running estimates of the class distribution."""
    count = target.shape[0] or ops.shape(target)[0]
    counts = ops.fill([count], np.int64(_SMOOTHING_COUNT))

    def update_estimate_and_tile(num_examples_per_class_seen: Any, c: Any) -> Any:
        updated, dist = _update_counts(c, num_examples_per_class_seen)
        return updated, ops.tile(ops.expand_dims(dist, 0), [_CLASS_BATCH_SIZE, 1])

    batches = classes.batch(_CLASS_BATCH_SIZE)
    tiled = batches.apply(scan(counts, update_estimate_and_tile))
    return tiled.apply(lambda dataset: dataset.unbatch())


def _update_counts(c: Any, counts: Any) -> tuple[Any, Any]:
    count = counts.shape[0]
    one_hot = ops.one_hot(c, count, dtype=dtypes.int64)
    counts = ops.add(counts, ops.reduce_sum(one_hot, 0))
    return counts, ops.cast(ops.truediv(counts, ops.reduce_sum(counts)), dtypes.float32)


def _probabilities(initial: Any, target: Any) -> tuple[Any, Any]:
    """Returns the acceptance probability of each class, and the probability of passing an element unchanged."""
    ratio = target / (initial + np.finfo(initial.dtype.as_numpy_dtype).tiny)
    largest = ops.reduce_max(ratio)
    smallest = ops.reduce_min(ratio)
    return (ratio - smallest) / (largest - smallest), smallest
