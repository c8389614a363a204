"""Export signatures from head outputs, and names of export directories."""

from __future__ import annotations

import os
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.contrib.learn.model_fn import PredictionKey, ProblemType
from tfmini._src.contrib.learn.serving_input_fn import InputFnOps
from tfmini._src.models.estimator.export.export_saved_model import timestamped_directory
from tfmini._src.saved_model.signature_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY
from tfmini._src.saved_model.signature_def_utils import (
    classification_signature_def,
    predict_signature_def,
    regression_signature_def,
)

_ADVICE = "Switch to tf.estimator.Exporter and associated utilities."
DEFAULT_INPUT_ALTERNATIVE_KEY = "default_input_alternative"
_DEFAULT_OUTPUT = "default_output_alternative"


@deprecated(None, _ADVICE)
def build_standardized_signature_def(
    input_tensors: dict, output_tensors: dict, problem_type: Any
) -> Any:
    """Returns the SignatureDef of a head: classification or regression for a single input, else prediction.

    Args:
      input_tensors, output_tensors: dicts from name to tensor.
      problem_type: a `tf.contrib.learn.ProblemType`.

    Raises:
      ValueError: if a dict is empty.
    """
    if not input_tensors:
        raise ValueError("input_tensors must be provided.")
    if not output_tensors:
        raise ValueError("output_tensors must be provided.")
    (first, *more_inputs) = input_tensors.values()
    is_classification = problem_type in (
        ProblemType.CLASSIFICATION,
        ProblemType.LOGISTIC_REGRESSION,
    )
    classes, scores = class_names(output_tensors), class_scores(output_tensors)
    is_one = len(output_tensors) == 1
    if (
        is_classification
        and not more_inputs
        and (classes is not None or scores is not None or is_one)
    ):
        if classes is None and scores is None:
            (output_tensor,) = output_tensors.values()
            classes, scores = (
                (output_tensor, None)
                if output_tensor.dtype == dtypes.string
                else (None, output_tensor)
            )
        return classification_signature_def(first, classes, scores)
    if problem_type == ProblemType.LINEAR_REGRESSION and not more_inputs and is_one:
        return regression_signature_def(first, next(iter(output_tensors.values())))
    return predict_signature_def(input_tensors, output_tensors)


def class_scores(outputs: dict) -> Any:
    """Returns the class scores among outputs, or else the probabilities; None if there are neither."""
    scores = outputs.get(PredictionKey.SCORES)
    return outputs.get(PredictionKey.PROBABILITIES) if scores is None else scores


def class_names(outputs: dict) -> Any:
    """Returns the class names among outputs, or None unless they are strings, as servers require."""
    classes = outputs.get(PredictionKey.CLASSES)
    return None if classes is not None and classes.dtype != dtypes.string else classes


@deprecated(None, _ADVICE)
def get_input_alternatives(input_ops: Any) -> tuple[dict, Any]:
    """Returns the inputs of an export by name, and its features, from a serving input function's result.

    Raises:
      ValueError: if there are no features.
    """
    alternatives = {}
    if isinstance(input_ops, InputFnOps):
        features, _, inputs = input_ops
        alternatives[DEFAULT_INPUT_ALTERNATIVE_KEY] = inputs
    else:
        features, _ = input_ops
    if not features:
        raise ValueError("Features must be defined.")
    return alternatives, features


@deprecated(None, _ADVICE)
def get_output_alternatives(
    model_fn_ops: Any, default_output_alternative_key: str | None = None
) -> tuple[dict, str]:
    """Returns the outputs of a model by head name, and the name of the default one.

    Args:
      model_fn_ops: a ModelFnOps.
      default_output_alternative_key: name of the default head; optional for single-head models.

    Raises:
      ValueError: for an unknown head, or several heads without a default.
    """
    outputs, expected = model_fn_ops.output_alternatives, default_output_alternative_key
    if not outputs:
        if expected:
            raise ValueError(
                f"Requested default_output_alternative: {expected}, but available output_alternatives are: []"
            )
        actual = model_fn_ops.predictions
        predictions = actual if isinstance(actual, dict) else {PredictionKey.GENERIC: actual}
        return {_DEFAULT_OUTPUT: (ProblemType.UNSPECIFIED, predictions)}, _DEFAULT_OUTPUT
    if expected:
        if expected in outputs:
            return outputs, expected
        raise ValueError(
            f"Requested default_output_alternative: {expected}, but available output_alternatives are: "
            f"{sorted(outputs)}"
        )
    if len(outputs) == 1:
        return outputs, next(iter(outputs))
    raise ValueError(
        "Please specify a default_output_alternative.  "
        f"Available output_alternatives are: {sorted(outputs)}"
    )


@deprecated(None, _ADVICE)
def build_all_signature_defs(
    input_alternatives: dict, output_alternatives: dict, actual_default_output_alternative_key: str
) -> dict[str, Any]:
    """Returns a SignatureDef "INPUT:OUTPUT" for each pair of an input and an output, plus the default serving one.

    Raises:
      ValueError: if there is no default input.
    """
    signatures = {
        f"{input_name}:{output_name or 'None'}": build_standardized_signature_def(
            inputs, outputs, problem
        )
        for input_name, inputs in input_alternatives.items()
        for output_name, (problem, outputs) in output_alternatives.items()
    }
    inputs = input_alternatives.get(DEFAULT_INPUT_ALTERNATIVE_KEY)
    if not inputs:
        raise ValueError("A default input_alternative must be provided.")
    problem, outputs = output_alternatives[actual_default_output_alternative_key]
    signatures[DEFAULT_SERVING_SIGNATURE_DEF_KEY] = build_standardized_signature_def(
        inputs, outputs, problem
    )
    return signatures


@deprecated(None, _ADVICE)
def get_timestamped_export_dir(export_dir_base: Any) -> bytes:
    """Returns the path of a new subdirectory named by its Unix timestamp.

    Raises:
      RuntimeError: if ten consecutive timestamps are taken.
    """
    return timestamped_directory(export_dir_base, "Export directory")


@deprecated(None, _ADVICE)
def get_temp_export_dir(timestamped_export_dir: Any) -> bytes:
    """Returns the path of a sibling directory prefixed "temp-", to which exports are written first."""
    directory, name = os.path.split(os.fsencode(timestamped_export_dir))
    return os.path.join(directory, b"temp-" + name)
