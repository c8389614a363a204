"""`tf.contrib.graph_editor`: views, copies with other inputs, in loops and conditions, swapped tensors."""

import numpy as np


def build(tf):
    ge = tf.contrib.graph_editor
    x = tf.placeholder(tf.float32, [2, 3], "x")
    with tf.name_scope("net"):
        weights = tf.constant(np.arange(9, dtype=np.float32).reshape(3, 3), name="weights")
        hidden = tf.tanh(tf.matmul(x, weights, name="product"), name="hidden")
        with tf.control_dependencies([hidden]):
            out = tf.reduce_sum(hidden, name="out")
    tf.add_to_collection("net/outputs", out)
    view = ge.sgv("net/.*", graph=tf.get_default_graph())
    scoped = ge.sgv_scope("net", tf.get_default_graph())
    other = tf.constant(np.ones((2, 3)), tf.float32, name="other")
    copied, info = ge.copy_with_input_replacements(view, {x: other}, dst_scope="again")
    held, _ = ge.copy(view, dst_scope="held", src_scope="net")
    replaced = ge.graph_replace([out, {"h": hidden}], {x: other * 2.0}, dst_scope="replaced")
    _, total = tf.while_loop(
        lambda i, t: i < 3, lambda i, t: [i + 1, t * other[0, 0] + 1.0], [tf.constant(0), out]
    )
    looped = ge.graph_replace(total, {other: other + 1.0}, dst_scope="looped")
    chosen = tf.cond(out > 0, lambda: hidden * 2.0, lambda: hidden - 1.0)
    a, b = tf.square(other, name="a"), tf.negative(other, name="b")
    after_a, after_b = tf.identity(a, name="after_a"), tf.identity(b, name="after_b")
    first = tf.add(a, b, name="first")
    counts = [ge.swap_ts(a, b, cannot_modify=[first.op]), ge.reroute_ts(a, b, can_modify=first.op)]
    ge.add_control_inputs(first.op, [after_a.op, after_b.op])
    ge.remove_control_inputs(first.op, after_a.op)

    def names(items):
        return [item.name for item in items]

    def boundary(found):
        return [names(found.ops), names(found.inputs), names(found.outputs)]

    ios = ge.ControlOutputs(tf.get_default_graph())
    with tf.Graph().as_default() as elsewhere:
        moved, _ = ge.copy(view, elsewhere, "far")
        ge.ph(tf.int32, [2], scope="far")
        apart = [[n.name, n.op, list(n.input)] for n in elsewhere.as_graph_def().node]
    facts = {
        "views": [boundary(v) for v in (view, scoped, copied, held, moved)],
        "transformed": [info.transformed(out).name, info.transformed(first), counts],
        "original": info.original(info.transformed(hidden)).name,
        "remapped": names(view.remap_outputs([0, out]).outputs),
        "passthrough": boundary(ge.sgv(hidden.op, ge.select_ts(other))),
        "text": str(view).split("\n")[1:],
        "walks": [
            names(ge.get_walks_intersection_ops([x.op], [out.op])),
            sorted(names(ge.get_walks_union_ops([hidden.op], [hidden.op], control_ios=ios))),
            sorted(names(ge.get_ops_ios(hidden.op, control_ios=ios))),
            names(ge.get_within_boundary_ops(tf.get_default_graph(), hidden.op, out.op)),
        ],
        "chosen": [
            names(ge.select_ops("^net/", graph=tf.get_default_graph())),
            names(ge.select_ops_and_ts("(?#ts)^a", graph=tf.get_default_graph())[1]),
        ],
        "placeholders": [ge.placeholder_name(hidden), ge.placeholder_name(scope="s")],
        "elsewhere": apart,
    }
    feed = {x: np.ones((2, 3))}
    steps = [
        ("copied", [info.transformed(out), out, replaced], feed),
        ("loop", [total, chosen], feed),
        ("copied loop", looped, feed),
        ("swapped", [after_a, after_b, first], None),
    ]
    return {"facts": facts, "steps": steps}
