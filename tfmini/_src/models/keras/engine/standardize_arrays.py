"""Converts user data to lists of arrays that match the model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tfmini._src.base import logs
from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.graph.composite_values import SparseTensorValue
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.models.keras.losses import loss_functions as losses
from tfmini._src.models.keras.losses.loss import LossFunctionWrapper
from tfmini._src.models.keras.losses.loss_classes import (
    BinaryCrossentropy,
    CategoricalCrossentropy,
    MeanSquaredError,
)
from tfmini._src.nn.layers.backend.tensor_values import is_tensor
from tfmini._src.nn.layers.ragged_values import is_ragged
from tfmini._src.ops import ops


def has_tensors(data: Any) -> bool:
    """Whether the data contain a tensor; RaggedTensors do not count, since they are converted to values."""
    if isinstance(data, (list, tuple)):
        return any(is_tensor(x) and not is_ragged(x) for x in data)
    if isinstance(data, dict):
        return any(is_tensor(x) and not is_ragged(x) for x in data.values())
    return is_tensor(data) and not is_ragged(data)


def as_values(data: Any) -> Any:
    """Replaces eager tensors by their values."""
    leaves = flatten(data)
    if not any(isinstance(leaf, EagerTensor) for leaf in leaves):
        return data
    values = [leaf._numpy() if isinstance(leaf, EagerTensor) else leaf for leaf in leaves]
    return pack_sequence_as(data, values)


def check_keys(name: str, values: Mapping, expected: list) -> None:
    """Raises ValueError if a dict has unexpected keys."""
    unknown = set(values).difference(expected)
    if unknown:
        raise ValueError(
            f"Unknown entries in {name} dictionary: {list(unknown)}. Only expected following keys: {expected}"
        )


def _data_frame_values(x: Any) -> Any:
    return x.values if type(x).__name__ == "DataFrame" else x


def check_steps(x: Any, steps: Any, name: str) -> None:
    """Raises ValueError for tensors without a step count; warns about arrays with one."""
    if x is None or has_tensors(x) or (isinstance(x, list) and not x):
        if steps is None:
            raise ValueError(
                "When using data tensors as input to a model, you should specify the "
                f"`{name}` argument."
            )
    elif steps is not None and not any(map(is_ragged, flatten(x))):
        logs.warning(
            "When passing input data as arrays, do not specify `steps_per_epoch`/`steps` argument. Please use "
            "`batch_size` instead."
        )


def expand_to_columns(x: Any, expected_shape: Any = None) -> Any:
    """Expands rank-1 arrays to columns."""
    if x is None or isinstance(x, SparseTensorValue) or hasattr(x, "dense_shape"):
        return x
    if isinstance(x, int):
        raise ValueError(f"Expected an array data type but received an integer: {x}")
    flat = x.shape is not None and len(x.shape) == 1
    if flat and (expected_shape is None or len(expected_shape) != 1):
        return ops.expand_dims(x, axis=1) if is_tensor(x) else np.expand_dims(x, 1)
    return x


def as_arrays(data: Any, names: list[str], shapes: Any = None, title: str = "") -> list:
    """Converts data to a list of arrays, one per name.

    Args:
      data: an array or tensor, a list or dict of these, or a data frame.
      names: input or output names.
      shapes: their shapes including the batch size, each None if arbitrary; or None.
      title: "input" or "target", for messages.
    """
    if not names:
        if (
            data is not None
            and hasattr(data, "__len__")
            and not has_tensors(data)
            and len(data)
            and not isinstance(data, dict)
        ):
            raise ValueError(f"Error when checking model {title}: expected no data, but got:", data)
        return []
    if data is None:
        return [None] * len(names)
    arrays = _as_list(data, names)
    if shapes is None:
        arrays = [expand_to_columns(x) for x in arrays]
    else:
        arrays = [expand_to_columns(x, shape) for x, shape in zip(arrays, shapes)]
    if len(arrays) != len(names):
        arrays = _check_count(arrays, names, title)
    for name, x, shape in zip(names, arrays, shapes or ()):
        if shape is not None:
            _check_shape(name, x, shape, title)
    return arrays


def _as_list(data: Any, names: list[str]) -> list:
    if isinstance(data, dict):
        try:
            return [_data_frame_values(data[name]) for name in names]
        except KeyError as error:
            raise ValueError(
                f'No data provided for "{error.args[0]}". Need data for each key in: {names}'
            ) from None
    if isinstance(data, (list, tuple)) and not isinstance(data, SparseTensorValue):
        if len(data) and isinstance(data[0], (list, tuple)):
            return [np.asarray(x) for x in data]
        if len(names) == 1 and len(data) and isinstance(data[0], (float, int)):
            return [np.asarray(data)]
        return [_data_frame_values(x) for x in data]
    return [_data_frame_values(data)]


def _check_count(arrays: list, names: list[str], title: str) -> list:
    if arrays and hasattr(arrays[0], "shape"):
        raise ValueError(
            f"Error when checking model {title}: the list of Numpy arrays that you are passing to your model is "
            f"not the size the model expected. Expected to see {len(names)} array(s), but instead got the "
            f"following list of {len(arrays)} arrays: {str(arrays)[:200]}..."
        )
    if len(names) > 1:
        raise ValueError(
            f"Error when checking model {title}: you are passing a list as input to your model, but the model "
            f"expects a list of {len(names)} Numpy arrays instead. The list you passed was: {str(arrays)[:200]}"
        )
    if len(arrays) == 1 and not hasattr(arrays[0], "shape"):
        raise TypeError(
            f"Error when checking model {title}: data should be a Numpy array, or list/dict of Numpy arrays. "
            f"Found: {str(arrays)[:200]}..."
        )
    return [np.asarray(arrays)]


def _check_shape(name: str, x: Any, shape: tuple, title: str) -> None:
    if is_tensor(x):
        if x.shape.ndims is None:
            return
        actual = tuple(x.shape.as_list())
    elif isinstance(x, SparseTensorValue):
        actual = tuple(int(n) for n in x.dense_shape)
    else:
        actual = x.shape
    if len(actual) != len(shape):
        raise ValueError(
            f"Error when checking {title}: expected {name} to have {len(shape)} dimensions, but got array with "
            f"shape {actual}"
        )
    for size, expected in zip(actual[1:], shape[1:]):
        if expected != size and None not in (expected, size):
            raise ValueError(
                f"Error when checking {title}: expected {name} to have shape {shape[1:]} but got array with shape "
                f"{actual[1:]}"
            )


def weights_by_output(arguments: Any, names: list[str], key: str) -> list:
    """Returns the sample or class weights of each output; None if absent."""
    if arguments is None or (isinstance(arguments, (list, tuple)) and len(arguments) == 0):
        return [None] * len(names)
    if len(names) == 1:
        if isinstance(arguments, (list, tuple)) and len(arguments) == 1:
            return list(arguments)
        return [
            arguments[names[0]]
            if isinstance(arguments, dict) and names[0] in arguments
            else arguments
        ]
    if isinstance(arguments, (list, tuple)):
        if len(arguments) != len(names):
            raise ValueError(
                f"Provided `{key}` was a list of {len(arguments)} elements, but the model has {len(names)} outputs. "
                f"You should provide one `{key}`array per model output."
            )
        return list(arguments)
    if isinstance(arguments, Mapping):
        check_keys(key, arguments, names)
        return [arguments.get(name) for name in names]
    raise TypeError(
        f"The model has multiple outputs, so `{key}` should be either a list or a dict. Provided `{key}` type "
        f"not understood: {arguments}"
    )


def example_weights(
    y: Any, sample_weight: Any = None, class_weight: Any = None, sample_weight_mode: Any = None
) -> Any:
    """Returns sample weights times class weights; None if there are neither.

    Raises:
      ValueError: if they do not match the targets, or a class has no weight.
    """
    if isinstance(sample_weight, tuple):
        sample_weight = sample_weight[0]
    _check_mode(y, sample_weight, sample_weight_mode)
    if sample_weight is not None:
        if len(sample_weight.shape) > len(y.shape):
            raise ValueError(
                f"Found a sample_weight with shape{sample_weight.shape}.Expected sample_weight with rank less than "
                f"or equal to {len(y.shape)}"
            )
        if not is_tensor(sample_weight) and y.shape[: sample_weight.ndim] != sample_weight.shape:
            raise ValueError(
                f"Found a sample_weight array with shape {sample_weight.shape} for an input with shape {y.shape}. "
                "sample_weight cannot be broadcast."
            )
    weights_by_class = _class_weights(y, class_weight) if isinstance(class_weight, dict) else None
    if weights_by_class is not None and sample_weight is not None:
        return weights_by_class * sample_weight
    return weights_by_class if sample_weight is None else sample_weight


def _check_mode(y: Any, weight: Any, mode: Any) -> None:
    if mode is not None and mode != "samplewise":
        if mode != "temporal":
            raise ValueError(f'"sample_weight_mode should be None or "temporal". Found: {mode}')
        if len(y.shape) < 3:
            raise ValueError(
                f"Found a sample_weight array for an input with shape {y.shape}. Timestep-wise sample weighting "
                '(use of sample_weight_mode="temporal") is restricted to outputs that are at least 3D, i.e. that '
                "have a time dimension."
            )
        if weight is not None and len(weight.shape) != 2:
            raise ValueError(
                f"Found a sample_weight array with shape {weight.shape}. In order to use timestep-wise sample "
                "weighting, you should pass a 2D sample_weight array."
            )
    elif weight is not None and len(weight.shape) != 1:
        raise ValueError(
            f"Found a sample_weight array with shape {weight.shape}. In order to use timestep-wise sample "
            'weights, you should specify sample_weight_mode="temporal" in compile(). If you just mean to use '
            "sample-wise weights, make sure your sample_weight array is 1D."
        )


def _class_weights(y: Any, weights: dict) -> np.ndarray:
    if len(y.shape) > 2:
        raise ValueError("`class_weight` not supported for 3+ dimensional targets.")
    classes = y
    if len(y.shape) == 2:
        classes = np.argmax(y, axis=1) if y.shape[1] > 1 else np.reshape(y, y.shape[0])
    class_weights = np.asarray([weights[c] for c in classes if c in weights])
    if len(class_weights) != len(classes):
        missing = ", ".join(map(str, set(np.asarray(classes)) - set(weights)))
        raise ValueError(
            f"`class_weight` must contain all classes in the data. The classes {{{missing}}} exist in the data but not "
            "in `class_weight`."
        )
    return class_weights


def check_lengths(inputs: Any, targets: Any, weights: Any) -> None:
    """Raises ValueError unless all arrays have the same number of examples."""

    def lengths(arrays: Any) -> list:
        plain = [
            x for x in arrays or () if x is not None and hasattr(x, "shape") and not is_tensor(x)
        ]
        return list(dict.fromkeys(x.shape[0] for x in plain))

    x, y, w = lengths(inputs), lengths(targets), lengths(weights)
    if len(x) > 1:
        raise ValueError(
            "All input arrays (x) should have the same number of samples. Got array shapes: "
            f"{[a.shape for a in inputs]}"
        )
    if len(y) > 1:
        raise ValueError(
            "All target arrays (y) should have the same number of samples. Got array shapes: "
            f"{[a.shape for a in targets]}"
        )
    if x and y and x[0] != y[0]:
        raise ValueError(
            "Input arrays should have the same number of samples as target arrays. Found "
            f"{x[0]} input samples and {y[0]} target samples."
        )
    if len(w) > 1:
        raise ValueError(
            "All sample_weight arrays should have the same number of samples. Got array shapes: "
            f"{[a.shape for a in weights]}"
        )
    if y and w and y[0] != w[0]:
        raise ValueError(
            "Sample_weight arrays should have the same number of samples as target arrays. Got "
            f"{y[0]} input samples and {w[0]} target samples."
        )


def check_targets(targets: Any, loss_fns: list, shapes: list) -> None:
    """Raises ValueError if the targets do not match the loss."""
    same_shape = (
        losses.mean_squared_error,
        losses.binary_crossentropy,
        losses.categorical_crossentropy,
    )
    for y, loss, shape in zip(targets, loss_fns, shapes):
        if y is None or loss is None or is_tensor(y):
            continue
        function = loss.fn if isinstance(loss, LossFunctionWrapper) else None
        categorical = function is losses.categorical_crossentropy
        if (categorical or isinstance(loss, CategoricalCrossentropy)) and y.shape[-1] == 1:
            raise ValueError(
                f"You are passing a target array of shape {y.shape} while using as loss `categorical_crossentropy`. "
                "`categorical_crossentropy` expects targets to be binary matrices (1s and 0s) of shape (samples, "
                "classes). If your targets are integer classes, you can convert them to the expected format "
                "via:\n```\nfrom keras.utils import to_categorical\ny_binary = to_categorical(y_int)\n```\n\n"
                "Alternatively, you can use the loss function `sparse_categorical_crossentropy` instead, which "
                "does expect integer targets."
            )
        loss_classes = (MeanSquaredError, BinaryCrossentropy, CategoricalCrossentropy)
        if isinstance(loss, loss_classes) or function in same_shape:
            for size, expected in zip(y.shape[1:], shape[1:]):
                if expected is not None and size != expected:
                    raise ValueError(
                        f"A target array with shape {y.shape} was passed for an output of shape {shape} while using "
                        f"as loss `{loss.name}`. This loss expects targets to have the same shape as the output."
                    )


def slice_arrays(arrays: Any, start: Any, stop: Any = None) -> Any:
    """Returns the examples from `start` to `stop` of each array, or at the indices in a list `start`."""

    def part(x: Any) -> Any:
        if x is None:
            return None
        if hasattr(x, "row_splits"):
            rows = start if hasattr(start, "__len__") else range(row_count(x))[start:stop]
            return _ragged_rows(x, rows)
        if hasattr(start, "__len__"):
            return x[
                start.tolist()
                if hasattr(start, "tolist") and not isinstance(x, np.ndarray)
                else start
            ]
        return x[start:stop]

    return [part(x) for x in arrays] if isinstance(arrays, list) else part(arrays)


def row_count(x: Any) -> int:
    """Returns the number of examples in an array, or in the value of a sparse or ragged tensor."""
    if x.__class__ is EagerTensor:
        return int(x._array.shape[0])
    if hasattr(x, "row_splits"):
        return len(x.row_splits) - 1
    return int(x.dense_shape[0]) if hasattr(x, "dense_shape") else int(x.shape[0])


def _ragged_rows(x: Any, indices: Any) -> Any:
    """Returns the rows of a RaggedTensorValue."""
    lengths = x.row_splits[1:] - x.row_splits[:-1]
    starts = x.row_splits[:-1]
    positions = np.concatenate(
        [np.arange(0), *(np.arange(starts[n], starts[n] + lengths[n]) for n in indices)]
    )
    splits = np.concatenate([[0], np.cumsum(lengths[np.asarray(indices, int)])])
    return type(x)(slice_arrays(x.values, positions), splits.astype(x.row_splits.dtype))


def check_dataset(x: Any, y: Any, weights: Any, split: Any) -> None:
    """Raises ValueError for arguments that do not apply to a dataset."""
    if y is not None:
        raise ValueError(
            f"You passed a dataset or dataset iterator ({x}) as input `x` to your model. In that case, you should not "
            "specify a target (`y`) argument, since the dataset or dataset iterator generates both input data and "
            f"target data. Received: {y}"
        )
    if weights is not None:
        raise ValueError(
            "`sample_weight` argument is not supported when input `x` is a dataset or a dataset iterator. Instead, "
            "youcan provide sample_weight as the third element  of yourdataset, i.e. (inputs, targets, "
            f"sample_weight). Received: x={x}, sample_weight={weights}"
        )
    if split:
        raise ValueError(
            "`validation_split` argument is not supported when input `x` is a dataset or a dataset iterator. "
            f"Received: x={x}, validation_split={split:f}"
        )
