"""tf.contrib.graph_editor: subgraphs selected, copied, detached, rewired."""

import re


def _built(tf):
    with tf.name_scope("in"):
        x = tf.placeholder(tf.float32, [2], name="x")
        y = tf.constant([3.0, 4.0], name="y")
    with tf.name_scope("mid"):
        s = tf.add(x, y, name="s")
        with tf.control_dependencies([s]):
            m = tf.multiply(x, s, name="m")
        first, rest = tf.split(m, 2, name="parts")
    with tf.name_scope("out"):
        a = tf.add(first, rest, name="a")
        with tf.control_dependencies([m.op, a.op]):
            b = tf.sqrt(a, name="b")
    tf.add_to_collection("kept", a)
    tf.add_to_collection("trainable_variables", b)
    return x, y, s, m, first, rest, a, b


def _names(found):
    if found is None or isinstance(found, (str, bool, int)):
        return found
    if isinstance(found, dict):
        return sorted((_names(k), _names(v)) for k, v in found.items())
    if hasattr(found, "name"):
        return found.name
    return [_names(each) for each in found]


def chosen(tf, stage):
    of = tf.contrib.graph_editor
    x, y, s, m, first, rest, a, b = _built(tf)
    graph, other = tf.get_default_graph(), tf.Graph()
    for case in (
        lambda: of.get_backward_walk_ops([a.op]),
        lambda: of.get_backward_walk_ops([a.op], inclusive=False),
        lambda: of.get_backward_walk_ops([a], inclusive=False),
        lambda: of.get_backward_walk_ops([b.op], control_inputs=True),
        lambda: of.get_backward_walk_ops([m.op], control_inputs=False, within_ops=[m.op, s.op]),
        lambda: of.get_backward_walk_ops([a.op], stop_at_ts=[m]),
        lambda: of.get_backward_walk_ops(
            [a.op], within_ops_fn=lambda op: "mid" in op.name or op is a.op
        ),
        lambda: of.get_backward_walk_ops([s.op], within_ops=[a.op]),
        lambda: of.get_forward_walk_ops([x.op]),
        lambda: of.get_forward_walk_ops([x.op], inclusive=False),
        lambda: of.get_forward_walk_ops([x], inclusive=False),
        lambda: of.get_forward_walk_ops([y.op], stop_at_ts=[s]),
        lambda: of.get_forward_walk_ops([m.op], control_outputs=of.ControlOutputs(graph)),
        lambda: of.get_forward_walk_ops([s.op], within_ops=[s.op, m.op]),
        lambda: of.get_forward_walk_ops([s.op], within_ops_fn=lambda op: op is not m.op),
        lambda: of.get_walks_union_ops([y.op], [s.op]),
        lambda: of.get_walks_union_ops([y.op], [s.op], False, False),
        lambda: of.get_walks_union_ops([x.op], [a.op], within_ops=[s.op, m.op, x.op, a.op]),
        lambda: of.get_walks_union_ops([m.op], [m.op], control_inputs=True, control_outputs=True),
        lambda: of.get_walks_intersection_ops([s.op], [m.op]),
        lambda: of.get_walks_intersection_ops([s.op], [a.op], False, True),
        lambda: of.get_walks_intersection_ops(
            [s.op], [b.op], control_inputs=True, control_ios=None
        ),
        lambda: of.get_walks_intersection_ops([s.op], [b.op], control_ios=of.ControlOutputs(graph)),
        lambda: of.get_within_boundary_ops([x.op, s.op, m.op, a.op], [x.op, a.op]),
        lambda: of.get_within_boundary_ops(graph, [s], (), True),
        lambda: of.get_within_boundary_ops(graph, [m.op], (), False),
        lambda: of.get_within_boundary_ops(graph, [y.op], (), True, control_inputs=True),
        lambda: of.compute_boundary_ts([s.op, m.op]),
        lambda: of.compute_boundary_ts([first.op, a.op, m.op]),
        lambda: of.get_name_scope_ops(graph.get_operations(), "mid"),
        lambda: of.get_name_scope_ops(graph.get_operations(), "mid/"),
        lambda: of.get_name_scope_ops(graph.get_operations(), ""),
        lambda: of.get_ops_ios([m.op]),
        lambda: of.get_ops_ios([m.op], control_inputs=True),
        lambda: of.get_ops_ios([s.op], control_outputs=of.ControlOutputs(graph)),
        lambda: of.get_tensors(graph),
        lambda: of.get_tensors([graph]),
        lambda: of.get_consuming_ops([x, s]),
        lambda: of.get_consuming_ops(b),
        lambda: of.get_generating_ops([s, first, rest]),
        lambda: of.get_generating_ops(s.op),
        lambda: of.check_cios(False),
        lambda: of.check_cios(True),
        lambda: of.check_cios(of.ControlOutputs(graph))[0],
        lambda: of.check_cios(of.ControlOutputs(graph), True),
        lambda: of.check_cios(True, graph),
        lambda: of.ControlOutputs(3),
        lambda: of.ControlOutputs(graph).get(m.op),
        lambda: of.ControlOutputs(graph).get_all(),
        lambda: of.make_list_of_op(s.op),
        lambda: of.make_list_of_op([s.op, m], ignore_ts=True),
        lambda: of.make_list_of_op([s.op, m]),
        lambda: of.make_list_of_op(graph)[:2],
        lambda: of.make_list_of_op(graph, allow_graph=False),
        lambda: of.make_list_of_op(s.op, other),
        lambda: of.make_list_of_t(s),
        lambda: of.make_list_of_t([s, m.op], ignore_ops=True),
        lambda: of.make_list_of_t([s, m.op]),
        lambda: of.make_list_of_t(graph)[:2],
        lambda: of.make_list_of_t(graph, allow_graph=False),
        lambda: of.make_list_of_t([s], other),
        lambda: of.can_be_regex("a"),
        lambda: of.can_be_regex(3),
        lambda: of.make_regex("a.*").pattern,
        lambda: of.make_regex(re.compile("b")).pattern,
        lambda: of.make_regex(3),
        lambda: of.filter_ops(graph, lambda op: op.type == "Add"),
        lambda: of.filter_ops([s, m.op], True),
        lambda: of.filter_ops([m.op, s.op], lambda op: op is s.op),
        lambda: of.filter_ops_from_regex(graph, "^mid/.*[sm]$"),
        lambda: of.filter_ts([s.op, m.op], lambda t: t is m),
        lambda: of.filter_ts(graph, True),
        lambda: of.filter_ts_from_regex(graph, "parts.*1$"),
        lambda: of.select_ops("^mid", graph=graph),
        lambda: of.select_ops("mid/s", "out/a", a.op, graph=graph),
        lambda: of.select_ops("s$", graph=graph, positive_filter=lambda op: op.type == "Split"),
        lambda: of.select_ops("mid/s"),
        lambda: of.select_ops(3, graph=graph),
        lambda: of.select_ops("(?#ts)mid", graph=graph),
        lambda: of.select_ops("mid", graph=graph, restrict_ops_regex=True),
        lambda: of.select_ops("(?#ops)mid/m", graph=graph, restrict_ops_regex=True),
        lambda: of.select_ops("mid", graph=graph, nothing=1),
        lambda: of.select_ts("mid/parts", graph=graph),
        lambda: of.select_ts("(?#ts)mid/m", graph=graph, restrict_ts_regex=True),
        lambda: of.select_ts("mid/m", graph=graph, restrict_ts_regex=True),
        lambda: of.select_ts([s, [m]]),
        lambda: of.select_ts(s.op),
        lambda: of.select_ts("(?#ops)mid", graph=graph),
        lambda: of.select_ts("s", positive_filter=lambda t: "mid" in t.name, graph=graph),
        lambda: of.select_ts("s", graph=graph, nothing=1),
        lambda: of.select_ops_and_ts("(?#ops)mid/s", "(?#ts)mid/m:0", graph=graph),
    ):
        with stage.failing():
            found = _names(case())  # TensorFlow walks in arbitrary order
            flat = isinstance(found, list) and all(isinstance(name, str) for name in found)
            stage.say(sorted(found) if flat else found)


