"""Copies of subgraphs, in the same graph or another one, with replaced inputs."""

from __future__ import annotations

import copy as copies
from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base.nest.structure import map_structure
from tfmini._src.contrib.graph_editor.placeholders import (
    finalize_scope,
    make_placeholder_from_tensor,
)
from tfmini._src.contrib.graph_editor.reroute import add_control_inputs
from tfmini._src.contrib.graph_editor.subgraph import SubGraphView, make_view
from tfmini._src.contrib.graph_editor.walk_boundary import (
    ControlOutputs,
    get_walks_intersection_ops,
)
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.op_selection import get_unique_graph, is_iterable
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor


def replace_t_with_placeholder_handler(info: Any, t: Tensor) -> Tensor:
    """Returns a placeholder in the new graph for a tensor."""
    with info.graph_.as_default():
        return make_placeholder_from_tensor(t, scope=info.scope_)


def keep_t_if_possible_handler(info: Any, t: Tensor) -> Tensor:
    """Returns the tensor itself if it is in the same graph, else a placeholder."""
    return t if info.graph is info.graph_ else replace_t_with_placeholder_handler(info, t)


def assign_renamed_collections_handler(info: Any, elem: object, elem_: Any) -> None:
    """Adds a copy to the original's collections; collections outside GraphKeys are renamed with the new scope."""
    for name, items in info.collections.items():
        if elem in items:
            info.graph_.add_to_collection(
                name if name in _STANDARD_COLLECTIONS else info.new_name(name), elem_
            )


_STANDARD_COLLECTIONS = {value for key, value in vars(GraphKeys).items() if isinstance(value, str)}


def transform_op_if_inside_handler(info: Any, op: Operation, keep_if_possible: bool = True) -> Any:
    """Returns the copy of an operation.

    For an operation outside the handler, returns the operation itself if `keep_if_possible` and the copy stays in the
    same graph, else None.
    """
    if op in info.ops:
        return info.transformed_ops[op]
    return op if keep_if_possible and info.graph is info.graph_ else None


def copy_op_handler(
    info: Any,
    op: Operation,
    new_inputs: Any,
    copy_shape: bool = False,
    nodedef_fn: Callable[..., Any] | None = None,
) -> tuple[Operation, list[Tensor]]:
    """Copies an operation.

    Args:
      info: state of the copy.
      op: the operation.
      new_inputs: the input tensors of the copy.
      copy_shape: whether to copy output shapes.
      nodedef_fn: function that transforms the copy's NodeDef.

    Returns:
      The copy and its outputs.

    Raises:
      TypeError: if `new_inputs` is a bool.
    """
    if isinstance(new_inputs, bool):
        raise TypeError("the `new_inputs` argument must be an iterable.")
    node_def = copies.deepcopy(op.node_def)
    node_def.name = info.graph_.unique_name(info.new_name(op.name))
    if nodedef_fn is not None:
        node_def = nodedef_fn(node_def)
    operation = Operation(
        node_def, info.graph_, new_inputs, op._output_types, [], op._input_types, None, op.op_def
    )
    if copy_shape:
        for t, t_ in zip(op.outputs, operation.outputs):
            t_.set_shape(t.get_shape())
    if op._original_op:
        operation._original_op = op._original_op
    return operation, list(operation.outputs)


