"""GraphDefs with functions, built node by node, with the same code for TensorFlow and tfmini."""

import importlib

import numpy as np


class Func:
    """An attr value: a function's name and attrs."""

    def __init__(self, name, **attrs):
        self.name = name
        self.attrs = attrs


class Placeholder:
    """An attr value inside a function: refers to the function's attr of that name."""

    def __init__(self, name):
        self.name = name


def fill(tf, message, value):
    """Sets an AttrValue."""
    if isinstance(value, list):
        message.list.SetInParent()
        for item in value:
            if isinstance(item, Func):
                fill_func(tf, message.list.func.add(), item)
            elif isinstance(item, tf.TensorShape):
                message.list.shape.add().CopyFrom(item.as_proto())
            else:
                message.list.type.append(tf.as_dtype(item).as_datatype_enum)
    elif isinstance(value, Func):
        fill_func(tf, message.func, value)
    elif isinstance(value, Placeholder):
        message.placeholder = value.name
    elif isinstance(value, tf.DType):
        message.type = value.as_datatype_enum
    elif isinstance(value, tf.TensorShape):
        message.shape.CopyFrom(value.as_proto())
    elif isinstance(value, np.ndarray):
        message.tensor.CopyFrom(tf.make_tensor_proto(value))
    elif isinstance(value, bool):
        message.b = value
    elif isinstance(value, int):
        message.i = value
    else:
        message.s = value


def fill_func(tf, message, func):
    message.name = func.name
    for key, value in func.attrs.items():
        fill(tf, message.attr[key], value)


def add_node(tf, nodes, name, op, inputs=(), **attrs):
    node = nodes.add(name=name, op=op)
    node.input.extend(inputs)
    for key, value in attrs.items():
        fill(tf, node.attr[key], value)
    return node


def add_constant(tf, nodes, name, value):
    value = np.asarray(value)
    return add_node(tf, nodes, name, "Const", dtype=tf.as_dtype(value.dtype), value=value)


def add_function(tf, graph_def, name, inputs, outputs, nodes, stateful=False, attrs=()):
    """Adds a FunctionDef.

    inputs: pairs (name, dtype), or the name of an attr in place of the dtype. outputs: triples (name, dtype, tensor
    inside the function). nodes: tuples of arguments of `add_node`, attrs as a dict; a constant is (name, value).
    """
    function = graph_def.library.function.add()
    signature = function.signature
    signature.name = name
    signature.is_stateful = stateful
    for attr in attrs:
        signature.attr.add(name=attr, type="type")
    for args, rows in ((signature.input_arg, inputs), (signature.output_arg, outputs)):
        for row in rows:
            if isinstance(row[1], str):
                args.add(name=row[0], type_attr=row[1])
            else:
                args.add(name=row[0], type=row[1].as_datatype_enum)
    for row in outputs:
        function.ret[row[0]] = row[2]
    for row in nodes:
        if len(row) == 2:
            add_constant(tf, function.node_def, *row)
        else:
            add_node(tf, function.node_def, *row[:3], **dict(*row[3:]))
    return function


def new_graph_def(tf):
    message = tf.GraphDef()
    message.versions.producer = 134
    return message


def defun_module(tf):
    """The private module with `Defun`, at the same path in both implementations."""
    package = "tensorflow" if tf.__name__ == "tensorflow" else "tfmini.compat"
    return importlib.import_module(package + ".python.framework.function")
