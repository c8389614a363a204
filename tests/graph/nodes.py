"""Small GraphDefs in text format, and the operations that importing them adds."""

from google.protobuf import text_format

import tfmini as tf
from tfmini._src.base import proto

X = """node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
    attr { key: "shape" value { shape { dim { size: 2 } dim { size: 3 } } } } }"""
INTS = """node { name: "i" op: "Placeholder" attr { key: "dtype" value { type: DT_INT32 } }
    attr { key: "shape" value { shape { unknown_rank: true } } } }"""
V = """node { name: "v" op: "VariableV2" attr { key: "dtype" value { type: DT_FLOAT } }
    attr { key: "shape" value { shape { dim { size: 2 } dim { size: 3 } } } } }"""
FLOAT = 'attr { key: "T" value { type: DT_FLOAT } }'
NO_OP = 'node { name: "n" op: "NoOp" }'


def node(name, op, *inputs, attrs=FLOAT, device=""):
    listed = " ".join(f'input: "{text}"' for text in inputs)
    return f'node {{ name: "{name}" op: "{op}" device: "{device}" {listed} {attrs} }}'


Y = node("y", "Identity", "x")


def graph_def(*nodes):
    message = text_format.Parse("\n".join(nodes), proto.GraphDef())
    message.versions.producer = 134
    return message


def made_by(graph, *nodes, **kwargs):
    """The operations that an import adds, in order: (name, inputs, control inputs)."""
    before = len(graph.get_operations())
    tf.import_graph_def(graph_def(*nodes), **kwargs)
    return [
        (op.name, [t.name for t in op.inputs], [c.name for c in op.control_inputs])
        for op in graph.get_operations()[before:]
    ]
