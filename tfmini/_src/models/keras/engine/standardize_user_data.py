"""Converts user data to lists of arrays that match a model; a deferred model is built from the data first."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.nest.structure import flatten, map_structure
from tfmini._src.base.shapes import TensorShape
from tfmini._src.data.dataset import DatasetV2 as Dataset
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.tensor import Tensor
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.models.keras.engine.compiled_model import CompileMixin
from tfmini._src.models.keras.engine.model_inputs import ModelInputs
from tfmini._src.models.keras.engine.standardize_arrays import (
    as_arrays,
    as_values,
    check_dataset,
    check_lengths,
    check_steps,
    check_targets,
    example_weights,
    has_tensors,
    weights_by_output,
)
from tfmini._src.models.keras.engine.training_arrays import initialized_iterator, next_elements
from tfmini._src.models.keras.engine.training_generator import check_split, is_generator
from tfmini._src.nn.layers import ragged_values
from tfmini._src.nn.layers.backend.config import floatx
from tfmini._src.nn.layers.backend.keras_graph import is_symbolic
from tfmini._src.nn.layers.backend.learning_phase import learning_phase
from tfmini._src.nn.layers.backend.tensor_values import (
    int_shape,
    is_placeholder,
    is_sparse,
    is_tensor,
)
from tfmini._src.nn.layers.input_shapes import static_batch_size
from tfmini._src.ops import ops
from tfmini._src.variables.trackable import no_automatic_dependency_tracking


class FeedMixin(CompileMixin):
    """Mixin of compiled networks that converts user data."""

    def _batch_size_for(self, x: Any, batch_size: Any, steps: Any) -> Any:
        if isinstance(x, Dataset) or is_generator(x):
            if batch_size is not None:
                raise ValueError(
                    "The `batch_size` argument must not be specified for the given input type. Received input: "
                    f"{x}, batch_size: {batch_size}"
                )
            return None
        layers = CompileMixin.layers.fget(self)  # type: ignore[attr-defined]  # includes the input layer
        static = static_batch_size(layers[0]) if layers else None
        if static is not None:
            if batch_size is not None and batch_size != static:
                raise ValueError(
                    f"The `batch_size` argument value {batch_size} is incompatible with the specified batch size "
                    f"of your Input Layer: {static}"
                )
            if steps is None:
                batch_size = static
        return 32 if batch_size is None and steps is None else batch_size

    def _as_array_lists(
        self,
        x: Any,
        y: Any,
        weights: Any,
        class_weight: Any,
        batch_size: Any,
        steps: Any,
        steps_name: str,
        split: float,
    ) -> tuple:
        """Returns the inputs, targets and weights as lists; returns a dataset unchanged."""
        if isinstance(x, Dataset):
            if self._has_newer_loop:
                check_split(x, split, "DatasetAdapter")
            check_dataset(x, y, weights, split)
            if not self.inputs:
                self._build_for_elements(next_elements(initialized_iterator(x))[0])
            return x, None, None
        if executing_eagerly():
            x = as_values(x)
        if not self._has_newer_loop:
            check_steps(x, steps, steps_name)
        return self._standardize_user_data(x, y, weights, class_weight, batch_size)

    def _validation_data(self, data: Any, batch_size: Any) -> tuple:
        if isinstance(data, Dataset):
            return data, None, None
        if len(data) not in (2, 3):
            # As in TensorFlow.
            received = data[0] if isinstance(data, tuple) and len(data) == 1 else data
            raise ValueError(
                "When passing a `validation_data` argument, it must contain either 2 items (x_val, y_val), or 3 "
                "items (x_val, y_val, val_sample_weights), or alternatively it could be a dataset or a dataset or a "
                f"dataset iterator. However we received `validation_data={received}`"
            )
        x, y, *weights = data
        return self._standardize_user_data(
            x, y, weights[0] if weights else None, batch_size=batch_size
        )

    def _standardize_user_data(
        self,
        x: Any,
        y: Any = None,
        sample_weight: Any = None,
        class_weight: Any = None,
        batch_size: Any = None,
    ) -> tuple:
        """Converts inputs, targets and weights to lists that match the model; builds a deferred model first."""
        are_tensors = False
        if executing_eagerly():
            are_tensors = y is not None and has_tensors(y)
            x, y, sample_weight = (as_values(data) for data in (x, y, sample_weight))
        if not self.inputs:
            _reject_composites(x)
            self._set_inputs(_cast(x) if has_tensors(x) else x)
        if not self._is_compiled and self.optimizer:
            self._compile_for(y)
        checked = self._is_graph_network and not self.run_eagerly
        shapes = self._feed_input_shapes if checked else None
        x = as_arrays(x, self._feed_input_names, shapes, "input")
        x = [
            value.toarray() if hasattr(value, "tocoo") and not is_sparse(tensor) else value
            for value, tensor in zip(x, self._feed_inputs)
        ]
        for value, tensor in zip(x, self._feed_inputs):
            _check_ranks(value, tensor)
        if y is None:
            y, weights = [], None
        else:
            y, weights = self._targets_and_weights(
                x, y, sample_weight, class_weight, checked and not are_tensors
            )
        if self.stateful and batch_size and not is_tensor(x[0]) and x[0].shape[0] % batch_size:
            raise ValueError(
                "In a stateful network, you should only pass inputs with a number of samples that can be divided by "
                f"the batch size. Found: {x[0].shape[0]} samples"
            )
        return x, y, weights

    def _targets_and_weights(
        self, x: list, y: Any, sample_weight: Any, class_weight: Any, checked: bool
    ) -> tuple[list, Any]:
        self._set_weight_modes(self.sample_weight_mode)
        endpoints = [e for e in self._endpoints if e.feeds_target]
        names = [e.name for e in endpoints]
        y = as_arrays(y, names, None, "target")
        rows = zip(
            y,
            weights_by_output(sample_weight, names, "sample_weight"),
            weights_by_output(class_weight, names, "class_weight"),
            endpoints,
        )
        weights: Any = [example_weights(t, s, c, e.sample_weight_mode) for t, s, c, e in rows]
        check_lengths(x, y, weights)
        if checked:
            check_targets(y, [e.loss_fn for e in endpoints], [e.fed_shape() for e in endpoints])
        if all(w is None for w in weights) and all(e.sample_weight_mode is None for e in endpoints):
            weights = None
        return y, weights

    # Models that see their inputs late -----------------------------------------------------------

    def _build_for_elements(self, elements: Any) -> None:
        """Builds the model on placeholders for the elements of a dataset, since each epoch uses a new iterator."""
        self._set_inputs(
            map_structure(
                lambda x: TensorSpec(x.shape, x.dtype) if isinstance(x, Tensor) else x, elements
            )
        )
        if not self._is_compiled and self.optimizer:
            self._compile_for(None)

    def _compile_for(self, y: Any) -> None:
        """Compiles the model with the stored `compile` arguments, now that inputs and outputs exist."""
        targets = None
        if y is not None and has_tensors(y):
            targets = [t for t in (y if isinstance(y, (list, tuple)) else [y]) if is_tensor(t)]
        _check_types(y, "target") if y is not None else None
        self.compile(
            optimizer=self.optimizer,
            loss=self.loss,
            metrics=self._compile_metrics,
            weighted_metrics=self._compile_weighted_metrics,
            loss_weights=self.loss_weights,
            target_tensors=targets,
            sample_weight_mode=self.sample_weight_mode,
            run_eagerly=vars(self).get("_run_eagerly"),
            experimental_run_tf_function=self._has_newer_loop,
        )

    def _set_inputs(self, inputs: Any, outputs: Any = None, training: Any = None) -> None:
        """Calls the model on placeholders shaped like the inputs, or on input tensors."""
        inputs = self._set_input_attributes(inputs)
        if outputs is None:
            kwargs = {}
            if self._expects_training_arg:
                if training is None and not executing_eagerly():
                    training = learning_phase()
                if training is not None:
                    kwargs["training"] = training
            try:
                outputs = self(inputs, **kwargs)
            except NotImplementedError:
                if not (executing_eagerly() and self.dynamic):
                    raise
                outputs = None  # a layer with unknown shapes
        self._set_output_attributes(outputs)

    def _call_in_graph(self, items: list, inputs: Any, args: tuple, kwargs: dict) -> Any:
        """Calls the model in a graph; its tensors become the model's inputs and outputs if unset."""
        outputs = super()._call_in_graph(items, inputs, args, kwargs)
        if not self.inputs and items and all(map(is_symbolic, items)):
            self._set_inputs(inputs, outputs)
        return outputs

    @no_automatic_dependency_tracking
    def _set_input_attributes(self, inputs: Any) -> Any:
        if self.inputs:
            raise ValueError("Model inputs are already set.")
        _check_types(inputs, "inputs")
        if type(self).__name__ == "Sequential" and not self.built:
            if isinstance(inputs, dict):
                if not getattr(self.layers[0], "_is_feature_layer", False):
                    raise ValueError(
                        "Passing a dictionary input to a Sequential Model which doesn't have FeatureLayer as the first "
                        "layer is an error."
                    )
                shape: Any = (None,)
            else:
                shape = inputs.as_list() if isinstance(inputs, TensorShape) else inputs.shape
            self._build_input_shape = (None, *tuple(shape)[1:])
        model_inputs = ModelInputs(inputs)
        self.inputs = model_inputs.get_symbolic_inputs(return_single_as_list=True)
        self.input_names = model_inputs.get_input_names()
        tensors = self.inputs.values() if isinstance(inputs, dict) else self.inputs
        fed_ones = [(n, t) for n, t in zip(self.input_names, tensors) if is_placeholder(t)]
        self._feed_input_names = [name for name, _ in fed_ones]
        self._feed_inputs = [tensor for _, tensor in fed_ones]
        self._feed_input_shapes = [int_shape(tensor) for _, tensor in fed_ones]
        return model_inputs.get_symbolic_inputs()

    @no_automatic_dependency_tracking
    def _set_output_attributes(self, outputs: Any) -> None:
        self.outputs = flatten(outputs)
        self.output_names = [f"output_{n + 1}" for n in range(len(self.outputs))]
        self.built = True


