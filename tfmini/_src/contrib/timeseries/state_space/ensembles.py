"""State space models composed of other models, with concatenated states."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.contrib.timeseries.matrices import block_diagonal
from tfmini._src.contrib.timeseries.state_space.state_space_model import StateSpaceModel
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.variables.variable_scope import variable_scope


class StateSpaceEnsemble(StateSpaceModel):
    """State space model that concatenates the states of its members, which evolve independently.

    Args:
      ensemble_members: the members, a list of `StateSpaceModel`s.
      configuration: a `StateSpaceModelConfiguration`.
    """

    def __init__(self, ensemble_members: list[Any], configuration: Any):
        self._ensemble_members = ensemble_members
        super().__init__(configuration=configuration)

    def _set_input_statistics(self, input_statistics: Any = None) -> None:
        super()._set_input_statistics(input_statistics)
        for member in self._ensemble_members:
            member._set_input_statistics(input_statistics)

    def _loss_additions(self, times: Tensor, values: Tensor, mode: str) -> Any:
        additions = super()._loss_additions(times, values, mode)
        members = self._ensemble_members
        return additions + ops.add_n(
            [member._loss_additions(times, values, mode) for member in members]
        )

    def _compute_blocked(self, member_fn: Callable, name: str) -> Tensor:
        """Returns the block-diagonal matrix of the function's results for each member."""
        with variable_scope(self._variable_scope):
            blocks = [member_fn(member) for member in self._ensemble_members]
            return block_diagonal(blocks, dtype=self.dtype, name=name)

    def transition_to_powers(self, powers: Tensor) -> Tensor:
        """Returns the state transition matrices for k step counts: [k, n, n]."""
        return self._compute_blocked(
            lambda member: member.transition_to_powers(powers), "ensemble_transition_to_powers"
        )

    def _define_parameters(self, observation_transition_tradeoff_log: Any = None) -> None:
        with variable_scope(self._variable_scope):
            tradeoff = observation_transition_tradeoff_log
            if tradeoff is None:
                tradeoff = self._variable_observation_transition_tradeoff_log()
            for member in self._ensemble_members:
                member._define_parameters(observation_transition_tradeoff_log=tradeoff)
            super()._define_parameters(observation_transition_tradeoff_log=tradeoff)

    def random_model_parameters(self, seed: int | None = None) -> dict[Any, Any]:
        """Returns random parameters of the ensemble and its members, for `generate`: values by tensor.

        Args:
          seed: random seed.

        Raises:
          NotImplementedError: for several values per time step.
        """
        parameters: dict[Any, Any] = {}
        for index, member in enumerate(self._ensemble_members):
            parameters.update(member.random_model_parameters(seed=seed + index if seed else None))
        parameters.update(super().random_model_parameters(seed=seed))
        return parameters

    def get_prior_mean(self) -> Any:
        """Returns the mean of the prior state, [n]."""
        means = [member.get_prior_mean() for member in self._ensemble_members]
        return ops.concat(values=means, axis=0, name="ensemble_prior_state_mean")

    def get_state_transition(self) -> Any:
        """Returns the state transition matrix of one step, [n, n]."""
        return self._compute_blocked(
            lambda member: member.get_state_transition(), "ensemble_state_transition"
        )

    def get_noise_transform(self) -> Any:
        """Returns the matrix from noise to state, [n, noises]."""
        return self._compute_blocked(
            lambda member: member.get_noise_transform(), "ensemble_noise_transform"
        )

    def get_observation_model(self, times: Tensor) -> Any:
        """Raises NotImplementedError; see `get_broadcasted_observation_model`."""
        raise NotImplementedError("No un-broadcasted observation model defined for ensembles.")

    def _member_observation_model(self, member: Any, times: Tensor) -> Tensor:
        model = member.get_broadcasted_observation_model(times)
        return ops.convert_to_tensor(model, dtype=self.dtype)

    def get_broadcasted_observation_model(self, times: Tensor) -> Tensor:
        """Returns observation matrices at times [batch]: [batch, features, n]; values are sums over members."""
        models = [self._member_observation_model(m, times) for m in self._ensemble_members]
        return ops.concat(values=models, axis=2)


class StateSpaceIndependentEnsemble(StateSpaceEnsemble):
    """Ensemble of members with independent noise; values are sums of the members' values.

    Args:
      ensemble_members: the members, a list of `StateSpaceModel`s.
      configuration: a `StateSpaceModelConfiguration`.
    """

    def transition_power_noise_accumulator(self, num_steps: Tensor) -> Tensor:
        """Returns the accumulated state noise for k step counts: covariances [k, n, n]."""
        return self._compute_blocked(
            lambda member: member.transition_power_noise_accumulator(num_steps),
            "ensemble_power_noise_accumulator",
        )

    def get_prior_covariance(self) -> Tensor:
        """Returns the covariance of the prior state, [n, n]."""
        return self._compute_blocked(
            lambda member: member.get_prior_covariance(), "ensemble_prior_state_covariance"
        )

    def get_state_transition_noise_covariance(
        self, minimum_initial_variance: float = 1e-5
    ) -> Tensor:
        """Returns the covariance of the noise of a step, [noises, noises], block-diagonal over members."""
        return self._compute_blocked(
            lambda member: member.state_transition_noise_covariance,
            "ensemble_state_transition_noise",
        )


class StateSpaceCorrelatedFeaturesEnsemble(StateSpaceEnsemble):
    """Ensemble with one member per feature, with correlated noise.

    Args:
      ensemble_members: the members, a list of `StateSpaceModel`s of one value each.
      configuration: a `StateSpaceModelConfiguration` with one value per member.

    Raises:
      ValueError: if the numbers of members and values differ, or a member has several values.
    """

    def __init__(self, ensemble_members: list[Any], configuration: Any):
        if len(ensemble_members) != configuration.num_features:
            raise ValueError(
                "The number of members in a StateSpaceCorrelatedFeaturesEnsemble must equal the"
                " number of features in the time series."
            )
        if any(member.num_features != 1 for member in ensemble_members):
            raise ValueError("StateSpaceCorrelatedFeaturesEnsemble components must be univariate.")
        super().__init__(ensemble_members=ensemble_members, configuration=configuration)

    def transition_power_noise_accumulator(self, num_steps: Tensor) -> Tensor:
        """Returns the accumulated state noise for k step counts: covariances [k, n, n]."""
        if len(self._ensemble_members) == 1:  # shortcut
            (member,) = self._ensemble_members
            return member.transition_power_noise_accumulator(num_steps=num_steps)
        return super().transition_power_noise_accumulator(num_steps=num_steps)

    def get_broadcasted_observation_model(self, times: Tensor) -> Tensor:
        """Returns observation matrices at times [batch]: [batch, features, n]; each member contributes one value."""
        return self._compute_blocked(
            lambda member: self._member_observation_model(member, times),
            "feature_ensemble_observation_model",
        )
