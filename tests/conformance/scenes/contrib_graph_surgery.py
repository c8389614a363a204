"""tf.contrib.graph_editor: copied loops, replaced tensors in loops, repeated calls, errors."""


def _names(found):
    if found is None or isinstance(found, (str, bool, int)):
        return found
    if hasattr(found, "name"):
        return found.name
    if isinstance(found, dict):
        return sorted((_names(k), _names(v)) for k, v in found.items())
    return [_names(each) for each in found]


def loops(tf, stage):
    of = tf.contrib.graph_editor

    def built():
        x = tf.placeholder(tf.float32, [], name="x")
        y = tf.multiply(x, 2.0, name="y")

        def body(i, total):
            inner = tf.while_loop(lambda j, t: j < i, lambda j, t: (j + 1, t + y), (0, total))
            return i + 1, inner[1] + 1.0

        found = tf.while_loop(lambda i, t: i < 3, body, (0, x), name="loop")
        chosen = tf.cond(x > 1.0, lambda: found[1] * 10.0, lambda: y, name="choice")
        return x, y, found[1], chosen

    def run(graph, fetches):
        with tf.Session(graph=graph) as session:
            stage.say(session.run(fetches, {"x:0": 2.0}))

    for case in (
        lambda x, y, t, c: of.graph_replace({"a": c, "b": y}, {x: tf.constant(0.5)}, "again"),
    ):
        with tf.Graph().as_default() as graph, stage.failing():
            x, y, t, c = built()
            made = case(x, y, t, c)
            stage.say(made)
            run(graph, made)
            run(graph, [t, c])
            stage.brief_graph(names=False)
    for target, scope in ((None, "copied"), (tf.Graph(), ""), (tf.Graph(), "copied")):
        with tf.Graph().as_default() as graph, stage.failing():
            x, y, t, c = built()
            view, info = of.copy(of.sgv(graph), target, scope)
            stage.say(_names(view.inputs), sorted(_names(view.outputs)), len(view.ops))
            made = info.transformed([t, c])
            stage.say(made, _names(info.original(made)))
            with tf.Session(graph=target or graph) as session:
                stage.say(session.run(made, {info.transformed(x): 2.0}))
            stage.say(len(info.original(view.ops)), info.transformed(x.op).name)


def replaced(tf, stage):
    of = tf.contrib.graph_editor
    for case in (
        lambda a, b, c, d: of.graph_replace(d, {a: b}),
        lambda a, b, c, d: of.graph_replace(d, {a: b}, dst_scope="t/"),
        lambda a, b, c, d: of.graph_replace([d, c, b], {c: a}, "t"),
        lambda a, b, c, d: of.graph_replace(d, {c: a, a: b}),
        lambda a, b, c, d: of.graph_replace(d, {d: a}),
        lambda a, b, c, d: of.graph_replace(c, {d: a}),
        lambda a, b, c, d: of.graph_replace(d, {a: b}, "t", "no"),
        lambda a, b, c, d: of.graph_replace(d, {}),
        lambda a, b, c, d: of.graph_replace([], {a: b}),
        lambda a, b, c, d: of.graph_replace(d.op, {a: b}),
        lambda a, b, c, d: of.graph_replace(d, {a.op: b}),
        lambda a, b, c, d: of.graph_replace(d, [a]),
        lambda a, b, c, d: of.graph_replace(
            of.graph_replace(d, {a: b}, "t"), {b: c}, "t", reuse_dst_scope=True
        ),
        lambda a, b, c, d: [of.graph_replace(d, {a: b}, "t") for _ in range(2)],
        lambda a, b, c, d: of.copy(d.op, dst_scope="t")[0].inputs,
        lambda a, b, c, d: [of.copy(d.op, dst_scope="t")[0].ops for _ in range(2)],
        lambda a, b, c, d: [
            of.copy(d.op, dst_scope="t", reuse_dst_scope=True)[0].ops for _ in range(2)
        ],
        lambda a, b, c, d: of.copy([c.op, d.op], tf.Graph(), "t", "here")[0].ops,
        lambda a, b, c, d: of.copy([c.op, d.op])[1].transformed([c.op, {"k": d}, a]),
        lambda a, b, c, d: of.copy([c.op])[1].transformed(3),
        lambda a, b, c, d: of.copy([c.op])[1].original(d, missing_fn=lambda t: t.op),
        lambda a, b, c, d: (
            of.copy_with_input_replacements([c.op, d.op], {b: a}, None, "t")[0].inputs
        ),
    ):
        with tf.Graph().as_default() as graph, stage.failing():
            with tf.name_scope("here"):
                a = tf.placeholder(tf.float32, [2], name="a")
                b = tf.constant([3.0, 4.0], name="b")
                c = tf.add(a, b, name="c")
                with tf.control_dependencies([a]):
                    d = tf.multiply(c, b, name="d")
            with stage.failing():
                stage.say(_names(case(a, b, c, d)))
            stage.say(len(graph.get_operations()))
            stage.brief_graph(names=False)
            stage.say([op.name for op in graph.get_operations()][4:])


