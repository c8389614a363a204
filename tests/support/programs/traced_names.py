"""Normalizes function names in a GraphDef: process-wide counters are replaced by ranks."""

import re

NUMBERED = re.compile(r"(__inference_.*|.*_(?:true|false|cond|body|branch\d+))_(\d+)$")
HASHED = re.compile(r"(_make_dataset)_\w+$")


def normalize(graph):
    """Renames functions in a GraphDef, and sorts their control inputs, a set in TensorFlow."""
    if not graph.library.function:
        return
    names = {}
    counted = [f.signature.name for f in graph.library.function]
    counted = [(NUMBERED.match(name), name) for name in counted]
    for match, name in _by_number(counted):
        names[name] = f"{match[1]}#{len(names)}"
    for node in graph.node:
        for function in _node_functions(node):
            if HASHED.match(function.name):
                names.setdefault(function.name, f"_make_dataset#{len(names)}")
    for node in graph.node:
        _rename(node, names)
    for function in graph.library.function:
        signature = function.signature
        signature.name = names.get(signature.name, signature.name)
        signature.control_output[:] = sorted(signature.control_output)
        for node in function.node_def:
            _rename(node, names)
            inputs = [text for text in node.input if not text.startswith("^")]
            node.input[:] = inputs + sorted(text for text in node.input if text.startswith("^"))


def _by_number(counted):
    return sorted(((m, n) for m, n in counted if m), key=lambda pair: int(pair[0][2]))


def _node_functions(node):
    for value in node.attr.values():
        yield from [value.func] if value.HasField("func") else value.list.func


def _rename(node, names):
    for function in _node_functions(node):
        function.name = names.get(function.name, function.name)
