"""Nested, cleared and pruned control dependencies; colocation; all kinds of device scopes."""


def build(tf):
    a = tf.constant([1.0, 2.0], name="a")
    b = tf.constant([3.0, 4.0], name="b")
    v = tf.Variable([5.0, 6.0], name="v")
    with tf.control_dependencies([a, b.op]):
        c = tf.identity(v, name="c")
        with tf.control_dependencies([c]):
            d = tf.add(c, 1.0, name="needless")
            e = tf.no_op(name="e")
        with tf.control_dependencies(None):
            f = tf.constant(1.0, name="free")
    bump = v.assign_add([1.0, 1.0])
    with tf.control_dependencies([bump]):
        after = v.read_value()
    with tf.colocate_with(a):
        g = tf.multiply(b, 2.0, name="beside_a")
        with tf.colocate_with(v.op):
            h = tf.multiply(g, 2.0, name="beside_both")
        with tf.colocate_with(None, ignore_existing=True):
            i = tf.multiply(h, 2.0, name="alone")
    with tf.device("/cpu:0"):
        j = tf.constant(1.0, name="j")
        with tf.device("/job:localhost/task:0"):
            k = tf.negative(j, name="merged")
        with tf.device(None):
            m = tf.negative(k, name="nowhere")
        with tf.device(tf.DeviceSpec(device_type="CPU", device_index=0)):
            n = tf.negative(m, name="spec")

        def by_type(op):
            return "/device:CPU:0" if op.type == "Neg" else "/job:localhost"

        with tf.device(by_type):
            o = tf.negative(n, name="by_function")
            p = tf.abs(o, name="by_function_too")
    with tf.device("/job:localhost/replica:0/task:0/device:CPU:0"), tf.colocate_with(j):
        q = tf.identity(p, name="colocated_device")
    facts = {
        "devices": [t.device for t in [j, k, m, n, o, p, q]],
        "control": [[x.name for x in t.op.control_inputs] for t in [c, d, f, after]],
        "groups": [[str(x) for x in t.op.colocation_groups()] for t in [g, h, i]],
    }
    steps = [
        ("init", v.initializer),
        ("values", [c, d, f, g, h, i, k, m, n, o, p, q]),
        ("after", after),
        ("nothing", e),
    ]
    return {"facts": facts, "steps": steps}
