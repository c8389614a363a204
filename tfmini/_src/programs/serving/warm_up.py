"""Warm-up requests, run before a version is available, so that no client waits for plan compilation."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from tfmini._src.base import logs, proto
from tfmini._src.base.errors import DataLossError, invalid
from tfmini._src.formats.record_reader_writer import RecordReader
from tfmini._src.programs.serving import multi_inference, tensor_messages
from tfmini._src.programs.serving.messages import MESSAGES
from tfmini._src.programs.serving.served_model import ServedModel
from tfmini._src.saved_model.signature_constants import CLASSIFY_METHOD_NAME, REGRESS_METHOD_NAME

_PLACE = "assets.extra", "tf_serving_warmup_requests"
_MAX_RECORDS = 1000
_MAX_BYTES = 1 << 31  # maximum bytes of an input
_MAX_SHOWN = 200  # maximum bytes of a record in a message
_METHODS = {
    CLASSIFY_METHOD_NAME: tensor_messages.classify,
    REGRESS_METHOD_NAME: tensor_messages.regress,
}
_RESULTS = {CLASSIFY_METHOD_NAME: "ClassificationResult", REGRESS_METHOD_NAME: "RegressionResult"}


def warm_up(model: ServedModel, directory: str) -> None:
    """Runs the PredictionLogs in a SavedModel's TFRecord file for TensorFlow Serving, if present.

    Raises:
      OpError: if the file is damaged or has more than 1000 records, or if a request fails.
    """
    path = os.path.join(directory, *_PLACE)
    if not os.path.exists(path):
        return
    count = 0
    for count, record in enumerate(_iterate_records(path), 1):
        if count > _MAX_RECORDS:
            invalid(f"Number of warmup records exceeeds the maximum ({_MAX_RECORDS}) at {path}")
        try:
            log = MESSAGES["PredictionLog"].FromString(record)
        except proto.DecodeError:
            invalid(f"Failed to parse warmup record: {record[:_MAX_SHOWN]!r} from {path}")
        _replay_request(model, log)
    logs.info("Ran %d warm-up requests of %s", count, path)


def _iterate_records(path: str) -> Iterator[bytes]:
    """Yields the records of a file; raises DataLossError if it is damaged."""
    count, error_text = 0, ""
    with RecordReader(path) as records:
        try:
            for record in records:
                yield record
                count += 1
        except DataLossError as error:
            error_text = error.message
    if records.trailing:
        error_text = f"truncated record after {count} records of {path}"
    if error_text:
        text = f"{error_text}. Please verify your warmup data is in TFRecord format."
        raise DataLossError(None, None, text)


def _replay_request(model: ServedModel, log: Any) -> None:
    if log.HasField("predict_log"):
        _predict(model, log.predict_log.request)
    elif log.HasField("classify_log"):
        _warm_up_examples(model, log.classify_log.request, CLASSIFY_METHOD_NAME)
    elif log.HasField("regress_log"):
        _warm_up_examples(model, log.regress_log.request, REGRESS_METHOD_NAME)
    elif log.HasField("multi_inference_log"):
        _warm_up_tasks(model, log.multi_inference_log.request)
    elif log.HasField("session_run_log"):
        request = log.session_run_log.request
        feeds = {
            feed.name: tensor_messages.decode_tensor(feed.name, feed.tensor, _MAX_BYTES)
            for feed in request.feed
        }
        model.run_nodes(feeds, [*request.fetch, *request.target])


def _predict(model: ServedModel, request: Any) -> None:
    signature = model.signature(request.model_spec.signature_name)
    outputs = signature.checked_outputs(tuple(request.output_filter))
    inputs = tensor_messages.decode_inputs(request, _MAX_BYTES)
    signature.check_inputs(inputs)
    signature.run(inputs, outputs)


def _warm_up_examples(model: ServedModel, request: Any, method: str) -> None:
    signature = model.signature(request.model_spec.signature_name, method)
    examples = tensor_messages.decode_examples(request.input)
    results = signature.run(signature.example_inputs(examples), signature.checked_outputs(()))
    _METHODS[method](MESSAGES[_RESULTS[method]](), results, len(examples))


def _warm_up_tasks(model: ServedModel, request: Any) -> None:
    signatures = multi_inference.task_signatures(model, request.tasks)
    if not signatures:
        invalid("A MultiInferenceRequest requires a task")
    joint = multi_inference.join_signatures(model, signatures)
    inputs = joint.example_inputs(tensor_messages.decode_examples(request.input))
    joint.run(inputs, joint.checked_outputs(()))
