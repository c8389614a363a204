"""tf.cond: captured tensors, nested, several results, strict, on constants, with side effects."""


def build(tf):
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.constant(3.0, name="y")
    v = tf.Variable(1.0, name="v")
    z = tf.multiply(x, y)
    first = tf.cond(x < y, lambda: tf.add(x, z), lambda: tf.square(y))
    pair = tf.cond(x > 0, lambda: (x + 1.0, y), lambda: (tf.constant(0.0), tf.identity(x)))
    listed = tf.cond(x > 0, lambda: [x], lambda: [y], name="listed")
    strict = tf.cond(x > 0, lambda: [x], lambda: [y], strict=True, name="strict")
    named = tf.cond(x > 0, lambda: {"a": x, "b": y}, lambda: {"a": y, "b": x}, name="named")

    def inner():
        return tf.cond(x > 10.0, lambda: z * 2.0, lambda: tf.cond(x > 5.0, lambda: z, lambda: y))

    nested = tf.cond(x > 0, inner, lambda: -z, name="nested")
    assigned = tf.cond(x > 0, lambda: tf.assign(v, x), lambda: tf.assign_add(v, 100.0))
    with tf.control_dependencies([assigned]):
        after = tf.identity(v, name="after")
    grouped = tf.cond(x > 0, lambda: tf.group(v.assign_add(1.0)), tf.no_op, name="grouped")
    with tf.control_dependencies([first]), tf.name_scope("scope"):
        constant = tf.cond(tf.constant(True), lambda: x, lambda: tf.constant(9.0))
    reads = tf.cond(x > 0, lambda: v + 1.0, lambda: v.read_value(), name="reads")
    constants = tf.cond(x > 0, lambda: 1, lambda: 2, name="constants")
    vector = tf.cond(x > 0, lambda: tf.zeros([2]), lambda: tf.ones([3]), name="shapes")
    smart = [
        tf.contrib.framework.smart_cond(True, lambda: x + 1.0, lambda: y),
        tf.contrib.framework.smart_cond(tf.constant(False), lambda: x + 1.0, lambda: y),
        tf.contrib.framework.smart_cond(x > 0, lambda: x + 1.0, lambda: y),
    ]
    fetches = [first, pair, listed, strict, named, nested, constant, constants, vector, smart]
    facts = {
        "shape": str(vector.shape),
        "types": [type(t).__name__ for t in (first, pair, listed, strict, named, grouped)],
        "contexts": [c.name + " " + c.pred.name for c in tf.get_collection("cond_context")],
    }
    steps = [("init", v.initializer)]
    steps += [(f"x={k}", fetches, {x: k}) for k in (-2.0, 1.0, 4.0, 7.0, 11.0)]
    steps += [("assigned", [assigned, after], {x: 5.0}), ("v", v)]
    steps += [("added", [after], {x: -5.0}), ("grouped", grouped, {x: 1.0}), ("v", v)]
    steps += [("nothing", grouped, {x: -1.0}), ("reads", reads, {x: 1.0})]
    return {"facts": facts, "steps": steps}