def _view(stage, view):
    stage.say(_names(view.ops), _names(view.inputs), _names(view.outputs))
    stage.say(
        _names(view.passthroughs), _names(view.connected_inputs), _names(view.connected_outputs)
    )


def views(tf, stage):
    of = tf.contrib.graph_editor
    x, y, s, m, first, rest, a, b = _built(tf)
    view = of.sgv(s.op, m.op)
    for make in (
        lambda: view,
        lambda: of.SubGraphView([s.op], [x]),
        lambda: of.SubGraphView((), [x, s]),
        lambda: of.make_view("^mid", graph=tf.get_default_graph()),
        lambda: of.make_view([s.op, view]),
        lambda: of.make_view_from_scope("mid", tf.get_default_graph()),
        lambda: of.make_view_from_scope("", tf.get_default_graph()),
        lambda: view.copy(),
        lambda: view.remap([1, 0], [0]),
        lambda: view.remap(None, []),
        lambda: view.remap([0]),
        lambda: view.remap([0, 0]),
        lambda: view.remap([7]),
        lambda: view.remap_inputs([1]),
        lambda: view.remap_outputs([0, 0]),
        lambda: view.remap_outputs_make_unique(),
        lambda: view.remap_outputs([0, 0]).remap_outputs_make_unique(),
        lambda: view.remap_outputs([]).remap_outputs_to_consumers(),
        lambda: view.remap_default(),
        lambda: view.remap_default(remove_input_map=False, remove_output_map=False),
        lambda: of.sgv(y.op).remap_default().remove_unused_ops(),
        lambda: of.sgv(s.op, m.op, first.op).remap_outputs([0]).remove_unused_ops(),
        lambda: of.sgv(s.op, b.op).remap_outputs([]).remove_unused_ops(),
        lambda: of.sgv(s.op, m.op, b.op).remap_outputs([0]).remove_unused_ops(True),
    ):
        with stage.failing():
            _view(stage, make())
    stage.attempts(
        lambda: view.input_index(x),
        lambda: view.output_index(m),
        lambda: view.find_op_by_name("mid/s").name,
        lambda: view.find_op_by_name("none"),
        lambda: view.op("mid/m").name,
        lambda: view.is_passthrough(x),
        lambda: _names(view.consumers()),
        lambda: len(str(view).split("\n")),
    )
    with view as inside:
        stage.say(inside is view)
    with tf.Graph().as_default():
        foreign = tf.constant(1.0)
    stage.attempt(of.sgv, s.op, foreign.op)


