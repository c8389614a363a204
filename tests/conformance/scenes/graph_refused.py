"""Rejected GraphDefs, and the default graph afterwards; input maps, return elements."""


def _graph(tf, *rows, **more):
    """A GraphDef of (name, op, inputs, attrs)."""
    made = tf.GraphDef(**more)
    for name, op, inputs, attrs in rows:
        node = made.node.add(name=name, op=op, input=inputs)
        for key, value in attrs.items():
            if isinstance(value, tf.DType):
                node.attr[key].type = value.as_datatype_enum
            elif isinstance(value, bool):
                node.attr[key].b = value
            elif isinstance(value, int):
                node.attr[key].i = value
            elif isinstance(value, bytes):
                node.attr[key].s = value
            elif isinstance(value, float):
                node.attr[key].f = value
            else:
                node.attr[key].CopyFrom(value)
    return made


def _tried(tf, stage, cases):
    for name, (graph_def, options) in cases.items():
        stage.say(name)
        with tf.Graph().as_default() as graph:
            tf.constant(1.0, name="there")
            with stage.failing():
                found = tf.import_graph_def(graph_def, **options)
                if found is not None:
                    stage.say([each.name for each in found])
            stage.say([op.name for op in graph.get_operations()], graph.version > 0)


def _constant(tf, name="c", value=1.0):
    tensor = tf.AttrValue(tensor=tf.make_tensor_proto(value))
    return (name, "Const", [], {"dtype": tf.as_dtype(tensor.tensor.dtype), "value": tensor})


def nodes(tf, stage):
    f, i = tf.float32, tf.int32
    c = _constant(tf)
    T = {"T": f}
    _tried(
        tf,
        stage,
        {
            "no op": (_graph(tf, ("a", "", [], {})), {}),
            "unknown": (_graph(tf, ("a", "NoSuchOp", [], {})), {}),
            "no name": (_graph(tf, ("", "NoOp", [], {})), {}),
            "bad name": (_graph(tf, ("a b", "NoOp", [], {})), {}),
            "bad first": (_graph(tf, ("_a", "NoOp", [], {})), {"name": ""}),
            "twice": (_graph(tf, ("a", "NoOp", [], {}), ("a", "NoOp", [], {})), {}),
            "there": (_graph(tf, ("there", "NoOp", [], {})), {"name": ""}),
            "unknown input": (_graph(tf, ("a", "Neg", ["b"], T)), {}),
            "unknown control": (_graph(tf, ("a", "NoOp", ["^b"], {})), {}),
            "no output": (_graph(tf, c, ("a", "Neg", ["c:1"], T)), {}),
            "of a no-op": (_graph(tf, ("n", "NoOp", [], {}), ("a", "Neg", ["n"], T)), {}),
            "order": (_graph(tf, c, ("a", "Add", ["^c", "c", "c"], T)), {}),
            "control twice": (_graph(tf, c, ("a", "NoOp", ["^c", "^c"], {})), {}),
            "too few": (_graph(tf, c, ("a", "Add", ["c"], T)), {}),
            "too many": (_graph(tf, c, ("a", "Neg", ["c", "c"], T)), {}),
            "itself": (_graph(tf, ("a", "Neg", ["a"], T)), {}),
            "cycle": (_graph(tf, ("a", "Neg", ["b"], T), ("b", "Neg", ["a"], T)), {}),
            "back edge": (
                _graph(tf, c, ("a", "Add", ["c", "n"], T), ("n", "NextIteration", ["a"], T)),
                {},
            ),
            "other type": (_graph(tf, c, ("a", "Neg", ["c"], {"T": i})), {}),
            "no type": (_graph(tf, c, ("a", "Neg", ["c"], {})), {}),
            "type not allowed": (
                _graph(
                    tf, ("a", "Placeholder", [], {"dtype": f}), ("b", "BitwiseAnd", ["a", "a"], T)
                ),
                {},
            ),
            "more attrs": (_graph(tf, c, ("a", "Neg", ["c"], {"T": f, "more": 3})), {}),
            "hidden attr": (_graph(tf, c, ("a", "Neg", ["c"], {"T": f, "_more": 3})), {}),
            "attr of another kind": (_graph(tf, c, ("a", "Neg", ["c"], {"T": 3})), {}),
            "too small": (_graph(tf, c, ("a", "AddN", ["c"], {"T": f, "N": 0})), {}),
            "wrong count": (_graph(tf, c, ("a", "AddN", ["c"], {"T": f, "N": 2})), {}),
            "text not allowed": (
                _graph(
                    tf,
                    ("x", "Placeholder", [], {"dtype": f}),
                    (
                        "a",
                        "SpaceToDepth",
                        ["x"],
                        {"T": f, "block_size": 2, "data_format": b"other"},
                    ),
                ),
                {},
            ),
            "shapes": (
                _graph(
                    tf,
                    _constant(tf, "p", [[1.0, 2.0]]),
                    _constant(tf, "q", [[1.0, 2.0, 3.0]]),
                    (
                        "a",
                        "MatMul",
                        ["p", "q"],
                        {"T": f, "transpose_a": False, "transpose_b": False},
                    ),
                ),
                {},
            ),
            "no value": (_graph(tf, ("a", "Const", [], {"dtype": f})), {}),
        },
    )


