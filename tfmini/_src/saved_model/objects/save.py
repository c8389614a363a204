"""`tf.saved_model.save`: exports an object with the objects and functions reachable from it."""

from __future__ import annotations

import inspect
import os
from typing import Any

from tfmini._src.base import logs, proto
from tfmini._src.formats.atomic_write import atomic_write
from tfmini._src.formats.gfile_functions import makedirs
from tfmini._src.functions.concrete_function import ConcreteFunction
from tfmini._src.functions.tf_function import Function
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.saved_model.assets import copy_asset
from tfmini._src.saved_model.constants import SAVED_MODEL_SCHEMA_VERSION
from tfmini._src.saved_model.objects import revived_types
from tfmini._src.saved_model.objects.exported_graph import ExportedGraph
from tfmini._src.saved_model.objects.object_view import (
    SIGNATURES,
    CapturedConstant,
    NumberedObjects,
    ObjectView,
)
from tfmini._src.saved_model.objects.signatures import (
    canonical,
    check_attribute,
    find_default_signature,
    signature_map,
)
from tfmini._src.saved_model.saved_model_files import (
    assets_directory,
    message_path,
    variables_prefix,
)
from tfmini._src.saved_model.structured_value import encode, encode_arguments
from tfmini._src.train.object_checkpoint.object_saver import ObjectSaver
from tfmini._src.train.object_checkpoint.restore_status import default_session
from tfmini._src.variables.capturable_resource import CapturableResource, TrackableAsset
from tfmini._src.variables.resource_variable import is_resource_variable
from tfmini._src.variables.trackable import Trackable


def save(obj: Trackable, export_dir: str, signatures: object = None) -> None:
    """Exports an object to a directory, with all variables, tables, files and functions reachable from it.

    `tf.saved_model.load_v2` restores them without the original classes; sessions and servers run the
    signatures.

    Args:
      obj: a `tf.Module`, a Keras model or another trackable object.
      export_dir: the directory.
      signatures: functions to serve: a `tf.function` with an input signature, a concrete function, or a dict
        of these by key; by default the object's only function with a signature.

    Raises:
      ValueError: if the object is not trackable, or a function cannot be a signature.
      AssertionError: inside a `tf.function`, or if a function uses a variable that is not reachable from the
        object.

    Example:
      class Adder(tf.Module):
          @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
          def add(self, x):
              return x + 1.0

      tf.saved_model.save(Adder(), "/tmp/adder")
    """
    if not executing_eagerly() and get_default_graph().building_function:
        raise AssertionError(
            "tf.saved_model.save is not supported inside a traced @tf.function. Move the call to the outer "
            "eagerly-executed context."
        )
    if not isinstance(obj, Trackable):
        raise ValueError(f"Expected a Trackable object for export, got {obj}.")
    view = ObjectView(obj)
    served = canonical(find_default_signature(view) if signatures is None else signatures)
    check_attribute(view)
    view.add(obj, SIGNATURES, signature_map(served))
    NumberedObjects(view)  # traces functions that create variables on the first trace
    objects = NumberedObjects(view)
    exported = ExportedGraph(objects, served)
    prefix = variables_prefix(export_dir)
    makedirs(os.path.dirname(prefix))
    session = default_session(None)
    ObjectSaver(obj, view.children).save(prefix, session)
    if exported.asset_files:
        makedirs(assets_directory(export_dir))
    for name, path in exported.asset_files.items():
        copy_asset(path, os.path.join(assets_directory(export_dir), name))
    makedirs(assets_directory(export_dir))
    logs.info("Assets written to: %s", assets_directory(export_dir))
    message = proto.SavedModel(saved_model_schema_version=SAVED_MODEL_SCHEMA_VERSION)
    message.meta_graphs.add().CopyFrom(exported.meta_graph)
    _write_objects(objects, exported, message.meta_graphs[0].object_graph_def)
    with atomic_write(message_path(export_dir)) as file:
        file.write(message.SerializeToString())


