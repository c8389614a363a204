"""The graph of an object-based SavedModel, which sessions and servers use through its signatures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base import dtypes, proto
from tfmini._src.functions.concrete_function import ConcreteFunction
from tfmini._src.functions.tf_function import Function
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.scopes import control_dependencies, device
from tfmini._src.graph.shape_inference import constant_value
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.saved_model.assets import free_name
from tfmini._src.saved_model.constants import INIT_OP_SIGNATURE_KEY, MAIN_OP_KEY
from tfmini._src.saved_model.objects.object_view import CapturedConstant, NumberedObjects
from tfmini._src.saved_model.signature_constants import PREDICT_METHOD_NAME
from tfmini._src.saved_model.signature_def_utils import build_signature_def, op_signature_def
from tfmini._src.saved_model.tensor_info import tensor_info
from tfmini._src.train.checkpoints.device_saver import DeviceSaver
from tfmini._src.train.checkpoints.saveables import to_saveables
from tfmini._src.train.meta_graph.export_meta_graph import create_meta_graph_def
from tfmini._src.train.object_checkpoint.object_graph import escape
from tfmini._src.variables.capturable_resource import CapturableResource, TrackableAsset
from tfmini._src.variables.resource_variable import (
    ResourceVariable,
    is_resource_variable,
)
from tfmini._src.variables.trackable import VARIABLE_VALUE_KEY
from tfmini._src.variables.uninitialized_variable import UninitializedVariable

_DEFAULT_GRADIENT = "PartitionedCall-0"


class ExportedGraph:
    """A graph with copies of the objects' resources, and nodes for signatures, restoring and initialization.

    Attributes:
      asset_files: asset file paths by name in the SavedModel.
      asset_numbers: index of the AssetFileDef, by `id` of a TrackableAsset.
      captured: node index of each captured tensor.
    """

    def __init__(self, objects: NumberedObjects, signatures: dict[str, ConcreteFunction]):
        self._objects = objects
        self._graph = Graph()
        # Tensors and variables of this graph, by captured original.
        self._exported_tensors: dict[Any, Any] = {}
        self._initializers: dict[Any, Any] = {}  # asset initializers, by path tensor
        self._variables: dict[int, Any] = {}
        self._asset_defs: list[Any] = []
        self.asset_files: dict[str, str] = {}
        self.asset_numbers: dict[int, int] = {}
        self.captured: dict[Any, int] = {}
        initializer_functions = [
            _filler(value) for value in objects.nodes if isinstance(value, CapturableResource)
        ]
        with self._graph.as_default():
            self._make_resources()
            self._make_constants()
            init_op = self._make_initializer(initializer_functions)
            saver_def = self._make_saver()
            served = {key: self._serve(key, f) for key, f in sorted(signatures.items())}
            for function in objects.concrete_functions:
                function.add_to_graph(self._graph)
            self.meta_graph = create_meta_graph_def(
                graph=self._graph,
                graph_def=_with_gradients(self._graph.as_graph_def(add_shapes=True)),
                saver_def=saver_def,
                collection_list=[],
                strip_default_attrs=True,
            )
            served[INIT_OP_SIGNATURE_KEY] = op_signature_def(init_op, INIT_OP_SIGNATURE_KEY)
        self.meta_graph.meta_info_def.tags.append("serve")
        self.meta_graph.collection_def[MAIN_OP_KEY].node_list.value.append(init_op.name)
        self.meta_graph.asset_file_def.extend(self._asset_defs)
        for key, signature in served.items():
            self.meta_graph.signature_def[key].CopyFrom(signature)

    def _make_resources(self) -> None:
        for node_id, value in enumerate(self._objects.nodes):
            if isinstance(value, CapturableResource):
                with device(value._resource_device):
                    self._exported_tensors[value.resource_handle] = value._create_resource()
                self.captured[value.resource_handle] = node_id
            elif is_resource_variable(value):
                copy = UninitializedVariable(
                    shape=value.shape,
                    dtype=value.dtype,
                    name=value._shared_name,
                    trainable=value.trainable,
                    constraint=value._constraint,
                    synchronization=value.synchronization,
                    aggregation=value.aggregation,
                )
                self._variables[id(value)] = copy
                self._exported_tensors[value.handle] = copy.handle
                self.captured[value.handle] = node_id
            elif isinstance(value, TrackableAsset):
                self._add_asset(value)
                self.captured[value.asset_path] = node_id

    def _add_asset(self, asset: TrackableAsset) -> None:
        tensor = asset.asset_path
        path = np.asarray(constant_value(tensor)).item().decode()
        name = free_name(path, self.asset_files)
        placeholder = ops.placeholder(
            dtypes.string, shape=tensor.shape, name="asset_path_initializer"
        )
        variable = ResourceVariable(placeholder)
        self.asset_files[name] = path
        self.asset_numbers[id(asset)] = len(self._asset_defs)
        asset_file_def = proto.AssetFileDef(filename=name)
        asset_file_def.tensor_info.name = placeholder.name
        self._asset_defs.append(asset_file_def)
        self._initializers[tensor] = variable.initializer
        self._exported_tensors[tensor] = variable

    def _make_constants(self) -> None:
        """Creates constants for captured tensors with known values."""
        for function in self._objects.concrete_functions:
            for tensor in function.captured_inputs:
                if tensor.dtype in (dtypes.resource, dtypes.variant) or tensor in self.captured:
                    continue
                value = constant_value(tensor)
                if value is None:
                    raise ValueError(
                        f"Attempted to save a function {function.library_name} which references a symbolic "
                        f"Tensor {tensor} that is not a simple constant. This is not supported."
                    )
                copy = ops.constant(value, tensor.dtype)
                self._exported_tensors[tensor] = copy
                self.captured[tensor] = self._objects.add(CapturedConstant(copy.op.name))

    def _make_initializer(self, initializer_functions: Sequence[ConcreteFunction]) -> Any:
        """Returns the operation that fills tables after initializing the variables of their file paths."""
        init_ops: list[Any] = []
        for initializer_function in initializer_functions:
            used = [t for t in initializer_function.captured_inputs if t in self._initializers]
            with control_dependencies([self._initializers[tensor] for tensor in used]):
                init_ops.append(self._call(initializer_function, []))
        with control_dependencies([*init_ops, *self._initializers.values()]):
            return ops.no_op()

    def _make_saver(self) -> Any:
        prefix = ops.placeholder(dtypes.string, shape=[], name="saver_filename")
        saveables = []
        for node in self._objects.objects:
            copy = self._variables.get(id(node.value))
            if copy is not None:
                key = f"{node.path}/.ATTRIBUTES/{escape(VARIABLE_VALUE_KEY)}"
                saveables += list(to_saveables(copy, key))
        message = proto.SaverDef(filename_tensor_name=prefix.name, version=proto.SaverDef.V2)
        if not saveables:
            message.save_tensor_name = ops.identity(prefix).name
            message.restore_op_name = ops.no_op().name
            return message
        saver = DeviceSaver(saveables)
        with control_dependencies([saver.save(prefix)]):
            message.save_tensor_name = ops.identity(prefix).name
        with control_dependencies(list(saver.restore(prefix).values())):
            message.restore_op_name = ops.no_op().name
        return message

    def _serve(self, key: str, function: ConcreteFunction) -> Any:
        """Calls a function on placeholders and returns the SignatureDef."""
        inputs = {}
        for argument in function.inputs[: len(function._arg_keywords)]:
            named = argument.op.get_attr("_user_specified_name").decode()
            if named != argument.op.name:
                raise ValueError(
                    f"Got non-flat/non-unique argument names for SavedModel signature '{key}': more than one argument "
                    f"to '{function.library_name}' was named '{named}'. Signatures have one Tensor per named input, so "
                    "to have predictable names Python functions used to generate these signatures should avoid "
                    "*args and Tensors in nested structures unless unique names are specified for each. Use "
                    "tf.TensorSpec(..., name=...) to provide a name for a Tensor input."
                )
            inputs[named] = ops.placeholder(
                argument.dtype, shape=argument.shape, name=f"{key}_{named}"
            )
        outputs = self._call(function, list(inputs.values()))
        return build_signature_def(
            {name: tensor_info(tensor) for name, tensor in inputs.items()},
            {name: tensor_info(tensor) for name, tensor in outputs.items()},
            PREDICT_METHOD_NAME,
        )

    def _call(self, function: ConcreteFunction, args: list[Tensor]) -> Any:
        captured = []
        for outer_tensor, inner in function.graph.captured.items():
            if outer_tensor not in self._exported_tensors:
                raise AssertionError(
                    f"Tried to export a function which references untracked object {inner}.TensorFlow objects (e.g. "
                    "tf.Variable) captured by functions must be tracked by assigning them to an attribute of a tracked "
                    "object or assigned to an attribute of the main object directly."
                )
            captured.append(ops.convert_to_tensor(self._exported_tensors[outer_tensor]))
        return function.call(args, captured)


def _filler(resource: CapturableResource) -> ConcreteFunction:
    def fill() -> Any:
        resource._initialize()
        return ops.constant(1.0)

    return Function(fill, input_signature=[]).get_concrete_function()


def _with_gradients(graph_def: Any) -> Any:
    """Marks function calls as differentiable through their bodies, which TensorFlow requires."""
    functions = graph_def.library.function
    for nodes in (graph_def.node, *(function.node_def for function in functions)):
        for node in nodes:
            if node.op in ("PartitionedCall", "StatefulPartitionedCall"):
                node.attr["_gradient_op_type"].s = _DEFAULT_GRADIENT.encode()
    return graph_def