def maps_and_results(tf, stage):
    f = tf.float32
    c = _constant(tf)
    T = {"T": f}
    made = _graph(tf, c, ("n", "Neg", ["c"], T), ("go", "NoOp", ["^n"], {}))

    def there(**options):
        return (made, options)

    class Own(dict):
        pass

    _tried(
        tf,
        stage,
        {
            "plain": there(),
            "named": there(name="in"),
            "named with a slash": there(name="in/"),
            "no name": there(name=""),
            "bad name": there(name="a b"),
            "returned": there(return_elements=["c", "n:0", "go"]),
            "none returned": there(return_elements=[]),
            "returned by tuple": there(return_elements=("n",)),
            "returned text": there(return_elements="n"),
            "returned numbers": there(return_elements=[3]),
            "returned unknown": there(return_elements=["x"]),
            "returned no output": there(return_elements=["n:1"]),
            "returned of a no-op": there(return_elements=["go:0"]),
            "returned badly": there(return_elements=["n:x"]),
            "unused map": there(input_map={"x": 1.0}),
            "map": there(input_map={"c": 2.0}, name="m"),
            "map by output": there(input_map={"c:0": [1.0, 2.0]}, name="m"),
            "map of another type": there(input_map={"c": "text"}, name="m"),
            "map of a wrong key": there(input_map={3: 1.0}, name="m"),
            "no map": there(input_map=[1]),
            "map without a name": there(input_map={"c": 2.0}, name=""),
            "map of a control": there(input_map={"^n": 2.0}, name="m"),
            "own map": there(input_map=Own(c=2.0), name="m"),
            "no graph": (3, {}),
            "text": ("node", {}),
            "op_dict": there(op_dict={}),
            "producers": there(producer_op_list=3),
            "more": there(more=3),
        },
    )
    with tf.Graph().as_default() as graph:
        x = tf.constant([5.0], name="x")
        y = tf.no_op(name="y")
        stage.attempts(
            lambda: tf.import_graph_def(made, {"^n": y}, ["go"], "three")[0].control_inputs[0].name,
            lambda: tf.import_graph_def(made, {"n": x}, ["n"]),
        )
        with tf.device("/cpu:0"), tf.name_scope("s"), tf.control_dependencies([y]):
            (found,) = tf.import_graph_def(made, return_elements=["n"])
            stage.say(found.name, found.device, [op.name for op in found.control_inputs])
        graph.finalize()
        stage.attempt(tf.import_graph_def, made)
