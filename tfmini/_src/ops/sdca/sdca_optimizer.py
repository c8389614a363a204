"""Stochastic dual coordinate ascent: one pass over a batch, with a dual variable for each example."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.base.fresh_seeds import fresh_seed
from tfmini._src.devices.numpy.farmhash_128 import fingerprint_128
from tfmini._src.graph.opdef import Attr, op, raw
from tfmini._src.graph.shape_inference import with_rank
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.sdca.sdca_examples import Examples, gather
from tfmini._src.ops.sdca.sdca_losses import LOSSES, Loss, quotient
from tfmini._src.ops.string.string_elements import array_shape, list_strings

_COUNT = Attr("int", minimum=0)
_POSITIVE = Attr("int", minimum=1)
_SIGNATURE = (
    "sparse_example_indices: num_sparse_features * int64, sparse_feature_indices: num_sparse_features * int64, "
    "sparse_feature_values: num_sparse_features_with_values * float, dense_features: num_dense_features * float, "
    "example_weights: float, example_labels: float, sparse_indices: num_sparse_features * int64, "
    "sparse_weights: num_sparse_features * float, dense_weights: num_dense_features * float, "
    "example_state_data: float -> out_example_state_data: float, "
    "out_delta_sparse_weights: num_sparse_features * float, out_delta_dense_weights: num_dense_features * float"
)


def _declared_attrs(adaptive: str) -> dict[str, Any]:
    return {
        "loss_type": Attr("string", allowed=tuple(LOSSES)),
        adaptive: False,
        "num_sparse_features": _COUNT,
        "num_sparse_features_with_values": _COUNT,
        "num_dense_features": _COUNT,
        "l1": Attr("float"),
        "l2": Attr("float"),
        "num_loss_partitions": _POSITIVE,
        "num_inner_iterations": _POSITIVE,
    }


def _shrink(weights: Any, shrinkage: float) -> Any:
    """Moves weights towards 0 by `shrinkage`, stopping at 0: the proximal step for l1."""
    if not shrinkage:
        return weights
    return np.sign(weights) * np.maximum(np.abs(weights) - shrinkage, 0)


class _DualAscent:
    """The optimization of a batch: its examples, the weight changes so far, and the state of the examples."""

    def __init__(self, examples: Examples, loss: Loss, l1: float, l2: float, partitions: int):
        self.examples = examples
        self._loss = loss
        self._l2 = float(np.float32(l2))
        with np.errstate(all="ignore"):
            self._shrinkage = float(np.float32(l1) / np.float32(l2))
        self._partitions = partitions
        self.deltas = np.zeros_like(examples.nominals)

    def _predictions(self, index: int) -> tuple[float, float]:
        """Returns the predictions with the weights before this batch, and with the changed weights."""
        positions, values = self.examples.positions[index], self.examples.values[index]
        nominals = self.examples.nominals[positions]
        now = nominals + self.deltas[positions] * np.float32(self._partitions)
        before, after = (_shrink(w.astype(np.float64), self._shrinkage) for w in (nominals, now))
        return float(values @ before), float(values @ after)

    def change_weight(self, index: int, state: Any, label: float, weight: float) -> float:
        """Returns the sampling weight of an example: the magnitude of the weight change by its update."""
        slope = self._loss.slope(self._predictions(index)[1], self._loss.label(label))
        reach = self.examples.norms[index] + self._l2 * self._loss.smoothness
        return weight * float(np.sqrt(reach)) * abs(float(state[0]) + slope)

    def step(self, index: int, state: Any, label: float, weight: float) -> None:
        """Updates the dual of an example and the weights; `state` is [dual, primal loss, dual loss, weight]."""
        loss, dual = self._loss, float(state[0])
        label = loss.label(label)
        old_prediction, now = self._predictions(index)
        curvature = (
            self._partitions * weight * quotient(float(self.examples.norms[index]), self._l2)
        )
        new_dual = loss.moved(label, dual, now, curvature)
        change = quotient((new_dual - dual) * weight, self._l2)
        self.deltas[self.examples.positions[index]] += (
            self.examples.values[index] * change
        ).astype(np.float32)
        state[:] = (
            new_dual,
            loss.primal(old_prediction, label) * weight,
            loss.conjugate(dual, label) * weight,
            weight,
        )


def _draw(weights: list[float], random_generator: random.Random) -> list[int]:
    """Draws examples by weight; an example drawn k times before is accepted with a probability of 10⁻ᵏ.

    After one rejection per example, the remaining draws are the first example, as in TensorFlow.
    """
    count, rejected = len(weights), 0
    usable = sum(weights) > 0 and np.isfinite(weights).all()
    drawn_indices: list[int] = []
    counts = [0] * count
    while len(drawn_indices) < count and rejected < count:
        index = random_generator.choices(range(count), weights if usable else None)[0]
        if random_generator.random() > 0.1 ** counts[index]:
            rejected += 1
            continue
        counts[index] += 1
        drawn_indices.append(index)
    return drawn_indices + [0] * (count - len(drawn_indices))


def _check_examples(weights: Any, labels: Any, dense: tuple, state: Any) -> int:
    """Returns the number of examples; raises an error unless labels match it and dense features are matrices."""
    count = weights.size
    if labels.size != count:
        invalid(f"Expected {count} example labels but got {labels.size}")
    for index, matrix in enumerate(dense):
        if matrix.ndim != 2:
            invalid(f"Dense features at index {index} must be rank 2 but is rank {matrix.ndim}")
    return count


def _optimize(
    example_indices, feature_indices, feature_values, dense, weights, labels, indices, sparse_weights,
    dense_weights, state, loss_type, adaptive, l1, l2, num_loss_partitions,
):  # fmt: skip
    """Trains on every example once in random order, or on examples sampled by the change that they cause."""
    if not (example_indices or dense):
        invalid("Requires at least one feature to train.")
    count = _check_examples(weights, labels, dense, state)
    examples = gather(
        *(count, example_indices, feature_indices, feature_values, dense),
        *(indices, sparse_weights, dense_weights),
    )
    if state.ndim != 2:
        invalid(f"example_state_data must be rank 2 but is rank {state.ndim}")
    if state.shape != (count, 4):
        shapes = [shape_text(shape) for shape in ((count, 4), state.shape)]
        invalid(f"Expected shape {shapes[0]} for example_state_data, got {shapes[1]}")
    state = state.copy()
    ascent = _DualAscent(examples, LOSSES[loss_type], l1, l2, num_loss_partitions)
    rows = list(zip(state, labels.ravel().tolist(), weights.ravel().tolist()))
    # TensorFlow's example order is random too, regardless of seeds.
    random_generator = random.Random(fresh_seed())
    if adaptive:
        chances = [ascent.change_weight(n, *row) for n, row in enumerate(rows)]
        order = _draw(chances, random_generator)
    else:
        order = random_generator.sample(range(count), count)
    for index in order:
        ascent.step(index, *rows[index])
    deltas = np.split(ascent.deltas, examples.ends[:-1])
    shaped = [d.reshape(np.shape(w)) for d, w in zip(deltas, (*sparse_weights, *dense_weights))]
    return (state, *shaped)


@op(
    "SdcaOptimizer",
    _SIGNATURE,
    through_host=True,
    differentiable=False,
    **_declared_attrs("adaptative"),
)
def sdca_optimizer_op(
    xp, example_indices, feature_indices, feature_values, dense, weights, labels, indices, sparse_weights,
    dense_weights, state, *, loss_type, adaptative, l1, l2, num_loss_partitions,
):  # fmt: skip
    return _optimize(
        *(example_indices, feature_indices, feature_values, dense, weights, labels, indices),
        *(sparse_weights, dense_weights, state, loss_type, adaptative, l1, l2, num_loss_partitions),
    )


@op(
    "SdcaOptimizerV2",
    _SIGNATURE,
    through_host=True,
    differentiable=False,
    **_declared_attrs("adaptive"),
)
def sdca_optimizer_v2_op(
    xp, example_indices, feature_indices, feature_values, dense, weights, labels, indices, sparse_weights,
    dense_weights, state, *, loss_type, adaptive, l1, l2, num_loss_partitions,
):  # fmt: skip
    return _optimize(
        *(example_indices, feature_indices, feature_values, dense, weights, labels, indices),
        *(sparse_weights, dense_weights, state, loss_type, adaptive, l1, l2, num_loss_partitions),
    )


@sdca_optimizer_op.infer
@sdca_optimizer_v2_op.infer
def _(op):
    count = op.attrs["num_sparse_features"] + op.attrs["num_dense_features"]
    return [(None, 4), *(t._dims for t in op.inputs[-1 - count : -1])]


@op("SdcaFprint", "input: string -> output: int64", through_host=True, differentiable=False)
def sdca_fprint_op(xp, strings):
    shape = array_shape(strings)
    if len(shape) != 1:
        invalid(f"Input must be a vector, got shape {shape_text(shape)}")
    pairs = np.array([fingerprint_128(s) for s in list_strings(strings)], np.uint64).reshape(-1, 2)
    low = pairs[:, 0]
    low[low < 2] -= np.uint64(2)  # 0 and 1 are reserved as keys of empty buckets
    return pairs.view(np.int64)


@sdca_fprint_op.infer
def _(op):
    return (with_rank(op.inputs[0]._dims, 1)[0], 2)


@op(
    "SdcaShrinkL1",
    "weights: Ref(num_features * float)",
    differentiable=False,
    num_features=_COUNT,
    l1=Attr("float"),
    l2=Attr("float"),
)
def sdca_shrink_l1_op(ctx, weights, *, l1, l2):
    with np.errstate(all="ignore"):
        shrinkage = np.float32(l1) / np.float32(l2)
    for cell in weights:
        cell.update(lambda array: _proximal(ctx.xp, array, shrinkage))


def _proximal(xp: Any, array: Any, shrinkage: Any) -> Any:
    return xp.sign(array) * xp.maximum(xp.abs(array) - shrinkage, 0)


# Public ----------------------------------------------------------------------------------------------


def sdca_fprint(input: TensorLike, name: str | None = None) -> Tensor:
    """Computes a two-word fingerprint of each string, with negligible collision probability: [N, 2], int64.

    Args:
      input: a string vector [N], the ids of examples.

    Raises:
      InvalidArgumentError (when run): if the input is not a vector.
    """
    return raw.SdcaFprint(input, name=name)


def sdca_optimizer(
    sparse_example_indices: Sequence[TensorLike],
    sparse_feature_indices: Sequence[TensorLike],
    sparse_feature_values: Sequence[TensorLike],
    dense_features: Sequence[TensorLike],
    example_weights: Any,
    example_labels: Any,
    sparse_indices: Any,
    sparse_weights: Any,
    dense_weights: Any,
    example_state_data: TensorLike,
    loss_type: str,
    l1: float,
    l2: float,
    num_loss_partitions: int,
    num_inner_iterations: int,
    adaptative: bool = True,
    name: str | None = None,
) -> Any:
    """Computes weight updates of a linear model by dual coordinate ascent over the examples of a batch.

    Each example is visited once, in random order. `l1` shrinkage is not yet applied to the weights.

    Args:
      sparse_example_indices: for each sparse group, an ascending int64 vector of the examples of its features.
      sparse_feature_indices: for each sparse group, an int64 vector of features.
      sparse_feature_values: for the first sparse groups, a float32 vector of values; 1 for the other groups.
      dense_features: float32 matrices [examples, width].
      example_weights: a float32 vector.
      example_labels: a float32 vector; 0 and 1 for classes.
      sparse_indices: for each sparse group, an int64 vector of the features with `sparse_weights`.
      sparse_weights: for each sparse group, a float32 vector.
      dense_weights: for each dense matrix, a float32 vector [width].
      example_state_data: float32 [examples, 4]: the dual variable, the primal loss, the dual loss and the weight.
      loss_type: "logistic_loss", "squared_loss", "hinge_loss", "smooth_hinge_loss" or "poisson_loss".
      l1: the factor of the sum of absolute weights.
      l2: the factor of half the sum of squared weights.
      num_loss_partitions: the number of workers that update the weights concurrently.
      num_inner_iterations: unused, as in TensorFlow: every example is visited once.
      adaptative: whether to draw examples by their expected update.

    Returns:
      The new state of the examples and two lists of weight updates, named tuple fields `out_example_state_data`,
      `out_delta_sparse_weights` and `out_delta_dense_weights`.

    Raises:
      InvalidArgumentError (when run): if shapes or labels are invalid, or a feature has no weight.
    """
    return raw.SdcaOptimizer(
        *(sparse_example_indices, sparse_feature_indices, sparse_feature_values, dense_features),
        *(example_weights, example_labels, sparse_indices, sparse_weights, dense_weights),
        example_state_data,
        loss_type=loss_type,
        l1=l1,
        l2=l2,
        num_loss_partitions=num_loss_partitions,
        num_inner_iterations=num_inner_iterations,
        adaptative=adaptative,
        name=name,
    )


def sdca_shrink_l1(
    weights: Sequence[TensorLike], l1: float, l2: float, name: str | None = None
) -> Any:
    """Moves variables towards 0 by l1 / l2, stopping at 0.

    Args:
      weights: a list of float32 variables.
      l1: the factor of the sum of absolute weights.
      l2: the factor of half the sum of squared weights.

    Returns:
      The Operation that updates the variables.
    """
    return raw.SdcaShrinkL1(weights, l1=l1, l2=l2, name=name)
