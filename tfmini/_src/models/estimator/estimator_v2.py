"""`tf.compat.v2.estimator.Estimator`."""

from __future__ import annotations

from typing import Any

from tfmini._src.models.estimator.estimator import Estimator


class EstimatorV2(Estimator):
    """An Estimator without the superseded `export_savedmodel`."""

    def _assert_members_are_not_overridden(self) -> None:
        self._check_members(EstimatorV2)

    @property
    def export_savedmodel(self) -> Any:
        raise AttributeError(
            "`Estimator.export_savedmodel` has been deprecated. Please use `export_saved_model` instead."
        )
