"""Forecasts of an `ARModel`, window by window from previous predictions."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.contrib.timeseries.ar_windows import WindowModel
from tfmini._src.contrib.timeseries.feature_keys import PredictionFeatures
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


class Forecast:
    """Prediction loop over windows.

    Args:
      model: the model.
      features: the features passed to `predict`.
      with_covariances: whether the network predicts covariances.
    """

    def __init__(self, model: WindowModel, features: Any, with_covariances: bool):
        self._model = model
        self._with_covariances = with_covariances
        tensor = ops.convert_to_tensor(features[PredictionFeatures.TIMES])
        times = ops.cast(tensor, dtypes.int32)
        exogenous = model._exogenous(times, features)
        check = ops.assert_equal(ops.shape(times)[1], ops.shape(exogenous)[1])
        with control_dependencies([check]):
            exogenous = ops.identity(exogenous)
        self._batch = ops.shape(times)[0]
        self._count = ops.shape(times)[1]
        size = model.output_window_size
        self._iterations = (self._count + size - 1) // size
        padding = self._iterations * size - self._count  # padding to whole windows
        self._times = ops.pad(times, [[0, 0], [0, padding]])
        self._exogenous = ops.pad(exogenous, [[0, 0], [0, padding], [0, 0]])
        self._start_from(features[PredictionFeatures.STATE_TUPLE])

    def _start_from(self, state: Any) -> None:
        """Sets the first window: the end of the state, then the first predicted times."""
        model = self._model
        times, values, exogenous = state
        times = ops.cast(ops.convert_to_tensor(times), dtypes.int32)
        values = ops.convert_to_tensor(values, dtype=model.dtype)
        exogenous = ops.convert_to_tensor(exogenous, dtype=model.dtype)
        size, window = model.output_window_size, model.input_window_size
        self._first_times = self._times[:, :size]
        self._first_exogenous = self._exogenous[:, :size, :]
        self._first_values: Any = 0
        if window == 0:
            return
        self._first_times = ops.concat([times[:, -window:], self._first_times], 1)
        values_size, times_size = ops.shape(values)[1], ops.shape(times)[1]
        length_check = ops.assert_greater_equal(values_size, window)
        with control_dependencies([length_check, ops.assert_equal(values_size, times_size)]):
            self._first_values = values[:, -window:, :]
            parts = [exogenous[:, -window:, :], self._first_exogenous[:, :size, :]]
            self._first_exogenous = ops.concat(parts, axis=1)

    def run(self) -> tuple[Tensor, Any]:
        """Returns means and covariances at all times, [batch, window, features]; covariances may be None."""
        dtype = self._model.dtype
        covariances: Any = 0.0
        if self._with_covariances:
            covariances = ops.TensorArray(dtype=dtype, size=self._iterations)
        means = ops.TensorArray(dtype=dtype, size=self._iterations)
        start = [0, self._first_times, self._first_values, self._first_exogenous]
        *_, means, covariances = ops.while_loop(
            lambda iteration, *_: ops.less(iteration, self._iterations),
            self._step,
            [*start, means, covariances],
        )
        mean = self._concatenate_windows(means)
        return mean, self._concatenate_windows(covariances) if self._with_covariances else None

    def _step(
        self,
        iteration: Tensor,
        times: Tensor,
        values: Tensor,
        exogenous: Tensor,
        means: Any,
        covariances: Any,
    ) -> tuple:
        predicted = self._model.prediction_ops(times, values, exogenous)
        size = self._model.output_window_size
        offset = size * ops.minimum(iteration + 1, self._iterations - 1)
        values, exogenous, times = self._next_window(
            offset, times, values, exogenous, predicted["mean"]
        )
        times.set_shape(self._first_times.get_shape())
        exogenous.set_shape(self._first_exogenous.get_shape())
        means = means.write(iteration, predicted["mean"])
        if self._with_covariances:
            covariances = covariances.write(iteration, predicted["covariance"])
        return iteration + 1, times, values, exogenous, means, covariances

    def _next_window(
        self, offset: Tensor, times: Tensor, values: Tensor, exogenous: Tensor, mean: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Returns the values, exogenous features and times of the window whose prediction starts at `offset`."""
        size, window = self._model.output_window_size, self._model.input_window_size
        if window == 0:
            exogenous = self._exogenous[:, offset : offset + size, :]
            return values, exogenous, self._times[:, offset : offset + size]
        if size >= window:
            values = mean[:, -window:, :]
            exogenous = self._exogenous[:, offset - window : offset + size, :]
            return values, exogenous, self._times[:, offset - window : offset + size]
        values = ops.concat([values[:, size:, :], mean], 1)
        parts = [exogenous[:, -window:, :], self._exogenous[:, offset : offset + size, :]]
        exogenous = ops.concat(parts, axis=1)
        parts = [times[:, -window:], self._times[:, offset : offset + size]]
        return values, exogenous, ops.concat(parts, 1)

    def _concatenate_windows(self, windows: Any) -> Tensor:
        """Concatenates the predictions of all windows and removes the padding."""
        length = self._iterations * self._model.output_window_size
        rows = ops.transpose(windows.stack(), [1, 0, 2, 3])
        joined = ops.reshape(rows, ops.stack([self._batch, length, -1]))
        return joined[:, : self._count, :]
