"""`model.save(folder, save_format="tf")`: a SavedModel that can be served, and reloaded as a model."""

from __future__ import annotations

import json
import os
import shutil
from typing import Any

from tfmini._src.base.nest.structure import flatten
from tfmini._src.formats.schemes import local_path
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graphdef.import_graph_def import import_graph_def
from tfmini._src.models.keras.engine.clone_model import copy_of
from tfmini._src.models.keras.engine.model_io import may_write
from tfmini._src.models.keras.saved_model_load.revived_model import revived_model
from tfmini._src.models.keras.saved_model_load.saved_objects import MODEL, SEQUENTIAL, add_objects
from tfmini._src.models.keras.saving import training_config
from tfmini._src.models.keras.saving.weights_checkpoint import save_weights
from tfmini._src.nn.layers.backend.learning_phase import learning_phase_scope
from tfmini._src.nn.layers.serialization.layer_registry import deserialize_layer
from tfmini._src.saved_model.builder import SavedModelBuilder
from tfmini._src.saved_model.constants import ASSETS_DIRECTORY, VARIABLES_DIRECTORY
from tfmini._src.saved_model.graph_util.extract_sub_graph import extract_sub_graph
from tfmini._src.saved_model.saved_model_files import (
    message_path,
    read_saved_model,
    variables_prefix,
)
from tfmini._src.saved_model.signature_def_utils import predict_signature_def
from tfmini._src.session.session import Session
from tfmini._src.train.checkpoints.saver import Saver
from tfmini._src.train.meta_graph.write_graph import make_folders
from tfmini._src.train.object_checkpoint.object_graph import message_of, walked
from tfmini._src.variables.collections import _from_proto as variable_of


def write_folder(model: Any, folder: str, overwrite: bool, include_optimizer: bool) -> None:
    """Writes a model into a folder, as `model.save` describes."""
    if not overwrite and os.path.exists(local_path(folder)) and not may_write(folder):
        return
    if not model._is_graph_network:
        if not model.inputs:
            raise ValueError(
                f"Model {model} cannot be saved because the input shapes have not been set. Usually, input shapes are "
                "automatically determined from calling .fit() or .predict(). To manually set the shapes, call "
                "model._set_inputs(inputs)."
            )
    described = _described(model, include_optimizer)
    _clear(folder)
    builder = SavedModelBuilder(folder)
    builder._has_variables = True  # the model's own checkpoint has them
    prefix = variables_prefix(folder)
    make_folders(os.path.dirname(prefix))
    if model._is_graph_network and described["config"] is not None:
        with Graph().as_default(), learning_phase_scope(0), Session().as_default():
            _add(builder, copy_of(model))
    else:
        _add_as_it_is(builder, model)
    optimizer = model.optimizer
    if not include_optimizer:
        model.optimizer = None
        model._untrack("optimizer")
    try:
        extend = add_objects(builder._message.meta_graphs[0], model, described)
        save_weights(model, prefix, extend)
    finally:
        model.optimizer = optimizer
        if optimizer is not None:
            model._track_trackable(optimizer, "optimizer", overwrite=True)
    builder.save()
    make_folders(os.path.join(folder, ASSETS_DIRECTORY))


def _add(builder: SavedModelBuilder, made: Any) -> None:
    signature = predict_signature_def(
        dict(zip(made.input_names, made.inputs)), dict(zip(made.output_names, made.outputs))
    )
    builder.add_meta_graph(
        ["serve"],
        signature_def_map={"serving_default": signature},
        saver=Saver(message_of(walked(made))[1], allow_empty=True),
    )


