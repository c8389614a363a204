"""`tf.saved_model.signature_def_utils`: signatures, which name a graph's inputs and outputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tfmini._src.base import errors, proto
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.prefixes import prepend_name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.saved_model.signature_constants import (
    CLASSIFY_INPUTS,
    CLASSIFY_METHOD_NAME,
    CLASSIFY_OUTPUT_CLASSES,
    CLASSIFY_OUTPUT_SCORES,
    PREDICT_METHOD_NAME,
    REGRESS_INPUTS,
    REGRESS_METHOD_NAME,
    REGRESS_OUTPUTS,
)
from tfmini._src.saved_model.tensor_info import graph_tensor_info, op_info


def build_signature_def(
    inputs: Mapping[str, proto.TensorInfo] | None = None,
    outputs: Mapping[str, proto.TensorInfo] | None = None,
    method_name: str | None = None,
) -> Any:
    """Builds a SignatureDef message.

    Args:
      inputs: a dict from input names to TensorInfo messages.
      outputs: a dict from output names to TensorInfo messages.
      method_name: a TensorFlow Serving method name from `signature_constants`.

    Example:
      info = tf.saved_model.utils.build_tensor_info
      tf.saved_model.signature_def_utils.build_signature_def(
          {"images": info(x)}, {"scores": info(y)}, "tensorflow/serving/predict"
      )
    """
    return proto.SignatureDef(inputs=inputs, outputs=outputs, method_name=method_name)


def _info(tensor: Any, title: str, type_name: str, dtype: int) -> Any:
    """Returns the TensorInfo of a tensor; raises ValueError unless its dtype is `dtype`."""
    info = graph_tensor_info(tensor)
    if info.dtype != dtype:
        raise ValueError(f"{title} must be a {type_name} Tensor.")
    return info


def _check_examples(examples: Any, title: str) -> None:
    if examples is None:
        raise ValueError(f"{title} examples cannot be None.")
    if not isinstance(examples, Tensor):
        raise ValueError(f"{title} examples must be a string Tensor.")


def regression_signature_def(examples: Tensor, predictions: TensorLike) -> Any:
    """Returns a SignatureDef for Serving's Regress API, which maps serialized examples to values.

    Args:
      examples: string Tensor of serialized `tf.train.Example`s.
      predictions: float Tensor.

    Raises:
      ValueError: if a tensor is None or has a different dtype.
    """
    _check_examples(examples, "Regression")
    if predictions is None:
        raise ValueError("Regression predictions cannot be None.")
    input_info = _info(examples, "Regression examples", "string", proto.DT_STRING)
    output_info = _info(predictions, "Regression output", "float", proto.DT_FLOAT)
    return build_signature_def(
        {REGRESS_INPUTS: input_info}, {REGRESS_OUTPUTS: output_info}, REGRESS_METHOD_NAME
    )


def classification_signature_def(examples: Tensor, classes: Any, scores: TensorLike) -> Any:
    """Returns a SignatureDef for Serving's Classify API: maps serialized examples to classes, scores or both.

    Args:
      examples: string Tensor of serialized `tf.train.Example`s.
      classes: string Tensor, or None.
      scores: float Tensor, or None.

    Raises:
      ValueError: if examples or outputs are missing, or a dtype differs.
    """
    _check_examples(examples, "Classification")
    if classes is None and scores is None:
        raise ValueError("Classification classes and scores cannot both be None.")
    input_info = _info(examples, "Classification examples", "string", proto.DT_STRING)
    outputs = {}
    if classes is not None:
        info = _info(classes, "Classification classes", "string", proto.DT_STRING)
        outputs[CLASSIFY_OUTPUT_CLASSES] = info
    if scores is not None:
        info = _info(scores, "Classification scores", "float", proto.DT_FLOAT)
        outputs[CLASSIFY_OUTPUT_SCORES] = info
    return build_signature_def({CLASSIFY_INPUTS: input_info}, outputs, CLASSIFY_METHOD_NAME)


def predict_signature_def(inputs: Mapping[str, Tensor], outputs: Mapping[str, Tensor]) -> Any:
    """Returns a SignatureDef for Serving's Predict API, with arbitrary input and output tensors.

    Args:
      inputs: a dict from input names to tensors.
      outputs: a dict from output names to tensors.

    Raises:
      ValueError: if either is None or empty.

    Example: `predict_signature_def({"images": x}, {"scores": y})`.
    """
    if not inputs:
        raise ValueError("Prediction inputs cannot be None or empty.")
    if not outputs:
        raise ValueError("Prediction outputs cannot be None or empty.")
    return build_signature_def(
        {key: graph_tensor_info(tensor) for key, tensor in inputs.items()},
        {key: graph_tensor_info(tensor) for key, tensor in outputs.items()},
        PREDICT_METHOD_NAME,
    )


def is_valid_signature(signature_def: proto.SignatureDef) -> bool:
    """Whether a SignatureDef has a TensorFlow Serving method name and its required inputs and outputs."""
    if signature_def is None:
        return False
    inputs = {key: info.dtype for key, info in signature_def.inputs.items()}
    outputs = {key: info.dtype for key, info in signature_def.outputs.items()}
    if signature_def.method_name == PREDICT_METHOD_NAME:
        return bool(inputs and outputs)
    if signature_def.method_name == REGRESS_METHOD_NAME:
        return inputs == {REGRESS_INPUTS: proto.DT_STRING} and outputs == {
            REGRESS_OUTPUTS: proto.DT_FLOAT
        }
    if signature_def.method_name == CLASSIFY_METHOD_NAME:
        allowed = {
            CLASSIFY_OUTPUT_CLASSES: proto.DT_STRING,
            CLASSIFY_OUTPUT_SCORES: proto.DT_FLOAT,
        }
        examples = {CLASSIFY_INPUTS: proto.DT_STRING}
        return inputs == examples and bool(outputs) and outputs.items() <= allowed.items()
    return False


def op_signature_def(op: Any, key: str) -> Any:
    """Returns a SignatureDef with an operation as its only output."""
    return build_signature_def(outputs={key: op_info(op)})


def op_of_signature_def(signature_def: Any, key: str, import_scope: str | None = None) -> Any:
    """Returns the operation or tensor in an `op_signature_def` message."""
    name = prepend_name_scope(signature_def.outputs[key].name, import_scope)
    try:
        return get_default_graph().as_graph_element(name)
    except KeyError:
        raise errors.NotFoundError(
            None,
            None,
            f"The {key} could not be found in the graph. Please make sure the SavedModel was created "
            "by the internal _SavedModelBuilder. If you are using the public API, please make sure "
            f'the SignatureDef in the SavedModel does not contain the key "{key}".',
        ) from None