def placeholders(tf, stage):
    of = tf.contrib.graph_editor
    x = _built(tf)[0]
    stage.attempts(
        lambda: of.placeholder_name(x),
        lambda: of.placeholder_name(x, "sc"),
        lambda: of.placeholder_name(scope="sc"),
        lambda: of.placeholder_name(),
        lambda: of.placeholder_name(x, prefix="p"),
        lambda: of.placeholder_name(3),
        lambda: of.make_placeholder_from_tensor(x),
        lambda: of.make_placeholder_from_tensor(x, "sc", "p"),
        lambda: of.ph(tf.int32),
        lambda: of.ph(tf.int32, [1], "sc"),
        lambda: of.ph(tf.int32, [1], "sc", "p"),
    )


def _after(stage, tf, *fetches):
    with tf.Session() as session:
        try:
            stage.say(session.run(list(fetches), {"in/x:0": [1.0, 2.0]}))
        except (
            tf.errors.InvalidArgumentError
        ):  # of a cycle, or of placeholders: which one is random
            stage.say("does not run")


def put_together_another_way(tf, stage):
    of = tf.contrib.graph_editor

    def each(case):
        with tf.Graph().as_default():
            x, y, s, m, first, rest, a, b = _built(tf)
            z = tf.constant([10.0, 20.0], name="z")
            with stage.failing():
                made = case(x, y, s, m, first, rest, a, b, z)
                for part in made if isinstance(made, tuple) else [made]:
                    if hasattr(part, "ops"):
                        _view(stage, part)
                    else:
                        stage.say(_names(part))
            stage.brief_graph()
            _after(stage, tf, "mid/s:0", "mid/m:0", "out/b:0")

    for case in (
        lambda x, y, s, m, first, rest, a, b, z: of.swap_ts([y], [z]),
        lambda x, y, s, m, first, rest, a, b, z: of.swap_ts([y], [z], can_modify=[s.op]),
        lambda x, y, s, m, first, rest, a, b, z: of.swap_ts([y], [z], cannot_modify=[s.op]),
        lambda x, y, s, m, first, rest, a, b, z: of.swap_ts([y, x], [z]),
        lambda x, y, s, m, first, rest, a, b, z: of.swap_ts([first], [z]),
        lambda x, y, s, m, first, rest, a, b, z: of.reroute_ts([z], [y]),
        lambda x, y, s, m, first, rest, a, b, z: of.reroute_ts([z], [x], can_modify=[m.op]),
        lambda x, y, s, m, first, rest, a, b, z: of.reroute_ts([z], [x], cannot_modify=[m.op]),
        lambda x, y, s, m, first, rest, a, b, z: of.reroute_ts(z, x),
        lambda x, y, s, m, first, rest, a, b, z: of.reroute_ts([z, x], [x]),
        lambda x, y, s, m, first, rest, a, b, z: of.swap_inputs(of.sgv(s.op), [z, y]),
        lambda x, y, s, m, first, rest, a, b, z: of.reroute_inputs([z, z], of.sgv(s.op)),
        lambda x, y, s, m, first, rest, a, b, z: of.swap_outputs(of.sgv(s.op), of.sgv(z.op)),
        lambda x, y, s, m, first, rest, a, b, z: of.reroute_outputs(of.sgv(z.op), of.sgv(s.op)),
        lambda x, y, s, m, first, rest, a, b, z: of.swap_ios(of.sgv(s.op), of.sgv(m.op)),
        lambda x, y, s, m, first, rest, a, b, z: of.reroute_ios(of.sgv(m.op), of.sgv(s.op)),
        lambda x, y, s, m, first, rest, a, b, z: of.remove_control_inputs(b.op, [m.op]) or 0,
        lambda x, y, s, m, first, rest, a, b, z: of.remove_control_inputs(b.op, s.op) or 0,
        lambda x, y, s, m, first, rest, a, b, z: of.add_control_inputs(b.op, [s.op]) or 0,
        lambda x, y, s, m, first, rest, a, b, z: of.add_control_inputs(b.op, [m.op]) or 0,
        lambda x, y, s, m, first, rest, a, b, z: of.add_control_inputs(b, m.op) or 0,
        lambda x, y, s, m, first, rest, a, b, z: of.detach(of.sgv(s.op)),
        lambda x, y, s, m, first, rest, a, b, z: of.detach(of.sgv(m.op), control_inputs=True),
        lambda x, y, s, m, first, rest, a, b, z: of.detach(
            of.sgv(m.op), control_outputs=of.ControlOutputs(m.graph)
        ),
        lambda x, y, s, m, first, rest, a, b, z: of.detach_inputs(of.sgv(s.op)),
        lambda x, y, s, m, first, rest, a, b, z: of.detach_inputs(of.sgv(m.op), True),
        lambda x, y, s, m, first, rest, a, b, z: of.detach_outputs(of.sgv(s.op)),
        lambda x, y, s, m, first, rest, a, b, z: of.detach_outputs(of.sgv(b.op)),
        lambda x, y, s, m, first, rest, a, b, z: of.bypass(of.sgv(m.op).remap_inputs([0])),
        lambda x, y, s, m, first, rest, a, b, z: of.bypass(of.sgv(m.op)),
        lambda x, y, s, m, first, rest, a, b, z: of.connect(
            of.sgv(z.op), of.sgv(s.op).remap_inputs([1])
        ),
        lambda x, y, s, m, first, rest, a, b, z: of.connect(
            of.sgv(z.op), of.sgv(m.op).remap_inputs([0]), True
        ),
        lambda x, y, s, m, first, rest, a, b, z: of.connect(of.sgv(z.op), of.sgv(s.op)),
    ):
        each(case)


