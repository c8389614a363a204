"""Reductions of elementwise losses to one number."""

from __future__ import annotations


class Reduction:
    """The values of the argument `reduction=` of the losses.

    `NONE`: the losses unchanged. `SUM`: their sum. `MEAN`: divided by the sum of the weights.
    `SUM_OVER_BATCH_SIZE`: divided by the number of losses. `SUM_BY_NONZERO_WEIGHTS` (or
    `SUM_OVER_NONZERO_WEIGHTS`, the same): divided by the number of losses whose weight is not 0.
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
