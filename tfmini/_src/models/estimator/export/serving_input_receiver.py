"""Inputs of an Estimator's SavedModel: features, and the placeholders from which they are computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tfmini._src.base import dtypes
from tfmini._src.base.shapes.tensor_shape import TensorShape
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.models.estimator.input_results import features_and_labels
from tfmini._src.ops import ops

_SINGLE_FEATURE = "feature"
_SINGLE_TENSOR_KEYS = {
    _SINGLE_FEATURE: _SINGLE_FEATURE,
    "label": "label",
    "receiver_tensor": "input",
    "receiver_tensors_alternative": "input",
}


def _check_tensor(tensor: Any, name: Any, title: str) -> None:
    if isinstance(tensor, Tensor | SparseTensor):
        return
    error = ValueError(f"{title}{f' {name}' if name else ''} must be a Tensor or SparseTensor.")
    if not hasattr(tensor, "tensor"):
        raise error
    try:
        convert_to_tensor(tensor)
    except TypeError:
        raise error from None


def _check_tensors(tensors: Any, title: str, allows_integers: bool = False) -> dict:
    """Converts tensors to a dict by name (possibly an integer); a single tensor receives a default name."""
    if tensors is None:
        raise ValueError(f"{title}s must be defined.")
    if not isinstance(tensors, dict):
        tensors = {_SINGLE_TENSOR_KEYS[title]: tensors}
    for name, tensor in tensors.items():
        if not isinstance(name, str) and not (allows_integers and isinstance(name, int)):
            key_types = "strings or ints" if allows_integers else "strings"
            raise ValueError(f"{title} keys must be {key_types}: {name}.")
        _check_tensor(tensor, name, title)
    return tensors


class _Serving(NamedTuple):
    features: Any
    receiver_tensors: Any
    receiver_tensors_alternatives: Any


class ServingInputReceiver(_Serving):
    """Features, and the placeholders that clients feed to compute them.

    Args:
      features: a dict of tensors; a single tensor becomes `{"feature": tensor}`.
      receiver_tensors: the fed tensors: a tensor, named "input", or a dict of tensors.
      receiver_tensors_alternatives: a dict of alternative receiver tensors, each with its own signature.

    Raises:
      ValueError: for a name or value of the wrong type.
    """

    def __new__(
        cls, features: Any, receiver_tensors: Any, receiver_tensors_alternatives: Any = None
    ) -> ServingInputReceiver:
        features = _check_tensors(features, _SINGLE_FEATURE, allows_integers=True)
        receiver_tensors = _check_tensors(receiver_tensors, "receiver_tensor")
        options = receiver_tensors_alternatives
        if options is not None:
            if not isinstance(options, dict):
                raise ValueError(f"receiver_tensors_alternatives must be a dict: {options}.")
            title = "receiver_tensors_alternative"
            options = {name: _check_tensors(tensors, title) for name, tensors in options.items()}
        return super().__new__(cls, features, receiver_tensors, options)


class TensorServingInputReceiver(_Serving):
    """A ServingInputReceiver for a model of a single feature tensor.

    Args:
      features: the feature tensor.
      receiver_tensors, receiver_tensors_alternatives: as in ServingInputReceiver.

    Raises:
      ValueError: for a name or value of the wrong type.
    """

    def __new__(
        cls, features: Any, receiver_tensors: Any, receiver_tensors_alternatives: Any = None
    ) -> TensorServingInputReceiver:
        if features is None:
            raise ValueError("features must be defined.")
        _check_tensor(features, None, _SINGLE_FEATURE)
        receiver = ServingInputReceiver(features, receiver_tensors, receiver_tensors_alternatives)
        return super().__new__(cls, receiver.features[_SINGLE_FEATURE], *receiver[1:])


class _Supervised(NamedTuple):
    features: Any
    labels: Any
    receiver_tensors: Any


class SupervisedInputReceiver(_Supervised):
    """Features, labels and fed tensors for training or evaluation.

    Args:
      features, labels: tensors or dicts of tensors.
      receiver_tensors: a tensor, named "input", or a dict of tensors.

    Raises:
      ValueError: for a name or value of the wrong type.
    """

    def __new__(cls, features: Any, labels: Any, receiver_tensors: Any) -> SupervisedInputReceiver:
        _check_tensors(features, _SINGLE_FEATURE, allows_integers=True)
        _check_tensors(labels, "label", allows_integers=True)
        return super().__new__(
            cls, features, labels, _check_tensors(receiver_tensors, "receiver_tensor")
        )


def build_parsing_serving_input_receiver_fn(
    feature_spec: dict[str, Any], default_batch_size: int | None = None
) -> Callable[[], ServingInputReceiver]:
    """Builds a receiver function for `export_saved_model`: clients send serialized tf.Examples.

    Args:
      feature_spec: a `tf.parse_example` spec, a dict of `tf.FixedLenFeature` etc.
      default_batch_size: batch size of the placeholder; by default unknown.

    Returns:
      A function without parameters that returns a ServingInputReceiver.
    """

    def serving_input_receiver_fn() -> ServingInputReceiver:
        examples = ops.placeholder(dtypes.string, [default_batch_size], name="input_example_tensor")
        features = ops.parse_example(examples, feature_spec)
        return ServingInputReceiver(features, {"examples": examples})

    return serving_input_receiver_fn


def _placeholders(tensors: dict[str, Any], batch: int | None) -> dict[str, Any]:
    """Returns placeholders with the dtypes, names and non-batch shapes of tensors."""
    return {
        name: ops.placeholder(
            t.dtype, TensorShape([batch]).concatenate(t.get_shape()[1:]), name=t.op.name
        )
        for name, t in tensors.items()
    }


def build_raw_serving_input_receiver_fn(
    features: dict[str, Any], default_batch_size: int | None = None
) -> Callable[[], ServingInputReceiver]:
    """Builds a receiver function for `export_saved_model`: clients send raw features.

    Args:
      features: a dict of tensors with the dtypes, shapes and names of the features.
      default_batch_size: batch size of the placeholders; by default unknown.

    Returns:
      A function without parameters that returns a ServingInputReceiver.
    """

    def serving_input_receiver_fn() -> ServingInputReceiver:
        placeholders = _placeholders(features, default_batch_size)
        return ServingInputReceiver(placeholders, placeholders)

    return serving_input_receiver_fn


def build_raw_supervised_input_receiver_fn(
    features: TensorLike, labels: TensorLike, default_batch_size: int | None = None
) -> Callable[[], SupervisedInputReceiver]:
    """Builds a receiver function for `experimental_export_all_saved_models`: clients send features and labels.

    Args:
      features, labels: tensors or dicts of tensors with the dtypes, shapes and names.
      default_batch_size: batch size of the placeholders; by default unknown.

    Returns:
      A function without parameters that returns a SupervisedInputReceiver.

    Raises:
      ValueError: if a feature and a label have the same name.
    """
    named = [
        value if isinstance(value, dict) else {name: value}
        for value, name in ((features, "input"), (labels, "label"))
    ]
    overlap = set(named[0]) & set(named[1])
    if overlap:
        raise ValueError(
            f"Features and labels must have distinct keys. Found overlapping keys: {overlap}"
        )

    def supervised_input_receiver_fn() -> SupervisedInputReceiver:
        placeholders = [_placeholders(tensors, default_batch_size) for tensors in named]
        received = [
            tensors if isinstance(original, dict) else next(iter(tensors.values()))
            for tensors, original in zip(placeholders, (features, labels))
        ]
        return SupervisedInputReceiver(
            received[0], received[1], {**placeholders[0], **placeholders[1]}
        )

    return supervised_input_receiver_fn


def build_supervised_input_receiver_fn_from_input_fn(
    input_fn: Callable[..., Any], **input_fn_args: Any
) -> Callable[[], SupervisedInputReceiver]:
    """Returns `build_raw_supervised_input_receiver_fn` of the features and labels of an input function.

    Args:
      input_fn: the input function; called in a separate graph.
      **input_fn_args: its arguments.
    """
    with Graph().as_default():
        features, labels, _ = features_and_labels(input_fn(**input_fn_args))
    return build_raw_supervised_input_receiver_fn(features, labels)
