"""Random parameters and series of a state space model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tfmini._src.contrib.timeseries.feature_keys import TrainEvalFeatures
from tfmini._src.ops import ops

if TYPE_CHECKING:
    from tfmini._src.contrib.timeseries.state_space.linear_model import LinearModel


def _check_univariate(model: LinearModel) -> None:
    if model.num_features != 1:
        raise NotImplementedError(
            "Generation for multivariate state space models is not currently implemented."
        )


def draw_parameters(model: LinearModel, seed: int | None) -> dict[Any, Any]:
    """Draws random values of the model's parameters, by tensor, from NumPy's global generator."""
    _check_univariate(model)
    random = np.random
    if seed:
        random.seed(seed)
    transform = ops.convert_to_tensor(model.get_noise_transform())
    size, noises = transform.get_shape().as_list()
    variances = 1.0 / random.gamma(shape=10.0, scale=10.0, size=[noises])
    start = random.normal(size=[size])
    values: dict[Any, Any] = {}
    if model.prior_state_mean is not None:
        values[model.prior_state_mean] = start
    if model.state_transition_noise_covariance is not None:
        values[model.state_transition_noise_covariance] = np.diag(variances)
    if model.prior_state_var is not None:
        values[model.prior_state_var] = np.zeros([size, size])
    if model._configuration.use_observation_noise:
        variance = 1.0 / random.gamma(shape=4, scale=4)
        values[model._observation_noise_covariance] = [[variance]]
    return values


def parameter_lookup(parameters: Any) -> Any:
    """Returns a function from a parameter to its replacement in `parameters`, else its value in the default session."""
    return lambda parameter: ops.convert_to_tensor(parameters.get(parameter, parameter)).eval()


def draw_series(
    model: LinearModel, shape: tuple[int, int], parameters: Any, seed: int | None, with_noise: bool
) -> dict[str, np.ndarray]:
    """Draws random times and values from NumPy's global generator; arguments as in `StateSpaceModel.generate`."""
    random = np.random
    if seed is not None:
        random.seed(seed)
    _check_univariate(model)
    count, length = shape
    transition = ops.convert_to_tensor(model.get_state_transition(), dtype=model.dtype)
    moves = transition.eval(feed_dict=parameters)
    transform = ops.convert_to_tensor(model.get_noise_transform()).eval(feed_dict=parameters)
    value = parameter_lookup(parameters)
    deviations = np.sqrt(np.diag(value(model.state_transition_noise_covariance)))
    if with_noise:
        deviation = np.sqrt(value(model._observation_noise_covariance)[0][0])
    states = np.tile(value(model.prior_state_mean)[None], [count, 1])
    values = np.zeros([count, length])
    observation = model.get_broadcasted_observation_model(times=ops.range(length))
    zeros, spread = np.zeros([count, transform.shape[1]]), np.tile(deviations[None], [count, 1])
    for step, matrix in enumerate(observation.eval(feed_dict=parameters)):
        states = np.dot(states, moves.T)
        states += np.dot(random.normal(loc=zeros, scale=spread), transform.T)
        mean = np.dot(states, matrix[0].T)
        values[:, step] = random.normal(loc=mean, scale=deviation) if with_noise else mean
    times = np.tile(np.arange(length)[None], [count, 1])
    return {TrainEvalFeatures.TIMES: times, TrainEvalFeatures.VALUES: values[..., None]}