def copied(tf, stage):
    of = tf.contrib.graph_editor
    for case in (
        lambda v, g: of.copy(v),
        lambda v, g: of.copy(v, dst_scope="again"),
        lambda v, g: of.copy(v, dst_scope="again", src_scope="mid"),
        lambda v, g: of.copy(v, dst_scope="again", src_scope="other"),
        lambda v, g: of.copy(v, g, "again"),
        lambda v, g: of.copy(v, dst_scope="in"),
        lambda v, g: of.copy(v, dst_scope="in", reuse_dst_scope=True),
        lambda v, g: of.copy("mid", dst_scope="x"),
        lambda v, g: of.copy(v, 3),
        lambda v, g: of.copy_with_input_replacements(v, {v.inputs[0]: v.inputs[1]}, dst_scope="r"),
        lambda v, g: of.copy_with_input_replacements(v, {}, g, "r", "mid", True),
        lambda v, g: of.copy_with_input_replacements(v, {v.inputs[0]: 3}, dst_scope="r"),
        lambda v, g: of.copy_with_input_replacements(v, [v.inputs[0]]),
    ):
        with tf.Graph().as_default() as graph, stage.failing():
            _built(tf)
            view = of.sgv("^(mid|out)", graph=graph)
            other = tf.Graph()
            copy, info = case(view, other)
            _view(stage, copy)
            op = graph.get_operation_by_name("mid/s")
            stage.say(
                _names(info.transformed(op)),
                _names(info.transformed(op.outputs[0])),
                _names(info.original(copy.ops[0])),
                _names(info.transformed(graph.get_operation_by_name("in/x"), lambda op: "none")),
                info.transformed(graph.get_operation_by_name("in/x")),
                _names(info.original(op, lambda op: "none")),
            )
            stage.say([line.strip() for line in str(info).split("\n") if "graph[" not in line])
            stage.left(copy.graph)
    for case in (
        lambda t, n: of.graph_replace(t, {n("in/y:0"): n("in/x:0")}),
        lambda t, n: of.graph_replace([t, n("mid/s:0")], {n("in/x:0"): n("in/y:0")}, "mine", "mid"),
        lambda t, n: of.graph_replace(
            {"k": t}, {n("mid/s:0"): n("in/y:0")}, "in", reuse_dst_scope=True
        ),
        lambda t, n: of.graph_replace(t, {n("out/b:0"): n("in/y:0")}),
        lambda t, n: of.graph_replace(n("in/y:0"), {n("mid/m:0"): n("in/y:0")}),
        lambda t, n: of.graph_replace(t, {}),
    ):
        with tf.Graph().as_default() as graph, stage.failing():
            made = case(_built(tf)[-1], graph.get_tensor_by_name)
            stage.say(made)
            stage.brief_graph()
