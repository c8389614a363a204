"""Export outputs of an Estimator's SavedModel, and their signatures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.saved_model import (
    signature_constants as constants,
    signature_def_utils as signatures,
)
from tfmini._src.saved_model.tensor_info import build_tensor_info

_DEFAULT_KEY = constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY


class ExportOutput:
    """Base class of a servable model's outputs."""

    def as_signature_def(self, receiver_tensors: Mapping[str, Tensor] | Tensor) -> Any:
        """Returns the SignatureDef with `receiver_tensors` as inputs; raises ValueError for mismatched inputs."""
        raise NotImplementedError


def _output_name(key: Any, title: str) -> str:
    """Returns the name of an output; tuple names of multi-head models are joined."""
    if isinstance(key, tuple):
        key = "/".join(key)
    if not isinstance(key, str):
        raise ValueError(f"{title} output key must be a string; got {key}.")
    return key


def _check_outputs(outputs: Any, default: str, title: str) -> dict[str, Any]:
    """Converts tensors to a dict; `default` names a single tensor."""
    tensors = {}
    for name, value in (outputs if isinstance(outputs, dict) else {default: outputs}).items():
        name = _output_name(name, title)
        if not isinstance(value, Tensor):
            raise ValueError(f"{title} output value must be a Tensor; got {value}.")
        tensors[name] = value
    return tensors


def _examples(receiver_tensors: dict[str, Any], title: str) -> Any:
    """Returns the only string tensor among the inputs."""
    values = list(receiver_tensors.values())
    if len(values) != 1 or values[0].dtype.base_dtype != dtypes.string:
        raise ValueError(f"{title} input must be a single string Tensor; got {receiver_tensors}")
    return values[0]


class ClassificationOutput(ExportOutput):
    """Class scores, class names, or both.

    Args:
      scores: a floating tensor [batch, classes].
      classes: a tensor of strings [batch, classes].

    Raises:
      ValueError: if both are missing, or for another dtype.
    """

    scores: Any = read_only("The class scores.")
    classes: Any = read_only("The class names.")

    def __init__(self, scores: TensorLike | None = None, classes: Tensor | None = None):
        if scores is not None and not (isinstance(scores, Tensor) and scores.dtype.is_floating):
            raise ValueError(f"Classification scores must be a float32 Tensor; got {scores}")
        if classes is not None and not (
            isinstance(classes, Tensor) and classes.dtype.base_dtype == dtypes.string
        ):
            raise ValueError(f"Classification classes must be a string Tensor; got {classes}")
        if scores is None and classes is None:
            raise ValueError("At least one of scores and classes must be set.")
        self._scores, self._classes = scores, classes

    def as_signature_def(self, receiver_tensors: Any) -> Any:
        """Returns a Classify SignatureDef, whose input is serialized examples."""
        examples = _examples(receiver_tensors, "Classification")
        return signatures.classification_signature_def(examples, self._classes, self._scores)


class RegressionOutput(ExportOutput):
    """A predicted number.

    Args:
      value: a floating tensor [batch] or [batch, 1].

    Raises:
      ValueError: if it is not a floating tensor.
    """

    value: Any = read_only("The predicted value.")

    def __init__(self, value: TensorLike):
        if not (isinstance(value, Tensor) and value.dtype.is_floating):
            raise ValueError(f"Regression output value must be a float32 Tensor; got {value}")
        self._value = value

    def as_signature_def(self, receiver_tensors: Any) -> Any:
        """Returns a Regress SignatureDef, whose input is serialized examples."""
        return signatures.regression_signature_def(
            _examples(receiver_tensors, "Regression"), self._value
        )


class PredictOutput(ExportOutput):
    """Arbitrary tensors.

    Args:
      outputs: a tensor, named "output", or a dict of tensors by name.

    Raises:
      ValueError: if a name is not a string, or a value not a tensor.
    """

    outputs: dict[str, Any] = read_only("The tensors by name.")

    def __init__(self, outputs: Mapping[Any, Tensor] | Tensor):
        self._outputs = _check_outputs(outputs, "output", "Prediction")

    def as_signature_def(self, receiver_tensors: Any) -> Any:
        """Returns a Predict SignatureDef."""
        return signatures.predict_signature_def(receiver_tensors, self._outputs)


class SupervisedOutput(ExportOutput):
    """Loss, predictions and metrics of training or evaluation."""

    def __init__(self, method: str, loss: Any = None, predictions: Any = None, metrics: Any = None):
        self._method = method
        self._outputs: dict[str, Any] = {}
        for title, tensors in (("loss", loss), ("predictions", predictions)):
            if tensors is not None:
                named = _check_outputs(tensors, title, title)
                self._outputs.update((_with_prefix(key, title), t) for key, t in named.items())
        if metrics is not None:
            metrics = metrics if isinstance(metrics, dict) else {"metrics": metrics}
            for key, (value, update) in metrics.items():
                self._add_metric(
                    _with_prefix(_output_name(key, "metrics"), "metrics"), value, update
                )

    def _add_metric(self, key: str, value: Any, update: Any) -> None:
        if not isinstance(value, Tensor):
            raise ValueError(f"{key} output value must be a Tensor; got {value}.")
        if not isinstance(update, Tensor | Operation):
            raise ValueError(f"{key} update_op must be a Tensor or Operation; got {update}.")
        if isinstance(update, Operation):  # signatures contain tensors only
            with control_dependencies([update]):
                update = ops.constant([], name="metric_op_wrapper")
        self._outputs[f"{key}/value"] = value
        self._outputs[f"{key}/update_op"] = update

    def as_signature_def(self, receiver_tensors: Any) -> Any:
        """Returns the SignatureDef of a training or evaluation step."""
        if not receiver_tensors:
            raise ValueError(f"{self._method} inputs cannot be None or empty.")
        inputs, outputs = (
            {key: build_tensor_info(tensor) for key, tensor in tensors.items()}
            for tensors in (receiver_tensors, self._outputs)
        )
        return signatures.build_signature_def(inputs, outputs, self._method)


def _with_prefix(key: str, prefix: str) -> str:
    return key if key.startswith(prefix) else f"{prefix}/{key}"


def outputs_to_export(outputs: Any, predictions: Any) -> dict[str, ExportOutput]:
    """Returns the outputs to serve, with one under the default signature key.

    Args:
      outputs: a dict of ExportOutputs by name, or None to export the predictions.
      predictions: a tensor or a dict of tensors.
    """
    if outputs is None:
        outputs = {_DEFAULT_KEY: PredictOutput(predictions)}
    if not isinstance(outputs, dict):
        raise TypeError(f"export_outputs must be dict, given: {outputs}")
    for output in outputs.values():
        if not isinstance(output, ExportOutput):
            raise TypeError(
                f"Values in export_outputs must be ExportOutput objects. Given: {outputs}"
            )
    if len(outputs) == 1:
        outputs.setdefault(_DEFAULT_KEY, next(iter(outputs.values())))
    elif outputs and _DEFAULT_KEY not in outputs:
        raise ValueError(
            "Multiple export_outputs were provided, but none of them is specified as the default.  Do this by naming "
            "one of them with signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY."
        )
    return outputs
