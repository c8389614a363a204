"""Functions that share graphs and variables, function attributes, executors."""

import importlib


def _module(tf, name):
    package = "tensorflow" if tf.__name__ == "tensorflow" else "tfmini.compat"
    return importlib.import_module(f"{package}.python.{name}")


def wrapped_graphs(tf, stage):
    module, spec = _module(tf, "eager.wrap_function"), tf.TensorSpec

    def add(x):
        v = tf.get_variable("v", [], initializer=tf.constant_initializer(3.0))
        return x + v, v.assign_add(1.0).op

    def shared():
        graph = module.WrappedGraph()
        f = graph.wrap_function(add, [spec([], tf.float32)])
        g = graph.wrap_function(lambda x: x * tf.get_variable("v", []), [spec([], tf.float32)])
        one = tf.constant(1.0)
        found = f(one)
        return (
            found[0],
            str(found[1]),
            g(one),
            g(one),
            sorted(graph.variables),
            sorted(graph.functions),
            [v.name for v in graph.graph.get_collection("variables")],
        )

    def holders(share):
        holder = module.VariableHolder(share_variables=share)

        def f(x):
            return x * tf.get_variable("w", [], initializer=tf.constant_initializer(2.0))

        call = holder.call_with_variable_creator_scope(f)
        g = module.WrappedGraph(variable_holder=holder)
        found = g.wrap_function(call, [spec([], tf.float32)])(tf.constant(4.0))
        return found, sorted(holder.variables)

    def of_graph_def(outputs):
        graph = tf.Graph()
        with graph.as_default():
            x = tf.placeholder(tf.float32, [None], name="x")
            y = tf.multiply(x, 2.0, name="y")
            tf.group(y, name="all")
        f = module.function_from_graph_def(graph.as_graph_def(), "x:0", outputs)
        return f(tf.constant([1.0, 2.0]))

    def structures():
        f = tf.compat.v1.wrap_function(
            lambda a, b, n: {"sum": a["x"][0] + b.values, "n": n},
            [{"x": [spec([1], tf.float32)]}, tf.SparseTensorSpec([None], tf.float32), 3],
        )
        return [t.name for t in f.inputs], str(f.structured_outputs), f.output_dtypes

    def called(function, *given):
        return tf.compat.v1.wrap_function(function, [spec([2], tf.float32)])(*given)

    stage.each_eagerly(
        {
            "shared": shared,
            "holder": lambda: holders(True),
            "of_graph_def_two": lambda: [str(x is None) for x in of_graph_def(["y:0", "all"])],
            "structures": structures,
            "text": lambda: called(lambda x: x * 2.0, ["a", "b"]),
            "few": lambda: (lambda two: called(lambda x: x * two))(tf.constant(2.0)),
        }
    )


def executors(tf, stage):
    """Functions with attributes, executors, registration without a call."""
    module = _module(tf, "eager.function")

    def attributes(**given):
        f = module.defun_with_attributes(lambda x: x * 2.0, attributes=given)
        concrete = f.get_concrete_function(tf.TensorSpec([], tf.float32))
        attrs = {k: str(v).strip() for k, v in concrete.function_def.attr.items()}
        return sorted(attrs.items())

    def compiled(given):
        f = tf.function(lambda x: x * 2.0, experimental_compile=given)
        concrete = f.get_concrete_function(tf.TensorSpec([], tf.float32))
        return sorted((k, str(v).strip()) for k, v in concrete.function_def.attr.items())

    def asked(name):
        with tf.experimental.function_executor_type(name):
            y = tf.function(lambda x: x + 1.0)(tf.constant(1.0))
            return y.op.get_attr("executor_type"), y

    def called_with(name):
        with tf.experimental.function_executor_type(name):
            return tf.function(lambda x: x + 1.0)(tf.constant(1.0))

    def nested():
        with tf.experimental.function_executor_type("none"):
            first = called_with("DEFAULT")
            try:
                called_with("single")
            except tf.errors.NotFoundError:
                pass
            with tf.experimental.function_executor_type(""):
                return first, tf.function(lambda x: x + 2.0)(tf.constant(1.0))

    def after_error():
        try:
            with tf.experimental.function_executor_type("none"):
                raise KeyError("inside")
        except KeyError:
            pass
        return tf.function(lambda x: x + 1.0)(tf.constant(1.0)).op.get_attr("executor_type")

    def registered():
        f = module.defun(lambda x: x * x)
        concrete = module.register(f, tf.constant(2.0))
        library = tf.get_default_graph().as_graph_def().library.function
        return len(library), len(concrete.inputs), len(tf.get_default_graph().get_operations())

    for name, case in {
        "attributes": lambda: attributes(a=True, b=3, c=1.5, d="text", e=b"bytes"),
        "attributes_wrong": lambda: attributes(a=[1]),
        "compiled": lambda: compiled(True),
        "single": lambda: asked("SINGLE_THREADED_EXECUTOR")[0],
        "unknown": lambda: asked("unknown")[0],
        "after_error": after_error,
        "registered": registered,
        "registered_wrong": lambda: module.register(lambda x: x, 1.0),
    }.items():
        with tf.Graph().as_default():
            stage.say(name)
            stage.attempt(case)
    stage.each_eagerly(
        {
            "unknown": lambda: asked("unknown"),
            **{
                f"asked_{name}": lambda name=name: called_with(name)
                for name in (
                    *("", "DEFAULT", "SINGLE_THREADED_EXECUTOR", "single_threaded_executor"),
                    *("default", "Default", " ", "DEFAULT "),
                )
            },
            "asked_none": lambda: called_with(None),
            "asked_inside": nested,
        }
    )


def collections(tf, stage):
    """Additions of function bodies to collections, in a graph with or without these."""
    function = _module(tf, "framework.function")

    def told():
        graph = tf.get_default_graph()
        keys = sorted(map(str, graph.get_all_collection_keys()))
        stage.say([(key, len(graph.get_collection(key))) for key in keys])

    def body(x):
        tf.add_to_collection("mine", 3)
        tf.add_to_collections(["one", "two"], x.shape)
        tf.summary.scalar("s", x)
        v = tf.get_variable("v", [], initializer=tf.zeros_initializer())
        tf.losses.add_loss(x)
        return x + v

    for before in (False, True):
        for options in ({}, {"capture_by_value": True}, {"func_name": "own"}):
            with tf.Graph().as_default():
                if before:
                    tf.add_to_collection("mine", 1)
                made = function.Defun(tf.float32, **options)(body)
                told()
                with stage.failing():
                    made(tf.constant(1.0))
                told()
                with stage.failing():
                    made(tf.constant(2.0))
                stage.say(tf.get_collection("mine"), tf.get_collection("two"))
                told()
    with tf.Graph().as_default():
        traced = tf.function(lambda x: (tf.add_to_collection("mine", 3), x * 2.0)[1])
        traced(tf.constant(1.0))
        told()
        tf.cond(
            tf.constant(True),
            lambda: (tf.add_to_collection("mine", 5), tf.constant(1.0))[1],
            lambda: tf.constant(2.0),
        )
        told()
