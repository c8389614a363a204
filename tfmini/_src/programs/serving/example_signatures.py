"""Signatures that classify or regress tf.train.Examples, and their results, with TensorFlow Serving's errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tfmini._src.base import proto
from tfmini._src.base.dtypes import DType, as_dtype, float32, string
from tfmini._src.base.errors import FailedPreconditionError, invalid
from tfmini._src.saved_model.signature_constants import (
    CLASSIFY_INPUTS,
    CLASSIFY_METHOD_NAME,
    CLASSIFY_OUTPUT_CLASSES,
    CLASSIFY_OUTPUT_SCORES,
    REGRESS_OUTPUTS,
)


def check_form(signature: Any, method: str) -> None:
    """Raises OpError unless a SignatureDef has the method, input and outputs of a classification or regression."""
    is_classification = method == CLASSIFY_METHOD_NAME
    signature_type = "classification" if is_classification else "regression"
    if signature.method_name != method:
        invalid(
            f"Expected {signature_type} signature method_name to be {method}. Was: {signature.method_name}"
        )
    if len(signature.inputs) != 1:
        invalid("Expected one input Tensor.")
    count = len(signature.outputs)
    if is_classification and count not in (1, 2):
        invalid(f"Expected one or two output Tensors, found {count}")
    if not is_classification and count != 1:
        invalid("Expected one output Tensor.")
    if CLASSIFY_INPUTS not in signature.inputs:  # REGRESS_INPUTS is the same
        _lacks(f"No {signature_type} inputs found in SignatureDef: {signature}")
    tables = CLASSIFY_OUTPUT_CLASSES, CLASSIFY_OUTPUT_SCORES
    if is_classification and not any(name in signature.outputs for name in tables):
        _lacks(
            'Expected classification signature outputs to contain at least one of "{}" or "{}". '
            "Signature was: {}".format(*tables, signature)
        )
    if not is_classification and REGRESS_OUTPUTS not in signature.outputs:
        _lacks(f"No regression outputs found in SignatureDef: {signature}")


def classes_and_scores(
    results: Mapping[str, np.ndarray], count: int
) -> tuple[list[list[str]], np.ndarray]:
    """Returns the labels and scores of the classes of `count` examples; "" and 0 if the model has none.

    Raises:
      InvalidArgumentError: if the results are not matrices of their dtypes with a row per example.
    """
    labels = results.get(CLASSIFY_OUTPUT_CLASSES)
    scores = results.get(CLASSIFY_OUTPUT_SCORES)
    for name, table, dtype in (("classes", labels, string), ("scores", scores, float32)):
        if table is None:
            continue
        if table.ndim != 2:
            shape = _shape_text(table)
            invalid(f"Expected Tensor shape: [batch_size num_classes] but got {shape}")
        _check_dtype(f"{name} Tensor of {_enum(dtype)}. Got", table, dtype)
        if len(table) != count:
            invalid(f"Expected {name} output batch size of {count}. Got: {len(table)}")
    if labels is None:
        labels = np.full(results[CLASSIFY_OUTPUT_SCORES].shape, b"", object)
    if scores is None:
        scores = np.zeros(labels.shape, np.float32)
    if labels.shape[1] != scores.shape[1]:
        invalid(
            "Tensors class and score should match in dim_size(1). Got "
            f"{labels.shape[1]} vs. {scores.shape[1]}"
        )
    try:
        return [[label.decode() for label in row] for row in labels], scores
    except UnicodeDecodeError as error:
        invalid(f"A label is not UTF-8: {error}")


def regressions(results: Mapping[str, np.ndarray], count: int) -> np.ndarray:
    """Returns a value for each of `count` examples; raises InvalidArgumentError unless each has one float."""
    value = results[REGRESS_OUTPUTS]
    if value.ndim not in (1, 2) or value.shape[1:] not in ((), (1,)):
        invalid(
            "Expected output Tensor shape to be either [batch_size] or [batch_size, 1] but got "
            f"{_shape_text(value)}"
        )
    if len(value) != count:
        invalid(f"Input batch size did not match output batch size: {count} vs. {len(value)}")
    _check_dtype("output Tensor of DT_FLOAT.  Got", value, float32)
    return value.reshape(-1)


def _lacks(text: str) -> None:
    raise FailedPreconditionError(None, None, text)


def _check_dtype(expected: str, value: np.ndarray, expected_dtype: DType) -> None:
    if (dtype := as_dtype(value.dtype)) is not expected_dtype:
        invalid(f"Expected {expected}: {_enum(dtype)}")


def _enum(dtype: DType) -> str:
    return str(proto.DataType.Name(dtype.as_datatype_enum))


def _shape_text(value: np.ndarray) -> str:
    """Returns a shape as TensorFlow's C++ writes it."""
    return f"[{','.join(map(str, value.shape))}]"
