"""Unique names, re-entered name scopes, operators inside them."""


def build(tf):
    a = tf.constant(1.0)
    b = tf.constant(2.0)
    named = [tf.constant(float(i), name="cool_const") for i in range(3)]
    with tf.name_scope("outer") as outer:
        c = a + b
        with tf.name_scope("inner"):
            d = tf.multiply(c, 3.0, name="times")
            e = d - a
        with tf.name_scope("inner") as second:
            f = e / b
        with tf.name_scope(None):
            g = tf.add(a, b, name="at_the_top")
    with tf.name_scope(outer):
        h = tf.identity(f, name="back")
    with tf.name_scope("outer"):
        i = tf.identity(h, name="other")
    with tf.name_scope("Camel.case-1/x") as slashed:
        j = tf.add_n([g, i])
    k = tf.identity(j, name="outer/inner/times")
    with tf.name_scope("same"), tf.name_scope("same"):
        m = tf.negative(k, name="same")
    with tf.name_scope("", "default", [m]) as empty:
        n = tf.abs(m)
    with tf.name_scope(None, "default", [n]) as default:
        o = tf.sqrt(n)
    graph = tf.get_default_graph()
    facts = {
        "scopes": [outer, second, slashed, empty, default],
        "names": [t.name for t in named + [c, d, e, f, g, h, i, j, k, m, n, o]],
        "unique": [graph.unique_name("cool_const", mark_as_used=False), graph.unique_name("zz/y")],
        "unique again": [graph.unique_name("zz"), graph.unique_name("zz/y")],
        "reprs": [repr(c), str(o), repr(o.op.name), repr(c.shape)],
        "op def": o.op.type,
    }
    return {"facts": facts, "steps": [("values", [c, d, e, f, g, h, i, j, k, m, n, o] + named)]}