def _add_as_it_is(builder: SavedModelBuilder, model: Any) -> None:
    """Adds the model's own subgraph from inputs to outputs, the only trace of a custom `call`."""
    inputs, outputs = flatten(model.inputs), flatten(model.outputs)
    held = {id(variable) for variable in model.weights}
    kept = {
        f"{node.path}/.ATTRIBUTES/VARIABLE_VALUE": node.value.to_proto()
        for node in walked(model)
        if id(node.value) in held
    }
    wanted = [tensor.op.name for tensor in (*inputs, *outputs)]
    for each in kept.values():
        names = each.variable_name, each.initializer_name, each.snapshot_name
        wanted += map(_node, (*names, each.initial_value_name))
    part = extract_sub_graph(outputs[0].graph.as_graph_def(), wanted)
    with Graph().as_default() as graph, Session().as_default():
        import_graph_def(part, name="")
        variables = {key: variable_of(each) for key, each in kept.items()}

        def here(names: list, tensors: list) -> dict:
            found = (graph.get_tensor_by_name(tensor.name) for tensor in tensors)
            return dict(zip(names, found))

        signature = predict_signature_def(
            here(model.input_names, inputs), here(model.output_names, outputs)
        )
        builder.add_meta_graph(
            ["serve"],
            signature_def_map={"serving_default": signature},
            saver=Saver(variables, allow_empty=True),
        )


def _node(name: str) -> str:
    return name.partition(":")[0]


def _described(model: Any, include_optimizer: bool) -> dict[str, Any]:
    """Metadata of the root object: the model's class, configuration and compile arguments."""
    metadata = training_config.metadata(model, include_optimizer, asks_config=False)
    return {
        "class_name": type(model).__name__,
        "name": model.name,
        "trainable": model.trainable,
        "expects_training_arg": True,
        "dtype": None,
        "batch_input_shape": None,
        "config": metadata["model_config"].get("config"),
        **metadata,
    }


def _clear(folder: str) -> None:
    """Takes an older SavedModel out of a folder."""
    for as_text in (False, True):
        path = local_path(message_path(folder, as_text))
        if os.path.exists(path):
            os.remove(path)
            for name in (VARIABLES_DIRECTORY, ASSETS_DIRECTORY):
                shutil.rmtree(os.path.join(local_path(folder), name), ignore_errors=True)


def read_folder(folder: str, custom_objects: Any, compile: bool) -> Any:
    """The model in a folder with its weights, compiled if `compile`; its optimizer starts anew.

    Where classes of the program's own are not given, TensorFlow's folders have functions that compute what they did.

    Args:
      folder: what `model.save(folder, save_format="tf")` has written, here or in TensorFlow 1.15.
      custom_objects: a dict from names to classes and functions that are not Keras's own.
      compile: whether to compile it.

    Raises:
      OSError: if there is no SavedModel.
      ValueError: if there is none of a model that can be made again.
    """
    message = read_saved_model(folder)
    described = _root(message)
    config = described.get("model_config") or {
        "class_name": described.get("class_name"),
        "config": described.get("config"),
    }
    model = None if not config.get("config") else _of_classes(config, custom_objects)
    if model is None:
        model = revived_model(message.meta_graphs[0]) if described else None
    if model is None and config.get("config"):
        model = deserialize_layer(config, custom_objects)  # raises for an unknown class
    if model is None:
        raise ValueError(
            f"The SavedModel in {folder} does not describe a functional or a Sequential model. "
            "tf.saved_model.load gives its signatures."
        )
    model.load_weights(variables_prefix(folder)).expect_partial()  # the optimizer starts anew
    trained = described.get("training_config")
    if compile and trained is not None:
        model.compile(**training_config.compile_arguments(trained, custom_objects))
    return model


def _of_classes(config: dict[str, Any], custom_objects: Any) -> Any:
    """The model rebuilt from its classes; None if any of them is missing."""
    try:
        return deserialize_layer(config, custom_objects)
    except ValueError as error:
        if str(error).startswith("Unknown layer"):
            return None
        raise


def _root(message: Any) -> dict[str, Any]:
    nodes = message.meta_graphs[0].object_graph_def.nodes if message.meta_graphs else []
    if not nodes or nodes[0].user_object.identifier not in (SEQUENTIAL, MODEL):
        return {}
    return json.loads(nodes[0].user_object.metadata)