class TransformerInfo:
    """Mapping between the operations and tensors of a copy and the original."""

    def __init__(self, info: Any):
        self._graphs, self._scopes = (info.graph, info.graph_), (info.scope, info.scope_)
        self._transformed_ops = info.transformed_ops
        self._transformed_ts = info.transformed_ts

    def transformed(self, original: object, missing_fn: Callable[..., Any] | None = None) -> Any:
        """Returns the copies of operations and tensors, in the structure of the arguments.

        Args:
          original: an operation, a tensor, or a structure of them.
          missing_fn: function that maps elements without a copy; None by default.
        """
        return _map_leaves(original, lambda x: self._lookup(x, self._item_map(x), missing_fn))

    def original(self, transformed: object, missing_fn: Callable[..., Any] | None = None) -> Any:
        """Returns the originals of copied elements; takes the arguments of `transformed`."""
        return _map_leaves(
            transformed,
            lambda x: self._lookup(x, {b: a for a, b in self._item_map(x).items()}, missing_fn),
        )

    def _item_map(self, item: Any) -> dict:
        if isinstance(item, Operation):
            return self._transformed_ops
        if isinstance(item, Tensor):
            return self._transformed_ts
        raise TypeError(f"Expected a tf.Tensor or a tf.Operation, got a {type(item)}")

    @staticmethod
    def _lookup(item: Any, mapping: dict, missing_fn: Callable | None) -> Any:
        if item in mapping:
            return mapping[item]
        return None if missing_fn is None else missing_fn(item)

    def __str__(self) -> str:
        (graph, graph_), (scope, scope_) = self._graphs, self._scopes
        if graph is graph_:
            head = [f"  Within graph[{id(graph)}]{'' if scope_ else ' IN-PLACE'}"]
        else:
            head = [f"  graph[{id(graph)}] => graph[{id(graph_)}]"]
        head += [f"  Relative to source scope: {scope}"] * bool(scope)
        head += [f"  Scope destination: {scope_}"] * bool(scope_)
        rows = [f"  {op.name} => {op_.name}" for op, op_ in self._transformed_ops.items()]
        return "\n".join(["Transform result info:", *head, "Operations mapping:", *rows]) + "\n"


def _map_leaves(structure: Any, function: Callable) -> Any:
    return map_structure(function, structure) if is_iterable(structure) else function(structure)


class _CopyState:
    """State of a Transformer call, passed to handlers as `info`."""

    def __init__(self, sgv: SubGraphView, dst_graph: Graph, dst_scope: str, src_scope: str):
        self.sgv, self.graph, self.graph_ = sgv, sgv.graph, dst_graph
        self.scope, self.scope_ = src_scope, dst_scope
        self.ops = frozenset(sgv.ops)
        self.sgv_inputs_set = frozenset(sgv.inputs)
        self.control_outputs = ControlOutputs(sgv.graph)
        self.transformed_ops: dict[Operation, Operation] = {}
        self.transformed_ts: dict[Tensor, Tensor] = {}
        keys = self.graph.get_all_collection_keys()
        self.collections = {key: self.graph.get_collection(key) for key in keys}
        self.tmp_cyclic_ts: list[tuple[Tensor, Tensor, Operation]] = []

    def new_name(self, name: str) -> str:
        """Maps a name to the new scope; raises ValueError for a name outside the old scope."""
        if not name.startswith(self.scope):
            raise ValueError(f"{name} does not belong to source scope: {self.scope}.")
        return self.scope_ + name[len(self.scope) :]