def _cast(x: Any) -> Any:
    def cast(value: Any) -> Any:
        value = ops.convert_to_tensor(value) if isinstance(value, np.ndarray) else value
        return ragged_values.cast(value, floatx()) if value.dtype.is_floating else value

    return map_structure(cast, x)


def _check_types(data: Any, title: str) -> None:
    items = data if isinstance(data, (list, tuple)) else [data]
    if isinstance(data, dict):
        if title == "target":
            raise ValueError(f"You cannot pass a dictionary as model {title}.")
        return
    if not all(isinstance(x, (np.ndarray, TensorSpec)) or is_tensor(x) for x in items):
        raise ValueError(
            "Please provide as model inputs either a single array or a list of arrays. You passed: "
            f"{title}={data}"
        )


def _reject_composites(x: Any) -> None:
    """Raises ValueError for sparse and ragged tensors, which are unsupported as deferred inputs."""
    for value in flatten(x):
        if ragged_values.is_ragged(value):
            raise ValueError(
                "Please provide as model inputs either a single array or a list of arrays. You passed: "
                f"inputs={value}"
            )
        if isinstance(value, SparseTensor):
            raise ValueError(
                "All SparseTensor and RaggedTensor inputs must be explicitly declared using a keras.Input() with "
                f"sparse=True or ragged=True. We found an undeclared input {value}. For Sequential models, please add "
                "a keras.Input() as your first Layer. For subclassed models, please call self._set_inputs() on your "
                "input set, which you can create using keras.Input() for each input to your model."
            )


def _check_ranks(value: Any, tensor: Any) -> None:
    """Raises ValueError if the ragged ranks differ."""
    ranks = [getattr(x, "ragged_rank", 0) for x in (value, tensor)]
    if ranks[0] != ranks[1]:
        raise ValueError(
            "The two structures don't have the same nested structure.\n\n"
            f"First structure: type={type(value).__name__} str={value}\n\n"
            f"Second structure: type={type(tensor).__name__} str={tensor}"
        )
