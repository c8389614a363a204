"""`tf.saved_model.load_v2`: the objects of a SavedModel, with their functions and values."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.nest.structure import flatten
from tfmini._src.functions.function_names import function_numbers
from tfmini._src.graph.collections import add_to_collection
from tfmini._src.graph.default_graph import graphs_under_construction
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import device
from tfmini._src.graph.tensor import Tensor
from tfmini._src.graph.tensor_proto import proto_to_literal
from tfmini._src.ops import ops
from tfmini._src.saved_model.objects import revived_types
from tfmini._src.saved_model.objects.load_first_version import load_first_version
from tfmini._src.saved_model.objects.restored_functions import (
    RestoredConcreteFunctions,
    RestoredFunction,
    bare_concrete_function,
    rename_functions,
)
from tfmini._src.saved_model.objects.restored_resource import (
    RestoredContents,
    RestoredResource,
    saved_contents,
)
from tfmini._src.saved_model.saved_model_files import (
    assets_directory,
    read_saved_model,
    variables_prefix,
)
from tfmini._src.saved_model.structured_value import UnknownSpecError
from tfmini._src.train.object_checkpoint.object_saver import ObjectSaver
from tfmini._src.train.object_checkpoint.restore_status import start_restore
from tfmini._src.variables.auto_trackable import AutoTrackable
from tfmini._src.variables.capturable_resource import (
    CapturableResource,
    TrackableAsset,
)
from tfmini._src.variables.copy_modes import checked_modes
from tfmini._src.variables.init_scope import init_scope
from tfmini._src.variables.resource_variable import is_resource_variable
from tfmini._src.variables.uninitialized_variable import UninitializedVariable
from tfmini._src.variables.variable import Variable
from tfmini._src.variables.variable_creator import open_creators, set_creators

# Functions are created last: they capture the other nodes.
_BARE_CONCRETE_FUNCTION = "bare_concrete_function"


def load_v2(export_dir: str, tags: str | Sequence[str] | None = None) -> Any:
    """Loads an object saved by `tf.saved_model.save`, with all objects reachable from it.

    A SavedModel written from a session becomes an object with `signatures`, `variables` and `graph`.

    Instances of user-defined classes become plain objects with the same attributes. Variables keep their
    values; functions accept the argument types of their saved traces.

    Args:
      export_dir: the directory.
      tags: tags of the MetaGraph, a string or a list; None selects the only MetaGraph.

    Returns:
      The object; its `signatures` maps signature keys to functions.

    Raises:
      OSError: if the SavedModel does not exist.
      ValueError: if no MetaGraph has these tags.

    Example:
      loaded = tf.saved_model.load_v2("/tmp/adder")
      loaded.add(tf.constant(1.0))  # 2.0
    """
    return load_objects(export_dir, tags, SavedObjects)


def load_objects(export_dir: str, tags: Any, loader: type[SavedObjects]) -> Any:
    """Implements `load_v2` using `loader`, which creates the objects."""
    expected = tags if tags is None or isinstance(tags, set) else flatten(tags)
    message = read_saved_model(export_dir)
    if len(message.meta_graphs) != 1 or not message.meta_graphs[0].HasField("object_graph_def"):
        with init_scope():
            return load_first_version(message, export_dir, expected)
    meta_graph = message.meta_graphs[0]
    saved = meta_graph.meta_info_def.tags
    if expected is not None and set(expected) != set(saved):
        raise ValueError(
            f"The SavedModel at {export_dir} has one MetaGraph with tags {saved}, but got an incompatible argument "
            f"tags={expected} to tf.saved_model.load. You may omit it, pass "
            "'None', or pass matching tags."
        )
    with init_scope():
        root = loader(meta_graph, export_dir).load()
    root.tensorflow_version = meta_graph.meta_info_def.tensorflow_version
    root.tensorflow_git_version = meta_graph.meta_info_def.tensorflow_git_version
    return root


class SavedObjects:
    """Creator of the objects in a SavedObjectGraph."""

    def __init__(self, meta_graph: Any, export_dir: str):
        self._meta_graph = meta_graph
        self._message = meta_graph.object_graph_def
        self._directory = export_dir
        self._nodes: dict[int, Any] = {}
        self._attach: dict[int, Callable[[Any, str, Any], None]] = {}
        library = rename_functions(meta_graph.graph_def.library, f"_load_{next(function_numbers)}")
        self._functions = RestoredConcreteFunctions(self._message, library, self._captured_tensor)

    def load(self) -> Any:
        """Returns the root object with its dependencies."""
        self._make_nodes()
        self._make_slots()
        missing_ids = {n for n in range(len(self._message.nodes)) if n not in self._nodes}
        self._attach_children(lambda node_id: node_id not in missing_ids)
        for node_id in missing_ids:
            message = self._message.nodes[node_id].bare_concrete_function
            # Functions of iterators, for example: Keras saves them but no model calls them.
            try:
                self._nodes[node_id] = bare_concrete_function(message, self._functions)
            except UnknownSpecError as error:
                self._nodes[node_id] = _UncallableFunction(error)
        self._attach_children(lambda node_id: node_id in missing_ids)
        self._attach_saved_contents()
        status = self._restore()
        for value in self._nodes.values():
            if isinstance(value, CapturableResource):
                init_op = value._initialize()
                if not executing_eagerly():
                    for op in (init_op, *status.restore_operations(value)):
                        add_to_collection(GraphKeys.TABLE_INITIALIZERS, op)
        self._functions.finish()
        return self._nodes[0]

    def _make_nodes(self) -> None:
        slots = {
            slot.slot_variable_node_id
            for message in self._message.nodes
            for slot in message.slot_variables
        }
        for node_id, message in enumerate(self._message.nodes):
            if node_id not in slots and message.WhichOneof("kind") != _BARE_CONCRETE_FUNCTION:
                self._nodes[node_id], self._attach[node_id] = self._recreate(message)

    def _make_slots(self) -> None:
        for node_id, message in enumerate(self._message.nodes):
            for slot in message.slot_variables:
                result = self._nodes[node_id].add_slot(
                    var=self._nodes[slot.original_variable_node_id], slot_name=slot.slot_name
                )
                self._nodes[slot.slot_variable_node_id] = result
                self._attach[slot.slot_variable_node_id] = setattr

    def _attach_children(self, includes: Callable[[int], bool]) -> None:
        """Attaches to each object its dependencies among the included nodes."""
        for node_id, message in enumerate(self._message.nodes):
            if node_id not in self._attach:
                continue  # a bare function, whose captures are listed by later releases
            for child in message.children:
                if includes(child.node_id):
                    value = self._nodes[node_id]
                    self._attach[node_id](value, child.local_name, self._nodes[child.node_id])
                    if child.local_name == "__call__" and not callable(value):
                        type(value).__call__ = _call_attribute

    def _recreate(self, message: Any) -> tuple[Any, Callable[[Any, str, Any], None]]:
        """Creates the object for a SavedObject; also returns the setter of its dependencies."""
        kind = message.WhichOneof("kind")
        # Captures of an inner function, which the outer function supplies.
        if kind is None:
            return AutoTrackable(), setattr
        if kind == "user_object":
            return self._make_user_object(message.user_object)
        makers: dict[str, Callable[[], Any]] = {
            "asset": lambda: self._asset(message.asset),
            "function": lambda: RestoredFunction(message.function, self._functions),
            "variable": lambda: _variable(message.variable),
            "constant": lambda: self._constant(message.constant),
            "resource": lambda: RestoredResource(message.resource.device),
        }
        if kind not in makers:
            raise ValueError(f"Unknown SavedObject type: {kind!r}")
        return makers[kind](), setattr

    def _make_user_object(self, message: Any) -> tuple[Any, Callable[[Any, str, Any], None]]:
        result = revived_types.deserialize(message)
        if result is not None:
            return result
        return type("_UserObject", (AutoTrackable,), {})(), setattr

    def _asset(self, message: Any) -> TrackableAsset:
        name = self._meta_graph.asset_file_def[message.asset_file_def_index].filename
        return TrackableAsset(os.path.join(assets_directory(self._directory), name))

    def _constant(self, message: Any) -> Tensor:
        for node in self._meta_graph.graph_def.node:
            if node.name == message.operation:
                literal = proto_to_literal(node.attr["value"].tensor)
                with device("CPU" if literal.dtype is dtypes.string else None):
                    return ops.constant(literal.array, literal.dtype)
        raise ValueError(f"No constant {message.operation} in the SavedModel's graph.")

    def _captured_tensor(self, node_id: int) -> Tensor:
        """Returns the tensor of a node, for capture in functions."""
        value = self._nodes[node_id]
        with init_scope():
            if is_resource_variable(value):
                return value.handle
            if isinstance(value, TrackableAsset):
                return value.asset_path
            if isinstance(value, Tensor):
                return value
            if isinstance(value, CapturableResource):
                return value.resource_handle
        raise ValueError(f"Can't convert node {type(value)} to tensor")

    def _attach_saved_contents(self) -> None:
        """Attaches functions that save and restore tables, which TensorFlow 2.4 and later write."""
        for node_id, message in enumerate(self._message.nodes):
            value = self._nodes[node_id]
            if isinstance(value, RestoredResource):
                for name, functions in saved_contents(message).items():
                    save, restore = (self._nodes[node_id] for node_id in functions)
                    value.contents[name] = partial(RestoredContents, save, restore)

    def _restore(self) -> Any:
        """Restores variables and tables; returns the restore status.

        In graph mode, restore operations become the variables' initializers.
        """
        saver = ObjectSaver(self._nodes[0])
        prefix = variables_prefix(self._directory)
        if not executing_eagerly():
            with device("CPU"):
                saver.restore_from(ops.constant(prefix))
        status = start_restore(saver, prefix)
        status.assert_existing_objects_matched()
        status.expect_partial()
        if not executing_eagerly():
            for value in self._nodes.values():
                if is_resource_variable(value):
                    value._initializer_op = next(iter(status.restore_operations(value)), None)
        return status


def _variable(message: Any) -> Any:
    name = message.name or None
    synchronization, aggregation, trainable = checked_modes(
        message.synchronization,
        message.aggregation,
        message.trainable,
        name or "<variable loaded from saved model>",
    )
    *_, graph = graphs_under_construction()
    creators = open_creators(graph)
    # Outermost: it replaces the default creator, and the creators of open scopes are called first.
    set_creators(graph, (_uninitialized_creator, *creators))
    try:
        return Variable(
            shape=message.shape,
            dtype=dtypes.as_dtype(message.dtype),
            name=name,
            trainable=trainable,
            synchronization=synchronization,
            aggregation=aggregation,
        )
    finally:
        set_creators(graph, creators)


def _uninitialized_creator(next_creator: Any, **kwargs: Any) -> Any:
    return UninitializedVariable(
        **{
            key: kwargs[key]
            for key in ("shape", "dtype", "name", "trainable", "synchronization", "aggregation")
        }
    )


class _UncallableFunction(AutoTrackable):
    """A function whose signature cannot be decoded; calling it raises the decoding error."""

    def __init__(self, error: UnknownSpecError):
        self._error = error

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise self._error


def _call_attribute(instance: Any, *args: Any, **kwargs: Any) -> Any:
    return instance.__call__(*args, **kwargs)