class Transformer:
    """Copies a view, with replaceable handlers of operations, inputs and collections as attributes:

    `transform_op_handler(info, op, new_inputs)`, `transform_control_input_handler(info, op)`,
    `transform_original_op_handler(info, op)`, `assign_collections_handler(info, element, copy)`,
    `transform_external_input_handler(info, t)` for the inputs of the view,
    `transform_external_hidden_input_handler(info, t)` for other outside tensors.

    Example: `tf.contrib.graph_editor.Transformer()(view, graph, "copy")`.
    """

    def __init__(self) -> None:
        self.transform_op_handler: Callable = copy_op_handler
        self.transform_control_input_handler: Callable = transform_op_if_inside_handler
        self.assign_collections_handler: Callable = assign_renamed_collections_handler
        self.transform_external_input_handler: Callable = replace_t_with_placeholder_handler
        self.transform_external_hidden_input_handler: Callable = keep_t_if_possible_handler
        self.transform_original_op_handler: Callable = transform_op_if_inside_handler

    def __call__(
        self,
        sgv: SubGraphView,
        dst_graph: Graph,
        dst_scope: str,
        src_scope: str = "",
        reuse_dst_scope: bool = False,
    ) -> tuple[SubGraphView, TransformerInfo]:
        """Copies a view.

        Args:
          sgv: the view, or an argument of `make_view`.
          dst_graph: the graph of the copy.
          dst_scope: the scope of the copy.
          src_scope: the scope of the original, replaced by `dst_scope` in the copy.
          reuse_dst_scope: whether to reuse an existing scope; otherwise a number makes the name unique.

        Returns:
          The view of the copy, and a TransformerInfo that maps originals to copies.

        Raises:
          TypeError: if `dst_graph` is not a graph.
          ValueError: if an operation is not in `src_scope`.
        """
        sgv = make_view(sgv)
        if not isinstance(dst_graph, Graph):
            raise TypeError(f"Expected a tf.Graph, got: {type(dst_graph)}")
        src_scope, dst_scope = finalize_scope(src_scope), finalize_scope(dst_scope)
        if dst_scope and not reuse_dst_scope:
            dst_scope = finalize_scope(dst_graph.unique_name(dst_scope[:-1]))
        info = _CopyState(sgv, dst_graph, dst_scope, src_scope)
        for op in sorted(sgv.ops, key=lambda op: op._id):
            self._copy_op(info, op)
        for t, stand_in, consumer in info.tmp_cyclic_ts:
            copy_of_consumer = info.transformed_ops[consumer]
            inputs = list(copy_of_consumer.inputs)
            if not any(x is stand_in for x in inputs):
                raise ValueError(f"{stand_in!r} is not in list")
            index = [x is stand_in for x in inputs].index(True)
            copy_of_consumer._update_input(index, info.transformed_ts[t])
        self._connect(info)
        return _view_of_copy(info), TransformerInfo(info)

    def _copy_op(self, info: _CopyState, op: Operation) -> None:
        inputs = [self._copied_input(info, t, op) for t in op.inputs]
        result, outputs = self.transform_op_handler(info, op, inputs)
        if result is op:
            raise ValueError("In-place transformation not allowed.")
        info.transformed_ops[op] = result
        self.assign_collections_handler(info, op, result)
        for t, t_ in zip(op.outputs, outputs):
            info.transformed_ts[t] = t_
            self.assign_collections_handler(info, t, t_)

    def _copied_input(self, info: _CopyState, t: Tensor, consumer: Operation) -> Tensor:
        if t in info.transformed_ts:
            return info.transformed_ts[t]
        if t in info.sgv_inputs_set:
            return self.transform_external_input_handler(info, t)
        if t.op not in info.ops:
            return self.transform_external_hidden_input_handler(info, t)
        # Back edges: connected later, with a placeholder until then.
        if consumer.type == "Merge":
            stand_in = self._copied_input(info, consumer.inputs[0], consumer)
        elif t.op.type == "Enter":
            stand_in = self._copied_input(info, t.op.inputs[0], consumer)
        else:
            with info.graph_.as_default():
                stand_in = make_placeholder_from_tensor(t, info.scope_, "geph_tmp")
        info.tmp_cyclic_ts.append((t, stand_in, consumer))
        return stand_in

    def _connect(self, info: _CopyState) -> None:
        for op in info.sgv.ops:
            result = info.transformed_ops[op]
            if op._original_op:
                original = self.transform_original_op_handler(info, op._original_op)
                if original is not None:
                    result._original_op = original
            mapped_controls = [
                self.transform_control_input_handler(info, x) for x in op.control_inputs
            ]
            add_control_inputs(result, [x for x in mapped_controls if x is not None])


