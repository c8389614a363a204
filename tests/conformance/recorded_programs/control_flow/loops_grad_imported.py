"""Gradients of loops imported with their contexts, compared with gradients imported along with them."""


def build(tf):
    x = tf.placeholder(tf.float32, [None], name="x")
    w = tf.Variable([0.5, -0.7], name="w")

    def body(i, a):
        def inner(j, b):
            return j + 1, tf.sin(b) * w

        a = tf.while_loop(lambda j, b: j < i, inner, [0, a], name="inner")[1]
        return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: a * w, lambda: tf.square(a) + x)

    loop = tf.while_loop(lambda i, a: i < 3, body, [0, x], name="loop")[1]
    simple = tf.while_loop(
        lambda i, a: i < 2,
        lambda i, a: [i + 1, a * x],
        [0, loop],
        name="simple",
        maximum_iterations=4,
    )[1]
    forward = tf.train.export_meta_graph()
    own = tf.gradients(simple, [x, w])
    trained = tf.train.export_meta_graph()
    facts, fetches = {}, [own]
    for scope, meta in (("first", forward), ("second", trained)):
        tf.train.import_meta_graph(meta, import_scope=scope)
        graph = tf.get_default_graph()
        y, z, v = (
            graph.get_tensor_by_name(scope + "/" + name)
            for name in (simple.name, "x:0", "w/read:0")
        )
        grads = tf.gradients(y, [z, v], name="of_" + scope)
        if meta is trained:
            fetches.append([graph.get_tensor_by_name(scope + "/" + g.name) for g in own])
        fetches.append(grads)
        facts[scope] = [
            sorted(c.name for c in tf.get_collection("while_context")),
            [str(c.to_proto()) for c in tf.get_collection("while_context")],
        ]
    values = [0.9, -0.4]
    feed = {x: values, "first/x:0": values, "second/x:0": values}
    steps = [("init", tf.global_variables_initializer())]
    steps += [(str(i), fetch, feed) for i, fetch in enumerate(fetches)]
    return {"steps": steps, "facts": facts}
