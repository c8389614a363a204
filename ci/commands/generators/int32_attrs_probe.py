"""Prints the attrs for which TensorFlow rejects values beyond int32; run by `int32_attrs.py`."""

import sys

import tensorflow as tf
from tensorflow.core.framework import op_def_pb2

from tests.support import goldens

TOO_LARGE = "out of range for an int32"
# Unavailable, or not runnable on a plain machine.
STRANGE = ("TPU", "Quantized", "Dataset", "Boosted", "Collective", "AllToAll", "Microfrontend")
ops = op_def_pb2.OpList()
ops.ParseFromString(goldens.read_bytes(goldens.golden_path("op_defs.pb.xz")))


def set_attrs(node, op):
    for attr in op.attr:
        value, limits = node.attr[attr.name], attr.allowed_values.list
        if attr.HasField("default_value"):
            value.CopyFrom(attr.default_value)
        elif attr.type == "type":
            # Prefers float to half, which has fewer kernels.
            value.type = 1 if not limits.type or 1 in limits.type else limits.type[0]
        elif attr.type == "list(type)":
            value.list.type.extend([limits.type[0] if limits.type else 1] * max(1, attr.minimum))
        elif attr.type == "int":
            value.i = max(1, attr.minimum)
        elif attr.type == "list(int)":
            value.list.i.extend([1] * max(5 if "ool3D" in op.name else 4, attr.minimum))
        elif attr.type == "string":
            value.s = limits.s[0] if limits.s else b"x"
        elif attr.type == "shape":
            value.shape.unknown_rank = True
        elif attr.type == "list(shape)":
            value.list.shape.add().unknown_rank = True
        elif attr.type == "float":
            value.f = 0.5
        elif attr.type == "list(float)":
            value.list.f.extend([0.5] * max(1, attr.minimum))
        elif attr.type == "list(string)":
            value.list.s.append(b"x")
        elif attr.type == "func":
            value.func.name = "f"
        elif attr.type == "tensor":
            value.tensor.CopyFrom(tf.make_tensor_proto(1.0))
        else:
            value.b = False


def add_inputs(graph, node, op):
    for arg in op.input_arg:
        if arg.type_list_attr:
            type_enums = list(node.attr[arg.type_list_attr].list.type)
        else:
            type_enums = [arg.type or node.attr[arg.type_attr].type]
            type_enums *= node.attr[arg.number_attr].i if arg.number_attr else 1
        for type_enum in type_enums:
            placeholder = graph.node.add(name=f"p{len(graph.node)}")
            placeholder.op = "VariableV2" if arg.is_ref else "Placeholder"
            placeholder.attr["dtype"].type = type_enum
            placeholder.attr["shape"].shape.unknown_rank = True
            node.input.append(placeholder.name)


def read_by(op, attr):
    graph, node = tf.GraphDef(), tf.NodeDef(name="n", op=op.name)
    set_attrs(node, op)
    value = node.attr[attr.name]
    if attr.type == "int":
        value.i = 1 << 31
    else:
        value.list.i[:] = [1 << 31] * max(1, len(value.list.i))
    add_inputs(graph, node, op)
    graph.node.add().CopyFrom(node)
    with tf.Graph().as_default() as made:
        try:
            tf.import_graph_def(graph, name="")
        except Exception as error:
            return "rule" if TOO_LARGE in str(error) else None
        try:
            with tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=1000)) as session:
                session.run(made.get_operation_by_name("n"))
        except Exception as error:
            return "kernel" if TOO_LARGE in str(error) else None
    return None


def candidate_attrs():
    """Each op with each attr that may be read as int32."""
    for op in ops.op:
        counts = {arg.number_attr for arg in [*op.input_arg, *op.output_arg]}
        if not any(word in op.name for word in STRANGE):
            for attr in op.attr:
                if attr.type in ("int", "list(int)") and attr.name not in counts:
                    yield op, attr


for number, (op, attr) in enumerate(candidate_attrs()):
    if number >= int(sys.argv[1]):
        print("#", number, op.name, attr.name, flush=True)  # TensorFlow may abort or block here
        reader = read_by(op, attr)
        if reader:
            print(op.name, reader, attr.name, flush=True)