def handled(tf, stage):
    of = tf.contrib.graph_editor

    def built():
        with tf.name_scope("s"):
            a = tf.placeholder(tf.float32, None, name="a")
            b = tf.identity(a, name="b")
            b.set_shape([2])
            with tf.control_dependencies([a]):
                c = tf.negative(b, name="c")
        tf.add_to_collection("mine", b)
        tf.add_to_collection("losses", c.op)
        return a, b, c

    def shaped(info, op, inputs):
        return of.copy_op_handler(info, op, inputs, copy_shape=True)

    def renamed(node):
        node.attr["_told"].s = b"yes"
        return node

    def noted(info, op, inputs):
        return of.copy_op_handler(info, op, inputs, nodedef_fn=renamed)

    for name, handlers in (
        ("plain", {}),
        ("shapes", {"transform_op_handler": shaped}),
        ("noted", {"transform_op_handler": noted}),
        ("same", {"transform_op_handler": lambda info, op, inputs: (op, op.outputs)}),
        ("bool", {"transform_op_handler": lambda info, op, _: of.copy_op_handler(info, op, True)}),
        ("kept", {"transform_external_input_handler": of.keep_t_if_possible_handler}),
        ("placed", {"transform_external_input_handler": of.replace_t_with_placeholder_handler}),
        (
            "no controls",
            {
                "transform_control_input_handler": lambda info, op: (
                    of.transform_op_if_inside_handler(info, op, keep_if_possible=False)
                )
            },
        ),
        ("not collected", {"assign_collections_handler": lambda info, elem, copy: None}),
        (
            "told",
            {
                "assign_collections_handler": lambda info, elem, copy: stage.say(
                    elem.name, copy.name
                )
            },
        ),
    ):
        for other in (False, True):
            with tf.Graph().as_default() as graph, stage.failing():
                a, b, c = built()
                transformer = of.Transformer()
                for key, handler in handlers.items():
                    stage.say(name, other, key, hasattr(transformer, key))
                    setattr(transformer, key, handler)
                target = tf.Graph() if other else graph
                view, info = transformer(of.sgv(b.op, c.op), target, "t", "s")
                stage.say(_names(view.ops), _names(view.inputs), _names(view.outputs))
                stage.say([t.shape for t in view.outputs], [op.control_inputs for op in view.ops])
                stage.left(target)
    with tf.Graph().as_default() as graph:
        a, b, c = built()
        stage.attempts(
            lambda: of.Transformer()(of.sgv(b.op), graph, "t", "other"),
            lambda: of.add_control_inputs(c.op, a.op),
            lambda: of.remove_control_inputs(c.op, b.op),
            lambda: of.remove_control_inputs(c, a.op),
            lambda: of.detach_control_outputs(of.sgv(a.op), None),
            lambda: c.op.control_inputs,
            lambda: of.make_view(graph, graph=3),
            lambda: of.make_view(b.op, graph=tf.Graph()),
            lambda: _names(of.filter_ops(graph, True)),
            lambda: of.filter_ops(3, True),
            lambda: of.swap_ts([a], [tf.constant(1)]),
        )
        controls = of.ControlOutputs(graph)
        stage.say(_names(controls.get(a.op)), controls.graph is graph)
        with tf.control_dependencies([a]):
            tf.no_op("later")
        stage.say(_names(controls.get(a.op)))
        stage.say(_names(controls.update().get(a.op)), controls.get(c.op))
