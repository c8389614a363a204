"""Structural time series: level with trend, moving average and cycles in one state space model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.nest.structure import flatten
from tfmini._src.contrib.timeseries.state_space.configuration import StateSpaceModelConfiguration
from tfmini._src.contrib.timeseries.state_space.ensembles import (
    StateSpaceCorrelatedFeaturesEnsemble,
    StateSpaceIndependentEnsemble,
)
from tfmini._src.contrib.timeseries.state_space.level_trend import AdderStateSpaceModel
from tfmini._src.contrib.timeseries.state_space.periodic import CycleStateSpaceModel
from tfmini._src.contrib.timeseries.state_space.resolution_cycles import ResolutionCycleModel
from tfmini._src.contrib.timeseries.state_space.varma import VARMA
from tfmini._src.variables.variable_scope import variable_scope


class _Structure(StateSpaceIndependentEnsemble):
    """Base class of ensembles of a level with trend and all cycles per feature, and one moving average."""

    def __init__(
        self,
        moving_average_order: int,
        autoregressive_order: int,
        cycles: list[Callable],
        configuration: StateSpaceModelConfiguration,
    ):
        # The ensemble has observation noise, its components have none.
        part_configuration = configuration._replace(use_observation_noise=False)
        value_configuration = part_configuration._replace(num_features=1)

        def for_each_value(name: str, make: Callable) -> Any:
            with variable_scope(name):
                members = []
                for index in range(configuration.num_features):
                    with variable_scope(f"feature{index}"):
                        members.append(make(configuration=value_configuration))
                return StateSpaceCorrelatedFeaturesEnsemble(members, part_configuration)

        adder = for_each_value("adder", AdderStateSpaceModel)
        with variable_scope("varma"):
            average = VARMA(autoregressive_order, moving_average_order, part_configuration)
        repeated = [for_each_value(f"cycle{i}", make) for i, make in enumerate(cycles)]
        super().__init__([adder, average, *repeated], configuration)


class StructuralEnsemble(_Structure):
    """State space model of a level with trend, a moving average, and cycles of whole numbers of steps.

    Args:
      periodicities: number of steps per cycle, or a list.
      moving_average_order: number of previous noise values in the average.
      autoregressive_order: number of previous values in the regression.
      use_level_noise: unused.
      configuration: a `StateSpaceModelConfiguration`.
    """

    def __init__(
        self,
        periodicities: Any,
        moving_average_order: int,
        autoregressive_order: int,
        use_level_noise: bool = True,
        configuration: Any = StateSpaceModelConfiguration(),  # noqa: B008
    ):
        def cycle_builder(period: int) -> Callable:
            return lambda configuration: CycleStateSpaceModel(period, configuration)

        cycles = [cycle_builder(period) for period in flatten(periodicities)]
        super().__init__(moving_average_order, autoregressive_order, cycles, configuration)


class MultiResolutionStructuralEnsemble(_Structure):
    """State space model of a level with trend, a moving average, and cycles of any lengths.

    Args:
      cycle_num_latent_values: number of values per cycle, an odd number, or a list.
      moving_average_order, autoregressive_order, use_level_noise, configuration: as in `StructuralEnsemble`.
      periodicities: cycle length, a list of lengths, or None.

    Raises:
      ValueError: if the numbers of periodicities and latent values differ, or a number of latent values is even.
    """

    def __init__(
        self,
        cycle_num_latent_values: Any,
        moving_average_order: int,
        autoregressive_order: int,
        periodicities: Any,
        use_level_noise: bool = True,
        configuration: Any = StateSpaceModelConfiguration(),  # noqa: B008
    ):
        periods = flatten([] if periodicities is None else periodicities)
        counts = flatten(cycle_num_latent_values)
        if len(periods) != len(counts):
            if len(counts) != 1:
                raise ValueError(
                    "`cycle_num_latent_values` must either be a list with the same size as"
                    f" `periodicity` or a scalar. Received length {len(counts)}"
                    " `cycle_num_latent_values`, while `periodicities` has length"
                    f" {len(periods)}."
                )
            counts *= len(periods)

        def cycle_builder(period: Any, count: int) -> Callable:
            return lambda configuration: ResolutionCycleModel(
                count, period, configuration=configuration
            )

        cycles = [cycle_builder(period, count) for period, count in zip(periods, counts)]
        super().__init__(moving_average_order, autoregressive_order, cycles, configuration)
