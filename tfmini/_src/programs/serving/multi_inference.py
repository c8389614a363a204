"""MultiInference: signatures that classify or regress the same examples, run as one step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.errors import UnimplementedError, invalid
from tfmini._src.programs.serving.served_model import Arrays, ServedModel, ServedSignature
from tfmini._src.saved_model.signature_constants import (
    CLASSIFY_INPUTS,
    CLASSIFY_METHOD_NAME,
    DEFAULT_SERVING_SIGNATURE_DEF_KEY,
    REGRESS_METHOD_NAME,
)


def task_signatures(model: ServedModel, tasks: Sequence[Any]) -> list[ServedSignature]:
    """Returns the signature of each InferenceTask.

    Raises:
      OpError: for tasks of different models, duplicate signatures, a missing signature or one with another method, or a
        method other than classification and regression.
    """
    signatures_by_task: dict[str, ServedSignature] = {}
    for task in tasks:
        if not task.model_spec.name:
            invalid("Found ModelSpec with an empty model name.")
        if task.model_spec.name != tasks[0].model_spec.name:
            invalid("All ModelSpecs in a MultiInferenceRequest must access the same model name.")
        key = task.model_spec.signature_name or DEFAULT_SERVING_SIGNATURE_DEF_KEY
        if key in signatures_by_task:
            invalid(f"Duplicate evaluation of signature: {key}")
        if key not in model.signatures:
            invalid(f"Requested signature not found in model graph: {key}")
        if task.method_name not in (CLASSIFY_METHOD_NAME, REGRESS_METHOD_NAME):
            text = f"Unsupported signature method_name: {task.method_name}"
            raise UnimplementedError(None, None, text)
        signatures_by_task[key] = model.signature(key, task.method_name)
    return list(signatures_by_task.values())


def join_signatures(model: ServedModel, signatures: Sequence[ServedSignature]) -> ServedSignature:
    """Returns a signature with the outputs of all of these; raises InvalidArgumentError if their inputs differ."""
    inputs = [signature.message.inputs[CLASSIFY_INPUTS] for signature in signatures]
    if len({info.name for info in inputs}) > 1:
        invalid("Input tensor must be the same for all Signatures.")
    return model.join_signatures(signatures)


def parts(signatures: Sequence[ServedSignature], results: Arrays) -> list[Arrays]:
    """Splits combined outputs into the outputs of each signature."""
    return [
        {output: results[signature.joint_name(output)] for output in signature.message.outputs}
        for signature in signatures
    ]
