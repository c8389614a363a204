"""Exports models to SavedModels: one graph per mode (train, evaluate, predict), weights, and JSON."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from tfmini._src.base import logs
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.nest.structure import map_structure
from tfmini._src.formats.gfile import FileIO
from tfmini._src.formats.gfile_functions import makedirs
from tfmini._src.graph.collections import add_to_collection, get_collection, get_collection_ref
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.models.estimator.export.export_output import PredictOutput, SupervisedOutput
from tfmini._src.models.estimator.export.export_saved_model import report_signatures
from tfmini._src.models.estimator.export.mode_graph import EXPORT_TAG_MAP, SIGNATURE_KEY_MAP
from tfmini._src.models.estimator.mode_keys import KerasModeKeys
from tfmini._src.models.keras.engine.clone_model import copy_model
from tfmini._src.models.keras.engine.model_functions import trace_model_call
from tfmini._src.models.keras.engine.sequential import Sequential
from tfmini._src.models.keras.export.compiled_copy import compile_copy, optimizer_config
from tfmini._src.models.keras.models import model_from_json
from tfmini._src.nn.layers.backend.learning_phase import learning_phase_scope
from tfmini._src.ops import ops
from tfmini._src.saved_model.builder import SavedModelBuilder
from tfmini._src.saved_model.constants import TRAIN_OP_KEY
from tfmini._src.saved_model.objects.save import save
from tfmini._src.session.session import Session
from tfmini._src.train.checkpoints.saver import Saver
from tfmini._src.train.object_checkpoint.object_graph import object_graph_message, walk
from tfmini._src.variables.collections import local_variables_initializer

if TYPE_CHECKING:
    from tfmini._src.models.keras.engine.model import Model


_SERVE, _TRAIN, _EVAL = KerasModeKeys.PREDICT, KerasModeKeys.TRAIN, KerasModeKeys.TEST
_METHODS = {_TRAIN: "tensorflow/supervised/training", _EVAL: "tensorflow/supervised/eval"}
_INSTEAD = 'Please use `model.save(..., save_format="tf")` or `tf.keras.models.save_model(..., save_format="tf")`.'


@deprecated(None, _INSTEAD)
def export_saved_model(
    model: Model,
    saved_model_path: str,
    custom_objects: dict[str, Any] | None = None,
    as_text: bool = False,
    input_signature: object = None,
    serving_only: bool = False,
) -> None:
    """Exports a SavedModel, readable by `load_from_saved_model`, `tf.saved_model.load` and servers.

    Args:
      model: a functional or Sequential model with weights; if compiled, also exports graphs for training and
        evaluation.
      saved_model_path: a new or empty directory.
      custom_objects: custom classes and functions by name.
      as_text: whether to write text instead of binary protos.
      input_signature: TensorSpecs of the inputs, by default the model's.
      serving_only: whether to export only the prediction graph.

    Raises:
      AssertionError: if the directory is not empty.
      NotImplementedError: for a subclassed model, unless `serving_only`.
      ValueError: for a Sequential model without weights.

    Example:
      tf.keras.experimental.export_saved_model(model, "exported")
      again = tf.keras.experimental.load_from_saved_model("exported")
    """
    if not model._is_graph_network:
        if isinstance(model, Sequential) and not model.built:
            raise ValueError(
                "Weights for sequential model have not yet been created. Weights are created when the Model is first "
                "called on inputs or `build()` is called with an `input_shape`, or the first layer in the model has "
                "`input_shape` during construction."
            )
        if not (isinstance(model, Sequential) or serving_only):
            raise NotImplementedError(
                "Subclassed models can only be exported for serving. Please set argument serving_only=True."
            )
    if serving_only:
        save(model, saved_model_path, trace_model_call(model, input_signature))
    else:
        _save_modes(model, saved_model_path, custom_objects, as_text, input_signature)
    try:
        description = model.to_json()
    except NotImplementedError:
        logs.warning(
            "Skipped saving model JSON, subclassed model does not have get_config() defined."
        )
        return
    assets = os.path.join(saved_model_path, "assets")
    makedirs(assets)
    with FileIO(os.path.join(assets, "saved_model.json"), "w") as file:
        file.write(description)


def _save_modes(
    model: Any, saved_model_path: str, custom_objects: Any, as_text: bool, input_signature: Any
) -> None:
    """Writes one graph per mode."""
    builder = SavedModelBuilder(saved_model_path)
    prefix = os.path.join(saved_model_path, "variables", "variables")
    makedirs(os.path.dirname(prefix))
    model.save_weights(prefix, save_format="tf", overwrite=True)
    modes = [_TRAIN, _EVAL, _SERVE] if model.optimizer else [_SERVE]
    config = optimizer_config(model) if len(modes) > 1 else None
    builder._has_variables = True
    for mode in modes:
        with Graph().as_default(), learning_phase_scope(int(mode == _TRAIN)):
            inputs = None
            if input_signature is not None:
                inputs = map_structure(_placeholder, input_signature)
            copy = copy_model(model, inputs, custom_objects)
            if mode != _SERVE:
                compile_copy(copy, model, config, custom_objects=custom_objects)
            _add_mode(builder, mode, copy, prefix, rewrite=mode == modes[0])
    builder.save(as_text)


def _placeholder(spec: Any) -> Any:
    return ops.placeholder(spec.dtype, shape=spec.shape, name=spec.name)


def _add_mode(builder: Any, mode: str, model: Any, prefix: str, rewrite: bool) -> None:
    """Adds the graph of a mode; the first graph also saves all variables, including the optimizer's."""
    if mode == _SERVE:
        model._make_predict_function()
    else:
        add_to_collection(GraphKeys.GLOBAL_STEP, model.optimizer.iterations)
        model._make_train_function() if mode == _TRAIN else model._make_test_function()
    if mode == _TRAIN:
        add_to_collection(TRAIN_OP_KEY, model.train_function.updates_op)
    get_collection_ref(GraphKeys.UPDATE_OPS).extend(model.state_updates)
    with Session().as_default():
        model.load_weights(prefix)
        if rewrite:
            model.save_weights(prefix, save_format="tf", overwrite=True)
        signatures = {SIGNATURE_KEY_MAP[mode]: _signature(model, mode)}
        report_signatures(signatures, {})
        builder.add_meta_graph(
            EXPORT_TAG_MAP[mode],
            signature_def_map=signatures,
            main_op=local_variables_initializer(),
            saver=Saver(object_graph_message(walk(model))[1], allow_empty=True),
        )


