"""Writes SavedModels of an Estimator: one graph per mode, with shared variables.

The export is atomic: the directory is renamed once complete.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.errors import NotFoundError
from tfmini._src.formats.gfile_functions import copy, exists, makedirs, rename
from tfmini._src.graph.collections import add_to_collection, get_collection
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.models.estimator.export.export_output import SupervisedOutput, outputs_to_export
from tfmini._src.models.estimator.export.mode_graph import EXPORT_TAG_MAP, SIGNATURE_KEY_MAP
from tfmini._src.models.estimator.mode_keys import ModeKeys
from tfmini._src.saved_model import signature_constants as constants
from tfmini._src.saved_model.builder import SavedModelBuilder
from tfmini._src.saved_model.constants import TRAIN_OP_KEY
from tfmini._src.saved_model.signature_def_utils import is_valid_signature
from tfmini._src.session.session import Session
from tfmini._src.train.checkpoints.saver import Saver
from tfmini._src.train.monitored.scaffold import Scaffold

_ATTEMPTS = 10  # attempts to find an unused directory name
_TRAIN = "tensorflow/supervised/training"
_EVAL = "tensorflow/supervised/eval"
_METHODS = {
    constants.CLASSIFY_METHOD_NAME: "Classify",
    constants.REGRESS_METHOD_NAME: "Regress",
    constants.PREDICT_METHOD_NAME: "Predict",
    _TRAIN: "Train",
    _EVAL: "Eval",
}


def timestamped_directory(base: Any, role: str = "Directory") -> bytes:
    """Returns a new path below `base`, named after the Unix time in seconds; `role` is its name in warnings."""
    if not isinstance(base, str | bytes | os.PathLike):
        raise TypeError(f"Expected binary or unicode string, got {base!r}")
    for attempt in range(_ATTEMPTS):
        path = os.path.join(os.fsencode(base), str(int(time.time())).encode())
        if not exists(path):
            return path
        time.sleep(1)
        logs.warning(
            "%s %s already exists; retrying (attempt %d/%d)", role, path, attempt + 1, _ATTEMPTS
        )
    raise RuntimeError(
        f"Failed to obtain a unique export directory name after {_ATTEMPTS} attempts."
    )


def export_all(
    base: Any,
    functions: dict[str, Callable],
    build: Callable[[str, Graph, Callable], tuple[Any, Any]],
    checkpoint: str,
    session_config: Any,
    extra: dict[str, str],
    as_text: bool,
    strip_default_attrs: bool,
) -> bytes:
    """Writes a SavedModel.

    Args:
      base: parent directory.
      functions: receiver functions by mode.
      build: function that builds a mode's model and returns (receiver, EstimatorSpec).
      checkpoint: the prefix of the checkpoint.
      session_config: ConfigProto of the restoring sessions.
      extra: source files by destination name in "assets.extra".
      as_text: whether to write text instead of binary protos.
      strip_default_attrs: whether to omit attrs with default values.

    Returns:
      The path of the directory.
    """
    path = timestamped_directory(base)
    directory, name = os.path.split(path)
    unfinished = os.path.join(directory, b"temp-" + name)
    builder = SavedModelBuilder(os.fsdecode(unfinished))
    saved = False
    # Training first: its variables match the checkpoint.
    for mode in (ModeKeys.TRAIN, ModeKeys.EVAL, ModeKeys.PREDICT):
        if functions.get(mode):
            with Graph().as_default() as graph:
                receiver, spec = build(mode, graph, functions[mode])
                options = {
                    "tags": EXPORT_TAG_MAP[mode],
                    "signature_def_map": _signatures(mode, receiver, spec),
                    "assets_collection": get_collection(GraphKeys.ASSET_FILEPATHS),
                    "strip_default_attrs": strip_default_attrs,
                }
                _add_meta_graph(builder, mode, spec, checkpoint, session_config, options, not saved)
            saved = True
    if not saved:
        raise ValueError(f"No valid modes for exporting found. Got {functions.keys()}.")
    builder.save(as_text)
    for target, source in extra.items():
        destination = os.path.join(unfinished, b"assets.extra", os.fsencode(target))
        makedirs(os.path.dirname(destination))
        copy(source, destination)
    rename(unfinished, path)
    return path


def _add_meta_graph(
    builder: SavedModelBuilder,
    mode: str,
    spec: Any,
    checkpoint: str,
    session_config: Any,
    options: dict[str, Any],
    saves: bool,
) -> None:
    """Adds a graph, with the variable values if it is the first."""
    with Session(config=session_config) as session:
        main_op = spec.scaffold.local_init_op
        if main_op is None:
            main_op = Scaffold.default_local_init_op()
        saver = spec.scaffold.saver or Saver(sharded=True)
        try:
            saver.restore(session, checkpoint)
        except NotFoundError as error:
            raise ValueError(
                "Could not load all requested variables from checkpoint. Please make sure your model_fn does not "
                "expect variables that were not saved in the checkpoint.\n\nEncountered error with mode "
                f"`{mode}` while restoring checkpoint from: `{checkpoint}`. Full Traceback:\n\n{error}"
            ) from error
        if spec.train_op is not None:
            add_to_collection(TRAIN_OP_KEY, spec.train_op)
        if saves:
            builder.add_meta_graph_and_variables(session, main_op=main_op, saver=saver, **options)
        else:
            builder.add_meta_graph(main_op=main_op, saver=saver, **options)


def _signatures(mode: str, receiver: Any, spec: Any) -> dict[str, Any]:
    """Returns the signatures of a mode: the receiver's own, or one per combination of output and receiver tensors."""
    if hasattr(receiver, "signatures"):
        return receiver.signatures
    if mode == ModeKeys.PREDICT:
        outputs: dict[str, Any] = outputs_to_export(spec.export_outputs, spec.predictions)
    else:
        method, key = _TRAIN if mode == ModeKeys.TRAIN else _EVAL, SIGNATURE_KEY_MAP[mode]
        output = SupervisedOutput(method, spec.loss, spec.predictions, spec.eval_metric_ops)
        outputs = {key: output}
    signatures, rejected = {}, {}
    alternatives = getattr(receiver, "receiver_tensors_alternatives", None) or {}
    for prefix, tensors in (
        ("", receiver.receiver_tensors),
        *((f"{n or None}:", t) for n, t in alternatives.items()),
    ):
        for key, output in outputs.items():
            name = f"{prefix}{key or 'None'}"
            try:
                signatures[name] = output.as_signature_def(tensors)
            except ValueError as error:
                rejected[name] = str(error)
    report_signatures(signatures, rejected)
    if mode != ModeKeys.PREDICT:
        return signatures
    return {
        name: signature for name, signature in signatures.items() if is_valid_signature(signature)
    }


def report_signatures(signatures: dict[str, Any], rejected: dict[str, str]) -> None:
    """Logs the signatures of each method, and the rejected signatures with the reasons."""
    names_by_method: dict[str, list[str]] = {method: [] for method in _METHODS}
    for name, signature in signatures.items():
        names_by_method.setdefault(signature.method_name, []).append(name)
    for method, names in names_by_method.items():
        title = _METHODS.get(method, method)
        logs.info("Signatures INCLUDED in export for %s: %s", title, names or "None")
    if rejected:
        logs.info(
            "Signatures EXCLUDED from export because they cannot be be served via TensorFlow Serving APIs:"
        )
        for name, reason in rejected.items():
            logs.info("'%s' : %s", name, reason)
    if not signatures:
        logs.warning("Export includes no signatures!")
    elif constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY not in signatures:
        logs.warning("Export includes no default signature!")
