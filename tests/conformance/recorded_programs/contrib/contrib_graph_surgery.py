"""`tf.contrib.graph_editor`: parts detached, connected, gone round, and with inputs and outputs swapped."""

import numpy as np


def build(tf):
    ge = tf.contrib.graph_editor
    x = tf.placeholder(tf.float32, [2], "x")

    def part(name, source):
        with tf.name_scope(name):
            a = tf.add(source, 1.0, name="a")
            with tf.control_dependencies([a]):
                b = tf.square(a, name="b")
            with tf.control_dependencies([b]):
                after = tf.multiply(b, 2.0, name="after")
        return a.op, b.op, after

    def names(items):
        return [item.name for item in items]

    def view(v):
        return [names(v.ops), names(v.inputs), names(v.outputs), names(v.passthroughs)]

    graph, found, steps = tf.get_default_graph(), {}, []
    for kind in ("inputs", "outputs", "both", "ios"):
        a, b, after = part(kind, x)
        other = tf.constant([3.0, 4.0], name=kind + "_other")
        if kind == "inputs":
            made, inputs = ge.detach_inputs(b, control_inputs=True)
            found[kind] = [view(made), names(inputs)]
        elif kind == "outputs":
            made, outputs = ge.detach_outputs(ge.sgv([a, b]), ge.ControlOutputs(graph))
            found[kind] = [view(made), names(outputs)]
        elif kind == "both":
            made, inputs, outputs = ge.detach(ge.sgv(b), control_ios=ge.ControlOutputs(graph))
            found[kind] = [view(made), names(inputs), names(outputs)]
        else:
            found[kind] = list(map(view, ge.swap_ios(ge.sgv(b), ge.sgv(part("apart", other)[1]))))
        if kind in ("inputs", "both"):
            ge.connect(ge.sgv(a), ge.sgv(made.ops[0]))
        if kind in ("outputs", "both"):
            ge.reroute_ts(other, outputs)
        steps.append((kind, after, {x: np.float32([1, 2])}))
    a, b, after = part("round", x)
    made, inputs = ge.bypass(ge.sgv(b))
    found["round"] = [view(made), names(inputs)]
    steps.append(("round", after, {x: np.float32([1, 2]), inputs[0]: np.float32([0, 0])}))
    first, second = part("first", x), part("second", x * 5.0)
    both = tf.add(first[2], second[2], name="sum")
    found["swapped"] = list(map(view, ge.swap_inputs(first[1], second[1])))
    third, fourth = part("third", x), part("fourth", x * 5.0)
    found["rerouted"] = [
        list(map(view, ge.reroute_inputs(ge.sgv(third[1]), ge.sgv(fourth[1])))),
        list(map(view, ge.reroute_outputs(third[0], fourth[0]))),
        list(map(view, ge.swap_outputs(third[1], fourth[1]))),
        list(map(view, ge.reroute_ios(ge.sgv(first[0]), ge.sgv(third[0])))),
    ]
    ge.connect(ge.sgv(first[0]), ge.sgv(fourth[1]), disconnect_first=True)
    found["twice"] = ge.swap_ts(first[2], second[2])
    held = [op.outputs[0] for op in graph.get_operations() if op.type == "Placeholder"]
    feeds = {t: np.float32([i, 2 - i]) for i, t in enumerate(held)}
    steps.append(("sum", [both, first[2], second[2], third[2], fourth[2]], feeds))
    return {"steps": steps, "facts": found}
