"""Reductions of elementwise losses to a scalar."""

from __future__ import annotations


class Reduction:
    """Values of the `reduction` argument of losses.

    `NONE` leaves the losses unchanged, `SUM` computes their sum. The other values divide the sum: `MEAN` by the sum of
    the weights, `SUM_OVER_BATCH_SIZE` by the number of losses, `SUM_BY_NONZERO_WEIGHTS` (with the alias
    `SUM_OVER_NONZERO_WEIGHTS`) by the number of losses with nonzero weights.
    """

    NONE = "none"
    SUM = "weighted_sum"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    MEAN = "weighted_mean"
    SUM_BY_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"
    SUM_OVER_NONZERO_WEIGHTS = SUM_BY_NONZERO_WEIGHTS

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """Returns all values."""
        return (
            *(cls.NONE, cls.SUM, cls.MEAN, cls.SUM_OVER_BATCH_SIZE),
            *(cls.SUM_OVER_NONZERO_WEIGHTS, cls.SUM_BY_NONZERO_WEIGHTS),
        )

    @classmethod
    def validate(cls, key: str) -> None:
        """Raises ValueError unless `key` is one of the values."""
        if key not in cls.all():
            raise ValueError(f"Invalid Reduction Key {key}.")
