"""A GraphDef as columns of plain data, which compress to a third of the size.

A column holds one field of all nodes. Inputs and colocated nodes are relative to the node's position: `-1` is the
previous node, `-2:1` the second output of the node before that, `^-3` a control input, and `/NAME` a node that the
graph lacks. Nodes with equal attributes share an entry of `rows`: {name: serialized AttrValue}, with the node's
other fields under "". Bytes are Latin-1 text. The caller passes the GraphDef class, TensorFlow's or tfmini's.
"""

import json

_COLOCATED = "loc:@"


def pack(graph):
    """Converts a GraphDef to columns."""
    positions = {node.name: index for index, node in enumerate(graph.node)}
    positions_of_rows = {}
    columns = {"names": [], "ops": [], "devices": [], "inputs": [], "colocated": [], "attrs": []}
    for index, node in enumerate(graph.node):
        row = {name: _text(node.attr[name]) for name in sorted(node.attr) if name != "_class"}
        rest = type(node)()
        rest.CopyFrom(node)
        for field in ("name", "op", "device", "input", "attr"):
            rest.ClearField(field)
        if rest.ByteSize():
            row[""] = _text(rest)
        colocated = None
        if "_class" in node.attr:
            colocated = [
                _relative(s.decode(), index, positions) for s in node.attr["_class"].list.s
            ]
        columns["names"].append(node.name)
        columns["ops"].append(node.op)
        columns["devices"].append(node.device)
        columns["inputs"].append(" ".join(_relative(i, index, positions) for i in node.input))
        columns["colocated"].append(colocated)
        key = json.dumps(row)
        columns["attrs"].append(positions_of_rows.setdefault(key, len(positions_of_rows)))
    rest = type(graph)()
    rest.CopyFrom(graph)
    rest.ClearField("node")
    return dict(columns, rows=list(map(json.loads, positions_of_rows)), library=_text(rest))


def unpack(columns, graph_class):
    """Converts columns to a GraphDef."""
    graph = graph_class.FromString(columns["library"].encode("latin1"))
    names = columns["names"]
    templates = graph_class()
    rows = [_set_attributes(templates.node.add(), row) for row in columns["rows"]]
    for index, name in enumerate(names):
        node = graph.node.add()
        node.CopyFrom(rows[columns["attrs"][index]])
        node.name = name
        node.op = columns["ops"][index]
        node.device = columns["devices"][index]
        node.input.extend(_absolute(i, index, names) for i in columns["inputs"][index].split())
        colocated = columns["colocated"][index]
        if colocated is not None:
            node.attr["_class"].list.s.extend(
                _absolute(s, index, names).encode() for s in colocated
            )
    return graph


def _set_attributes(node, row):
    """Sets a node's attributes from an entry of `rows`."""
    for name, value in row.items():
        (node.attr[name] if name else node).MergeFromString(value.encode("latin1"))
    return node


def _text(message):
    return message.SerializeToString(deterministic=True).decode("latin1")


def _relative(reference, index, positions):
    """Replaces the node name in `^NAME`, `NAME:PORT` or `loc:@NAME` by the node's relative position."""
    prefix = next((p for p in ("^", _COLOCATED) if reference.startswith(p)), "")
    name, colon, port = reference[len(prefix) :].partition(":")
    if name not in positions:
        return "/" + reference
    return f"{prefix.replace(_COLOCATED, '@')}{positions[name] - index}{colon}{port}"


def _absolute(reference, index, names):
    if reference.startswith("/"):
        return reference[1:]
    prefix = reference[0] if reference[0] in "^@" else ""
    distance, colon, port = reference[len(prefix) :].partition(":")
    return f"{prefix.replace('@', _COLOCATED)}{names[index + int(distance)]}{colon}{port}"
