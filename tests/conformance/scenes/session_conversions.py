"""Registered fetch and feed conversions, fetch structures without steps, callables with options."""

# ruff: noqa: B023  a function that is defined in a round is called in it

import collections
import importlib

import numpy as np


def _internal(tf, ours, name, theirs):
    if tf.__name__ == "tensorflow":
        return getattr(importlib.import_module("tensorflow.python.client.session"), theirs)
    return getattr(importlib.import_module("tfmini._src.session." + ours), name)


def structures(tf, stage):
    Handler = _internal(tf, "fetch_handler", "FetchHandler", "_FetchHandler")
    graph = tf.get_default_graph()
    a, b = tf.constant(1.0, name="a"), tf.constant([2, 3], name="b")
    op = tf.no_op(name="op")
    Row = collections.namedtuple("Row", "left right")
    sparse = tf.SparseTensor([[0, 1]], [1.0], [2, 3])
    slices = tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([0]))
    session = tf.Session()
    ordered = collections.OrderedDict([("z", a), ("y", op), ("x", [b, b])])
    for name, fetches in {
        "one": a,
        "operation": op,
        "name": "b:0",
        "name of an operation": "op",
        "list": [a, op, b],
        "tuple": (a, (b, [op, a])),
        "nothing": [],
        "nothing within": [(), {}, [a]],
        "dict": {"k": a, 3: [b]},
        "ordered": ordered,
        "named": Row(a, Row(op, b)),
        "sparse": [sparse, a],
        "slices": slices,
        "none": None,
        "number": 3,
        "unknown": "c:0",
        "no output": "op:0",
        "within": [a, {"k": "d"}],
        "set": {a},
    }.items():
        stage.say(name)
        with stage.failing():
            handler = Handler(graph, fetches, {})
            tensors = handler.fetches()
            stage.say([t.name for t in tensors], [o.name for o in handler.targets()])
            stage.say(handler.build_results(session, session.run(tensors)))
    handler = Handler(graph, [a, b, op], {a: np.array(7.0)})
    stage.say([t.name for t in handler.fetches()])
    stage.say(handler.build_results(session, [np.array([4, 5])]))


def callables_of_options(tf, stage):
    x = tf.placeholder(tf.float32, [2], name="x")
    y = tf.placeholder_with_default([1.0, 2.0], [2], name="y")
    z = tf.add(x, y, name="z")
    v = tf.Variable([0.0, 0.0], name="v")
    assign = v.assign(z, name="assign")
    session = tf.Session()
    session.run(v.initializer)

    def made(**fields):
        connections = fields.pop("connections", ())
        options = _options(tf)
        for name, values in fields.items():
            getattr(options, name).extend(values)
        for start, end in connections:
            options.tensor_connection.add(from_tensor=start, to_tensor=end)
        return session._make_callable_from_options(options)

    for fields, values in (
        ({"feed": ["x:0"], "fetch": ["z:0"]}, ([1.0, 2.0],)),
        ({"feed": ["x:0", "y:0"], "fetch": ["z:0", "x:0"]}, ([1.0, 2.0], [5.0, 6.0])),
        ({"feed": ["x:0"], "target": ["assign"]}, ([3.0, 4.0],)),
        ({"fetch": ["v:0"]}, ()),
        ({"fetch": ["y:0"]}, ()),
        ({"feed": ["x:0"], "fetch": ["z:0"]}, ()),
        ({"feed": ["x:0"], "fetch": ["z:0"]}, ([1.0, 2.0], 3)),
        ({"connections": [("y:0", "x:0")], "fetch": ["z:0"]}, ()),
        ({"connections": [("none:0", "x:0")], "fetch": ["z:0"]}, ()),
        ({"connections": [("y:0", "none:0")], "fetch": ["z:0"]}, ()),
        ({"connections": [("z:0", "x:0")], "fetch": ["z:0"]}, ()),
        ({"connections": [("y:0", "x:0")], "feed": ["x:0"], "fetch": ["z:0"]}, ([1.0, 2.0],)),
    ):
        stage.say(sorted(fields.items()), len(values))
        stage.attempt(lambda: made(**fields)(*[np.array(value, "f") for value in values]))
    stage.say(session.run(v), assign.op.type)


def _options(tf):
    if tf.__name__ == "tensorflow":
        return importlib.import_module("tensorflow.core.protobuf.config_pb2").CallableOptions()
    return importlib.import_module("tfmini._src.base.proto").CallableOptions()