def _write_objects(objects: NumberedObjects, exported: ExportedGraph, message: Any) -> None:
    """Writes the SavedObjectGraph."""
    view = objects.view
    for value in objects.nodes:
        result = message.nodes.add()
        if not isinstance(value, Function | ConcreteFunction | CapturedConstant):
            for name, child in view.children(value):
                result.children.add(node_id=objects.node_ids[id(child)], local_name=name)
            for name, function in view.functions(value).items():
                result.children.add(node_id=objects.node_ids[id(function)], local_name=name)
        _describe(value, result, objects, exported)
    for node in objects.objects:
        for name, owner, slot in node.slots:
            message.nodes[node.node_id].slot_variables.add(
                original_variable_node_id=owner.node_id,
                slot_name=name,
                slot_variable_node_id=slot.node_id,
            )
    for function in objects.concrete_functions:
        _describe_concrete(function, exported, message.concrete_functions[function.library_name])


def _describe(value: Any, message: Any, objects: NumberedObjects, exported: ExportedGraph) -> None:
    if isinstance(value, TrackableAsset):
        message.asset.asset_file_def_index = exported.asset_numbers[id(value)]
        message.asset.SetInParent()
    elif is_resource_variable(value):
        variable = message.variable
        variable.name = value.name.removesuffix(":0")
        variable.trainable = bool(value.trainable)
        variable.dtype = value.dtype.as_datatype_enum
        variable.synchronization = value.synchronization.value
        variable.aggregation = value.aggregation.value
        variable.shape.CopyFrom(value.shape.as_proto())
    elif isinstance(value, Function):
        names = [concrete.library_name for concrete in objects.traces(value)]
        message.function.concrete_functions.extend(names)
        _describe_arguments(value, message.function.function_spec)
    elif isinstance(value, ConcreteFunction):
        bare_function = message.bare_concrete_function
        bare_function.concrete_function_name = value.library_name
        bare_function.allowed_positional_arguments = value._num_positional_args
        bare_function.argument_keywords.extend(value._arg_keywords)
    elif isinstance(value, CapturedConstant):
        message.constant.operation = value.name
    elif isinstance(value, CapturableResource):
        message.resource.device = value._resource_device
        message.resource.SetInParent()
    else:
        message.user_object.CopyFrom(revived_types.describe_object(value))


def _describe_arguments(function: Function, message: Any) -> None:
    """Writes the FunctionSpec of a function, without the `self` of a method."""
    parameter_type = inspect.Parameter
    parameters = list(function.__signature__.parameters.values())
    positional_arguments = [
        p
        for p in parameters
        if p.kind in (parameter_type.POSITIONAL_ONLY, parameter_type.POSITIONAL_OR_KEYWORD)
    ]
    by_name = [p for p in parameters if p.kind is parameter_type.KEYWORD_ONLY]
    defaults = [p.default for p in positional_arguments if p.default is not parameter_type.empty]
    encode_arguments(
        [p.name for p in positional_arguments],
        defaults or None,
        message.fullargspec,
        varargs=next((p.name for p in parameters if p.kind is parameter_type.VAR_POSITIONAL), None),
        varkw=next((p.name for p in parameters if p.kind is parameter_type.VAR_KEYWORD), None),
        kwonlyargs=[p.name for p in by_name],
        kwonlydefaults={p.name: p.default for p in by_name if p.default is not parameter_type.empty}
        or None,
    )
    encode(function.input_signature, message.input_signature)


def _describe_concrete(function: ConcreteFunction, exported: ExportedGraph, message: Any) -> None:
    for tensor in function.captured_inputs:
        if tensor not in exported.captured:
            raise KeyError(
                f"Failed to add concrete function {function.library_name} to object based saved model as it captures "
                f"tensor {tensor!s} which is unsupported or not reachable from root. One reason could be that a "
                "stateful object or a variable that the function depends on is not assigned to an attribute of the "
                "serialized trackable object (see SaveTest.test_captures_unreachable_variable)."
            )
        message.bound_inputs.append(exported.captured[tensor])
    encode(function.structured_input_signature, message.canonicalized_input_signature)
    encode(function.structured_outputs_signature, message.output_signature)