def _signature(model: Any, mode: str) -> Any:
    inputs = dict(zip(model.input_names, model.inputs))
    outputs = dict(zip(model.output_names, model.outputs))
    if mode == _SERVE:
        return PredictOutput(outputs).as_signature_def(inputs)
    for target in model._feed_targets:
        inputs[target.op.name] = target
    metrics = {m.name: (m.result(), m.updates[0]) for m in model._compile_metric_functions}
    local = get_collection(GraphKeys.LOCAL_VARIABLES)
    for metric in model._compile_metric_functions:
        for variable in metric.variables:
            if not any(variable is other for other in local):
                add_to_collection(GraphKeys.LOCAL_VARIABLES, variable)
    output = SupervisedOutput(_METHODS[mode], model.total_loss, outputs, metrics or None)
    return output.as_signature_def(inputs)


@deprecated(
    None,
    "The experimental save and load functions have been  deprecated. Please switch to "
    "`tf.keras.models.load_model`.",
)
def load_from_saved_model(
    saved_model_path: str, custom_objects: dict[str, Any] | None = None
) -> Any:
    """Loads a model and its weights, without compiling it, from a directory written by `export_saved_model`.

    Args:
      saved_model_path: the directory.
      custom_objects: custom classes and functions by name.

    Raises:
      NotFoundError: if the directory does not exist.
    """
    directory = os.fsdecode(saved_model_path)
    with FileIO(os.path.join(directory, "assets", "saved_model.json"), "r") as file:
        model = model_from_json(file.read(), custom_objects)
    model.load_weights(os.path.join(directory, "variables", "variables"))
    return model
