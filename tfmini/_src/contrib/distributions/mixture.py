"""A mixture of distributions of any classes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.contrib.distributions import mixture_shapes
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.categorical import Categorical
from tfmini._src.probability.distributions.distribution import Distribution
from tfmini._src.probability.distributions.parameters import new_seed
from tfmini._src.probability.distributions.reparameterization import NOT_REPARAMETERIZED


class Mixture(Distribution):
    """A mixture distribution: each sample is drawn from a randomly chosen component.

    Args:
      cat: a `Categorical` over the components, of the same batch shape.
      components: a list of distributions of one dtype, batch shape and event shape.
      validate_args: whether to check, at run time, that batch shapes agree.
      allow_nan_stats: see `tf.distributions.Distribution`.
      use_static_graph: whether to draw from all components and select; otherwise each component
        draws only its selected samples.

    Raises:
      TypeError: if the arguments have wrong types, or the dtypes differ.
      ValueError: if there are no components, `cat` has a different number of classes, or the shapes differ.
    """

    cat: Categorical = read_only("The distribution of the component's index.")
    components: list[Distribution] = read_only("The components.")
    num_components: int = read_only("Number of components.")

    @moved
    def __init__(
        self,
        cat: Any,
        components: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        use_static_graph: bool = False,
        name: str = "Mixture",
    ):
        parameters = dict(locals())
        _check_types(cat, components)
        dtype = components[0].dtype
        event_shape, batch_shape = components[0].event_shape, cat.batch_shape
        for component in components:
            event_shape = event_shape.merge_with(component.event_shape)
            batch_shape = batch_shape.merge_with(component.batch_shape)
        if event_shape.ndims is None:
            raise ValueError(
                "Expected to know rank(event_shape) from components, but none of the components "
                "provide a static number of ndims"
            )
        with name_scope(name, values=[cat.logits]) as name:
            count = get_static_value(cat.event_size)
            if count is None:
                raise ValueError(
                    "Could not infer number of classes from cat and unable to compare this value "
                    "to the number of components passed in."
                )
            if int(count) != len(components):
                raise ValueError(
                    f"cat.num_classes != len(components): {int(count)} vs. {len(components)}"
                )
            self._cat = cat
            self._components = list(components)
            self._num_components = int(count)
            self._event = event_shape
            self._batch = batch_shape
            self._use_static_graph = use_static_graph
            self._checks = self._shape_checks(validate_args)
        parents = list(cat._graph_parents)
        for component in self._components:
            parents += component._graph_parents
        self._init(parameters, name, NOT_REPARAMETERIZED, parents, dtype=dtype)

    def _shape_checks(self, validate_args: bool) -> list[Any]:
        shape = self._cat.batch_shape_tensor()
        rank = ops.size(shape)
        if not validate_args:
            return []
        shapes = [component.batch_shape_tensor() for component in self._components]
        ranks = [ops.size(other) for other in shapes]
        checks = []
        for expected, value in ((rank, ranks), (shape, shapes)):
            for i, other in enumerate(value):
                message = f"components[{i}] batch shape must match cat batch shape"
                checks.append(ops.assert_equal(expected, other, message=message))
        return checks

    def _batch_shape_tensor(self) -> Tensor:
        return self._cat.batch_shape_tensor()

    def _batch_shape(self) -> TensorShape:
        return self._batch

    def _event_shape_tensor(self) -> Tensor:
        return self._components[0].event_shape_tensor()

    def _event_shape(self) -> TensorShape:
        return self._event

    def _weights(self, softmax: Callable[[Tensor], Tensor]) -> list[Tensor]:
        weights = softmax(self.cat.logits)
        return ops.unstack(weights, num=self.num_components, axis=-1)

    def _expand_to_event_rank(self, x: Tensor) -> Tensor:
        for _ in range(self._event.rank):
            x = ops.expand_dims(x, -1)
        return x

    def _mean(self) -> Tensor:
        with control_dependencies(self._checks):
            means = [component.mean() for component in self.components]
            weights = [self._expand_to_event_rank(w) for w in self._weights(ops.softmax)]
            return ops.add_n([w * mean for w, mean in zip(weights, means, strict=True)])

    def _stddev(self) -> Tensor:
        with control_dependencies(self._checks):
            means = [component.mean() for component in self.components]
            stddevs = [component.stddev() for component in self.components]
            weights = self._weights(ops.softmax)
            all_means = ops.stack(means, axis=-1)
            all_stddevs = ops.stack(stddevs, axis=-1)
            weights = [self._expand_to_event_rank(w) for w in weights]
            all_weights = ops.stack(weights, axis=-1) * ops.ones_like(all_means)
            rows = [
                ops.reshape(x, [-1, len(self.components)])
                for x in (all_weights, all_means, all_stddevs)
            ]
            return ops.reshape(mixture_shapes.stddev(*rows), ops.shape(all_weights)[:-1])

    def _log_mix(self, x: Tensor, function: str) -> Tensor:
        with control_dependencies(self._checks):
            x = convert_to_tensor(x, name="x")
            values = [getattr(component, function)(x) for component in self.components]
            weights = self._weights(ops.log_softmax)
            terms = [weight + value for weight, value in zip(weights, values, strict=True)]
            return ops.reduce_logsumexp(ops.stack(terms, 0), [0])

    def _log_prob(self, x: Tensor) -> Tensor:
        return self._log_mix(x, "log_prob")

    def _log_cdf(self, x: Tensor) -> Tensor:
        return self._log_mix(x, "log_cdf")

    def _sample_n(self, n: Any, seed: Any = None) -> Tensor:
        if self._use_static_graph:
            return self._sample_all(n, seed)
        with control_dependencies(self._checks):
            return self._sample_chosen(n, seed)

    def _sample_all(self, n: Any, seed: Any) -> Tensor:
        """Draws from all components and selects by a one-hot mask."""
        samples = []
        component_ids = self.cat.sample(n, seed=seed)
        for component in self.components:
            seed = new_seed(seed, "mixture")
            samples.append(component.sample(n, seed=seed))
        event_rank = self._event.rank
        x = ops.stack(samples, -event_rank - 1)
        numpy_dtype = x.dtype.as_numpy_dtype
        mask = ops.one_hot(
            indices=component_ids,
            depth=self._num_components,
            on_value=np.ones([], dtype=numpy_dtype),
            off_value=np.zeros([], dtype=numpy_dtype),
        )
        mask = mixture_shapes.pad_dimensions(mask, self, self._cat, event_rank)
        return ops.reduce_sum(x * mask, axis=-1 - event_rank)

    def _sample_chosen(self, n: Any, seed: Any) -> Tensor:
        """Draws as many samples from each component as are selected, and stitches them together.

        Each component draws the whole batch; the selected members are gathered.
        """
        n = convert_to_tensor(n, name="n")
        static = get_static_value(n)
        n = n if static is None else int(static)
        component_ids = self.cat.sample(n, seed=seed)
        ids_shape = component_ids.get_shape()
        shape: Any
        size: Any
        if ids_shape.is_fully_defined():
            shape, size = ids_shape.as_list(), ids_shape.num_elements()
        else:
            shape, size = ops.shape(component_ids), ops.size(component_ids)
        if self.batch_shape.is_fully_defined():
            batch_size: Any = self.batch_shape.num_elements()
        else:
            batch_size = ops.reduce_prod(self.batch_shape_tensor())
        event_shape: Any
        if self.event_shape.is_fully_defined():
            event_shape = np.array(self.event_shape.as_list(), dtype=np.int32)
        else:
            event_shape = self.event_shape_tensor()
        split = functools.partial(
            ops.dynamic_partition, partitions=component_ids, num_partitions=self.num_components
        )
        positions = split(ops.reshape(ops.range(0, size), shape))
        members = split(ops.reshape(ops.tile(ops.range(0, batch_size), [n]), shape))
        component_samples = []
        for i, component in enumerate(self.components):
            count = ops.size(positions[i])
            seed = new_seed(seed, "mixture")
            samples = component.sample(count, seed=seed)
            rows = batch_size * ops.range(count) + members[i]
            flat = ops.concat([[count * batch_size], event_shape], 0)
            samples = ops.reshape(samples, flat)
            component_samples.append(ops.gather(samples, rows, name="samples_class_c_gather"))
        stitched = ops.dynamic_stitch(indices=positions, data=component_samples)
        samples = ops.reshape(stitched, ops.concat([shape, self.event_shape_tensor()], 0))
        samples.set_shape(TensorShape(ids_shape).concatenate(self.event_shape))
        return samples

    def entropy_lower_bound(self, name: str = "entropy_lower_bound") -> Tensor:
        """Returns a lower bound on the mixture's entropy, the components' mean entropy, of the batch shape."""
        with self._name_scope(name, [self.cat.logits]), control_dependencies(self._checks):
            entropies = [component.entropy() for component in self.components]
            weights = self._weights(ops.softmax)
            return ops.add_n([w * entropy for w, entropy in zip(weights, entropies, strict=True)])


def _check_types(cat: Any, components: Any) -> None:
    if not isinstance(cat, Categorical):
        raise TypeError(f"cat must be a Categorical distribution, but saw: {cat}")
    if not components:
        raise ValueError("components must be a non-empty list or tuple")
    if not isinstance(components, (list, tuple)):
        raise TypeError(f"components must be a list or tuple, but saw: {components}")
    if not all(isinstance(component, Distribution) for component in components):
        raise TypeError(
            f"all entries in components must be Distribution instances but saw: {components}"
        )
    if any(component.dtype != components[0].dtype for component in components):
        types = [(component.name, component.dtype) for component in components]
        raise TypeError(f"All components must have the same dtype, but saw dtypes: {types}")
