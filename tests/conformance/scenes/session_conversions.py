"""What programs make fetchable and feedable, structures of fetches apart from steps, callables with options."""

# ruff: noqa: B023  a function that is defined in a round is called in it

import collections
import importlib

import numpy as np


def _internal(tf, ours, name, theirs):
    if tf.__name__ == "tensorflow":
        return getattr(importlib.import_module("tensorflow.python.client.session"), theirs)
    return getattr(importlib.import_module("tfmini._src.session." + ours), name)


def types_of_ones_own(tf, stage):
    name = "register_session_run_conversion_functions"
    register = _internal(tf, "fetches", name, name)
    x, y = tf.placeholder(tf.float32, [], name="x"), tf.placeholder(tf.float32, [], name="y")

    class Pair:
        def __init__(self, first, second):
            self.first, self.second = first, second

    class Later(Pair):
        pass

    class Fetched:
        def __init__(self, tensor):
            self.tensor = tensor

    pair = Pair(x, y)
    total = tf.add(x, y, name="total")
    session = tf.Session()
    stage.attempt(session.run, pair)
    stage.attempt(session.run, total, {pair: (1.0, 2.0)})
    register(
        Pair,
        lambda p: (
            [p.first, p.second],
            lambda values: {"sum": float(sum(values)), "of": len(values)},
        ),
        lambda p, value: [(p.first, value[0]), (p.second, value[1])],
        lambda p: [p.first, p.second],
    )
    register(Fetched, lambda f: ([f.tensor], lambda values: float(values[0] * 10)))
    stage.attempts(lambda: session.run(total, {pair: 3.0}), lambda: register(Pair, len))
    handle = session.partial_run_setup([total], [pair])
    stage.attempt(session.partial_run, handle, total, {pair: (1.0, 2.0)})
    handle = session.partial_run_setup([total], [x, y])


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