def _view_of_copy(info: _CopyState) -> SubGraphView:
    view = SubGraphView(list(info.transformed_ops.values()))
    pairs = (info.sgv.inputs, view.inputs), (info.sgv.outputs, view.outputs)
    inputs, outputs = (
        [
            copied_tensors.index(info.transformed_ts[t])
            for t in original_tensors
            if info.transformed_ts.get(t) in copied_tensors
        ]
        for original_tensors, copied_tensors in pairs
    )
    return view.remap(inputs, outputs)


def copy(
    sgv: SubGraphView,
    dst_graph: Graph | None = None,
    dst_scope: str = "",
    src_scope: str = "",
    reuse_dst_scope: bool = False,
) -> tuple[SubGraphView, TransformerInfo]:
    """Copies a subgraph, with placeholders as its inputs.

    Arguments, result and errors as in `Transformer.__call__`; by default, copies within the graph.

    Example: `view, info = tf.contrib.graph_editor.copy(graph, tf.Graph())`.
    """
    sgv = make_view(sgv)
    graph = sgv.graph if dst_graph is None else dst_graph
    return Transformer()(sgv, graph, dst_scope, src_scope, reuse_dst_scope)


def copy_with_input_replacements(
    sgv: Any,
    replacement_ts: dict[Any, Any],
    dst_graph: Graph | None = None,
    dst_scope: str = "",
    src_scope: str = "",
    reuse_dst_scope: bool = False,
) -> tuple[SubGraphView, TransformerInfo]:
    """Copies a subgraph with replaced inputs.

    Args:
      sgv: the view, or an argument of `make_view`.
      replacement_ts: a dict from inputs to replacements; other inputs are kept, or become placeholders in another
        graph.
      dst_graph, dst_scope, src_scope, reuse_dst_scope: as in `copy`.

    Returns:
      The view of the copy, and the mapping between originals and copies.

    Example: `view, info = tf.contrib.graph_editor.copy_with_input_replacements(ops, {x: y})`.
    """
    sgv = make_view(sgv)

    def replace_tensor(info: _CopyState, t: Tensor) -> Tensor:
        return replacement_ts[t] if t in replacement_ts else keep_t_if_possible_handler(info, t)

    copier = Transformer()
    copier.transform_external_input_handler = replace_tensor
    graph = sgv.graph if dst_graph is None else dst_graph
    return copier(sgv, graph, dst_scope, src_scope, reuse_dst_scope)


def graph_replace(
    target_ts: Tensor | Sequence[Tensor],
    replacement_ts: dict[Any, Any],
    dst_scope: str = "",
    src_scope: str = "",
    reuse_dst_scope: bool = False,
) -> Any:
    """Copies tensors, with some of their ancestors replaced.

    Args:
      target_ts: a tensor, or a structure of them.
      replacement_ts: a dict from tensors to replacements.
      dst_scope, src_scope, reuse_dst_scope: as in `copy`.

    Returns:
      Tensors in the structure of `target_ts`; tensors independent of replaced ones are returned unchanged.

    Raises:
      ValueError: if no target depends on a replaced tensor.

    Example: `tf.contrib.graph_editor.graph_replace(loss, {image: other_image})`.
    """
    targets: list[Tensor] = []
    _map_leaves(target_ts, targets.append)
    waiting = ControlOutputs(get_unique_graph(targets, check_types=Tensor))
    ops = get_walks_intersection_ops(list(replacement_ts), targets, control_ios=waiting)
    if not ops:
        raise ValueError("Targets and replacements are not connected!")
    contexts: dict[Any, None] = dict.fromkeys(op._control_flow_context for op in ops)
    for context in contexts:
        if context is not None and context.IsWhileContext():
            enters = [t.op for t in context.loop_enters]
            exits = [t.op for t in context.loop_exits]
            loop = get_walks_intersection_ops(enters, exits, control_ios=waiting)
            ops = list(dict.fromkeys([*ops, *loop]))
    _, info = copy_with_input_replacements(
        ops, replacement_ts, None, dst_scope, src_scope, reuse_dst_scope
    )
    return info.transformed(target_ts, lambda t: t)
