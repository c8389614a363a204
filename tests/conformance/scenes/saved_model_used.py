"""Partial use of SavedModels: structured arguments and results, lists and dicts of objects, stepwise loading."""

import numpy as np

from tests.conformance.scenes.saved_model_files import _graph, _signature


def structures(tf, stage):
    tf.logging.set_verbosity(
        tf.logging.WARN
    )  # it logs functions without signatures, in arbitrary order
    spec = tf.TensorSpec

    def saved(obj, *args):
        tf.saved_model.save(obj, stage.folder, *args)
        return tf.saved_model.load_v2(stage.folder)

    def module(**functions):
        made = tf.Module()
        for name, function in functions.items():
            setattr(made, name, function)
        return made

    @tf.function
    def f(x, kind="a", size=None, rows=(1, 2), scale=2.0, dtype=tf.float32):
        y = tf.cast(x, dtype) * scale * len(rows)
        return {"y": y if kind == "a" else -y, "rows": (y, [y + 1.0])}

    def options():
        one = tf.constant(1.0)
        f(one)
        f(one, "b", scale=3.0)
        f(one, rows=(1, 2, 3), dtype=tf.float64)
        f(one, rows=[1])
        return saved(module(f=f))

    def refusals():
        found = options()
        one = tf.constant(1.0)
        for args, kwargs in (
            ((one,), {}),
            ((one, "b"), {"scale": 3.0}),
            ((one,), {"kind": "b", "scale": 3.0}),
            ((one,), {"rows": (1, 2, 3), "dtype": tf.float64}),
            ((one,), {"rows": [1, 2, 3], "dtype": tf.float64}),
            ((one,), {"rows": [1]}),
            ((one,), {"rows": (1,)}),
            ((one, "c"), {}),
            ((one,), {"none": 3}),
            ((2.0,), {}),
            ((np.float32(3.0),), {}),
            ((np.ones([2], np.float32),), {}),
            ((tf.constant([1.0]),), {}),
            ((None,), {}),
            ((object,), {}),
        ):
            stage.attempt(lambda: found.f(*args, **kwargs))  # noqa: B023  called here
        return len(found.f.concrete_functions)

    def nested():
        g = tf.function(
            lambda d, row: {"sum": d["a"] + d["b"][0], "row": [row[0], (row[1],)]},
            input_signature=[
                {"a": spec([None], tf.float32), "b": [spec([], tf.float32)]},
                (spec([], tf.int32), spec([2], tf.float32)),
            ],
        )
        found = saved(module(g=g))
        one = tf.constant(1.0)
        given = {"a": tf.ones([2]), "b": [one]}
        for args in (
            (given, (tf.constant(3), tf.ones([2]))),
            (given, (3, [1.0, 2.0])),
            (given, [3, [1.0, 2.0]]),
            (given, (3.5, [1.0, 2.0])),
            (given, (3, [1.0])),
            ({"a": tf.ones([2])}, (3, [1.0, 2.0])),
            (given,),
        ):
            stage.attempt(lambda: sorted(found.g(*args).items()))  # noqa: B023
        return sorted(found.signatures)

    def objects():
        made = tf.Module(name="outer")
        shared = tf.Variable(2.0, name="shared")
        made.rows = [tf.Variable(1.0), [tf.Variable(2, trainable=False)], {"k": shared}]
        made.table = {"a": shared, "deep": {"b": tf.Variable([1.0])}}
        made.inner = tf.Module(name="inner")
        made.inner.w = shared
        made.inner.call = tf.function(lambda: shared * 2.0, input_signature=[])
        made.plain, made.text, made.nothing = [1, 2], "t", None
        made.pair = (tf.Variable(5.0), 3)
        found = saved(made)
        found.inner.w.assign(10.0)
        return (
            found.rows[0].numpy(),
            found.rows[1][0].trainable,
            found.rows[2]["k"] is found.inner.w,
            found.table["deep"]["b"].numpy(),
            found.inner.call(),
            sorted(n for n in dir(found) if n[0] != "_" and n[:10] != "tensorflow"),
            len(found.rows),
            hasattr(found, "pair"),
        )

    def constants():
        table = tf.constant([1.0, 2.0, 3.0])
        made = module(pick=tf.function(lambda i: table[i], input_signature=[spec([], tf.int32)]))
        found = saved(made)
        again = saved(found)
        return found.pick(tf.constant(1)), again.pick(2), list(again.signatures)

    def branches():
        def pick(i, x):
            then = lambda: tf.cond(x > 2.0, lambda: x * 3.0, lambda: x + 0.5)  # noqa: E731
            return tf.switch_case(i, [lambda: -x, then, lambda: inner(x)])

        inner = tf.function(lambda x: x * x, input_signature=[spec([], tf.float32)])
        signature = [spec([], tf.int32), spec([], tf.float32)]
        made = module(pick=tf.function(pick, input_signature=signature), inner=inner)
        found = saved(saved(made))
        return [found.pick(i, x) for i in range(4) for x in (1.0, 3.0)]

    def assigning():
        made = tf.Module()
        made.v = tf.Variable([1, 2], dtype=tf.int64, name="count", shape=tf.TensorShape([None]))
        made.add = tf.function(
            lambda x: made.v.assign(tf.concat([made.v, x], 0)),
            input_signature=[spec([None], tf.int64)],
        )
        found = saved(made)
        found.add(tf.constant([7], tf.int64))
        return found.v, found.v.name, str(found.v.shape), found.add.input_signature is None

    def methods():
        class Own(tf.Module):
            @tf.function(input_signature=[spec([], tf.float32)])
            def __call__(self, x):
                return x * 3.0

            @tf.function
            def twice(self, x):
                return self(x) + self(x)

        made = Own()
        made.twice(tf.constant(1.0))
        found = saved(made, made.__call__)
        served = found.signatures["serving_default"]
        stage.attempt(lambda: found(tf.constant(2.0)))
        stage.attempt(lambda: found.twice(tf.constant(2.0)))
        stage.attempt(lambda: served(tf.constant(2.0), tf.constant(3.0)))
        stage.attempt(lambda: sorted(served.structured_outputs.items()))
        stage.attempt(lambda: [str(x.dtype) for x in served.inputs + served.outputs])
        return (
            len(found.signatures),
            list(found.signatures.items())[0][0],
            "none" in found.signatures,
        )

    stage.each_eagerly(
        {
            "refusals": refusals,
            "nested": nested,
            "objects": objects,
            "constants": constants,
            "branches": branches,
            "assigning": assigning,
            "methods": methods,
        }
    )


