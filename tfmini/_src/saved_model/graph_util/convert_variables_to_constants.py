"""Freezes graphs by replacing variables with constants."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tfmini._src.base import logs, proto
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.graph.opdef import makes_variable
from tfmini._src.graph.tensor_proto import make_tensor_proto
from tfmini._src.saved_model.graph_util.extract_sub_graph import node_name, sub_graph
from tfmini._src.session.base_session import BaseSession

_READ_OPS = ("ReadVariableOp", "ResourceGather")
# Ops allowed between a handle and its reader.
_PASS_THROUGH_OPS = ("Switch", "Enter", "Exit", "Identity", "Merge", "NextIteration")


@deprecated(None, "Use `tf.compat.v1.graph_util.convert_variables_to_constants`")
def convert_variables_to_constants(
    sess: BaseSession,
    input_graph_def: proto.GraphDef,
    output_node_names: Sequence[str],
    variable_names_whitelist: Sequence[str] | None = None,
    variable_names_blacklist: Sequence[str] | None = None,
) -> Any:
    """Prunes a GraphDef to the nodes that the outputs depend on and replaces variables with constants.

    Args:
      sess: the session with the variable values.
      input_graph_def: the GraphDef of the session's graph.
      output_node_names: names of the output nodes.
      variable_names_whitelist: names of the variables to convert; all by default.
      variable_names_blacklist: variables to exclude, by name.

    Returns:
      A GraphDef that needs no checkpoint.

    Raises:
      AssertionError: for an unknown node name.
      FailedPreconditionError: for an uninitialized variable.
      ValueError: if a gather from a resource variable has batch dimensions, or a variable read has no variable.

    Example:
      frozen = tf.graph_util.convert_variables_to_constants(
          session, session.graph_def, ["softmax"]
      )
      tf.train.write_graph(frozen, "/tmp", "frozen.pb", as_text=False)
    """
    return constants_for_variables(
        sess,
        input_graph_def,
        output_node_names,
        variable_names_whitelist,
        variable_names_blacklist,
    )


def constants_for_variables(
    sess: Any,
    input_graph_def: Any,
    output_node_names: Sequence[str],
    variable_names_whitelist: Any = None,
    variable_names_blacklist: Any = None,
) -> Any:
    """Implements `convert_variables_to_constants`."""
    graph_def = sub_graph(input_graph_def, output_node_names)
    nodes = {node.name: node for node in graph_def.node}
    handles = _types_behind_handles(nodes)
    selected = [
        node
        for node in graph_def.node
        if makes_variable(node.op)
        and (variable_names_whitelist is None or node.name in variable_names_whitelist)
        and (variable_names_blacklist is None or node.name not in variable_names_blacklist)
    ]
    values = dict(zip([node.name for node in selected], _variable_values(sess, selected)))
    logs.info("Froze %d variables.", len(values))
    frozen = proto.GraphDef(library=graph_def.library)
    for node in graph_def.node:
        if node.name in values:
            value = values[node.name]
            frozen.node.append(_constant_node(node.name, node.attr["dtype"], value, value.shape))
        elif node.name in handles:
            frozen.node.append(_passes_values_on(node, handles[node.name]))
        elif node.op == "ReadVariableOp":
            frozen.node.append(_identity(node))
        elif node.op == "ResourceGather":
            frozen.node.extend(_gather_nodes(node))
        else:
            frozen.node.append(node)
    logs.info("Converted %d variables to const ops.", len(values))
    return frozen


def _variable_values(sess: Any, variables: list[Any]) -> list[Any]:
    reads = {"VarHandleOp": "/Read/ReadVariableOp:0"}
    names = [node.name + reads.get(node.op, ":0") for node in variables]
    return sess.run(names) if names else []


def _types_behind_handles(nodes: dict[str, Any]) -> dict[str, Any]:
    """Returns the nodes that forward resource handles, with the dtype attr of the variable."""
    types: dict[str, Any] = {}
    for node in nodes.values():
        if node.op not in _READ_OPS:
            continue
        waiting = [node_name(node.input[0])]
        while waiting:
            source = nodes[waiting.pop()]
            if source.op in _PASS_THROUGH_OPS:
                if source.name not in types:
                    types[source.name] = node.attr["dtype"]
                    both = source.input[:2] if source.op == "Merge" else source.input[:1]
                    waiting += [node_name(text) for text in both]
            elif source.op != "VarHandleOp":
                raise ValueError("Cannot find the variable that is an input to the ReadVariableOp.")
    return types


def _constant_node(name: str, dtype: Any, value: Any, shape: Any = None) -> Any:
    tensor = make_tensor_proto(value, dtype=dtype.type, shape=shape)
    return proto.NodeDef(
        name=name, op="Const", attr={"dtype": dtype, "value": proto.AttrValue(tensor=tensor)}
    )


def _passes_values_on(node: Any, dtype: Any) -> Any:
    """Rewrites a node that forwards handles to forward values, and drops its stale shape attrs."""
    copy = proto.NodeDef(name=node.name, op=node.op, input=node.input)
    for key, value in node.attr.items():
        if key != "_output_shapes":
            copy.attr[key].CopyFrom(value)
    copy.attr["T"].CopyFrom(dtype)
    return copy


def _identity(node: Any) -> Any:
    copy = proto.NodeDef(name=node.name, op="Identity", input=node.input[:1])
    copy.attr["T"].CopyFrom(node.attr["dtype"])
    return _colocate(copy, node)


def _gather_nodes(node: Any) -> Iterable[Any]:
    if node.attr["batch_dims"].i != 0:
        raise ValueError("batch_dims != 0 is not supported by freeze_graph.")
    indices = node.attr["Tindices"]
    axis = _constant_node(f"{node.name}/axis", indices, 0)
    copy = proto.NodeDef(
        name=node.name, op="GatherV2", input=[node.input[0], node.input[1], axis.name]
    )
    copy.attr["Tparams"].CopyFrom(node.attr["dtype"])
    copy.attr["Tindices"].CopyFrom(indices)
    copy.attr["Taxis"].CopyFrom(indices)
    return axis, _colocate(copy, node)


def _colocate(copy: Any, node: Any) -> Any:
    if "_class" in node.attr:
        copy.attr["_class"].CopyFrom(node.attr["_class"])
    return copy