def by_a_loader(tf, stage):
    model = stage.folder + "/model"
    with tf.Session(graph=tf.Graph()) as session:
        x, y = _graph(tf)
        v = tf.global_variables()[0]
        session.run(tf.global_variables_initializer())
        builder = tf.saved_model.Builder(model)
        init = tf.assign(v, 5.0, name="init").op
        builder.add_meta_graph_and_variables(
            session, ["serve", "a"], {"s": _signature(tf, x, y)}, main_op=init
        )
        builder.add_meta_graph(["b"], saver=tf.train.Saver([v], name="mine"))
        builder.save()
    for tags, options in (
        (["b"], {}),
        (["serve", "a"], {"clear_devices": True}),
        (["a", "serve"], {"input_map": {"x:0": 1.0}}),
        (["serve", "a"], {"none": 1}),
        ("b", {"import_scope": "in"}),
        ("serve", {}),
        (3, {}),
        (["a"], {}),
        ([], {}),
    ):
        stage.say(tags, sorted(options))
        with tf.Session(graph=tf.Graph()) as session, stage.failing():
            tf.saved_model.load(session, tags, model, **options)
            stage.say([v.name for v in tf.global_variables()], tf.get_default_graph().version > 0)
            stage.say(session.run(tf.global_variables()))
    for scope in (None, "in"):
        with tf.Session(graph=tf.Graph()) as session, stage.failing():
            meta = tf.saved_model.load(session, ["serve", "a"], model, import_scope=scope)
            stage.say(meta.signature_def["s"].inputs["x"].name, session.run(tf.global_variables()))


def training_nodes_removed(tf, stage):
    util = tf.graph_util
    x = tf.placeholder(tf.float32, [2], name="x")
    a = tf.identity(x, name="a")
    checked = tf.check_numerics(tf.identity(a, name="b"), "m", name="checked")
    with tf.control_dependencies([checked]):
        c = tf.identity(tf.nn.relu(a, name="relu"), name="c")
    d = tf.identity(tf.identity(c, name="c2"), name="c3")
    with tf.control_dependencies([tf.identity(d, name="only_control")]):
        tf.add(d, checked, name="out")
    two = tf.split(x, 2, name="two")
    tf.identity(tf.identity(two[1], name="part"), name="last")
    definition = tf.get_default_graph().as_graph_def()
    for protected in (None, ["a"], ["c2", "part"], "a"):
        with stage.failing():
            made = util.remove_training_nodes(definition, protected)
            for node in made.node:
                stage.say(node.name, node.op, *node.input)
    with tf.Graph().as_default() as graph, tf.Session() as session:
        parts = tf.get_variable(
            "parts",
            [4, 2],
            initializer=tf.ones_initializer(),
            partitioner=tf.fixed_size_partitioner(2),
        )
        r = tf.get_variable("r", [2, 3], initializer=tf.zeros_initializer(), use_resource=True)
        found = tf.nn.embedding_lookup(parts, [0, 3], name="found")
        rows = tf.identity(tf.gather(r, [1]), name="rows")
        tf.matmul(found, r, name="out")
        session.run(tf.global_variables_initializer())
        convert = util.convert_variables_to_constants
        for outputs in (["out"], ["rows"], ["found", "rows"]):
            with stage.failing():
                made = convert(session, graph.as_graph_def(), outputs)
                stage.say([(n.name, n.op, list(n.input)) for n in made.node])
        del rows
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tf.identity(tf.get_variable("v", []), name="out")
        stage.attempt(util.convert_variables_to_constants, session, graph.as_graph_def(), ["out"])
