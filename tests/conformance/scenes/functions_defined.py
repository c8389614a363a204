"""Functions with declared dtypes, and blocks that order side effects: options, captures and errors."""

import importlib

import numpy as np

from tests.support.models.function_graphs import defun_module


def _module(tf, name):
    package = "tensorflow" if tf.__name__ == "tensorflow" else "tfmini.compat"
    return importlib.import_module(f"{package}.python.{name}")


def _said(function):
    """A FunctionDef in full, without the number in its name."""
    d = function.definition
    signature = d.signature
    nodes = [(n.name, n.op, list(n.input), n.device, sorted(n.attr)) for n in d.node_def]
    arguments = [(a.name, a.type) for a in (*signature.input_arg, *signature.output_arg)]
    attrs = sorted((k, str(v).strip()) for k, v in d.attr.items())
    return (
        arguments,
        signature.is_stateful,
        signature.description,
        nodes,
        sorted(d.ret.items()),
        attrs,
    )


def captured_variables(tf, stage):
    """A resource variable is captured by its handle, unless its value is read."""
    of, extra = defun_module(tf), []
    x = tf.constant([1.0, 2.0], name="x")
    start = tf.constant_initializer([3.0, 4.0])

    def read(a):
        v = tf.get_variable("v", [2], initializer=start)
        extra.append((of.get_extra_vars(), of.get_extra_inputs(), of.get_extra_args()))
        return a * v

    made = []
    for by_value in (None, True, False):
        options = {} if by_value is None else {"capture_resource_var_by_value": by_value}
        function = of.Defun(tf.float32, func_name=f"Read{by_value}", **options)(read)
        with stage.failing(), tf.variable_scope(f"outer{by_value}", use_resource=True):
            made.append(function(x))
            stage.say(by_value, [t.dtype.name for t in function.captured_inputs])
            stage.say(*[[each.name for each in part] for part in extra.pop()])
            stage.say(*_said(function))
            stage.say([t.name for t in made[-1].op.inputs], made[-1].op.type)
    stage.say([v.name for v in tf.global_variables()])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        stage.attempt(session.run, made)
    stage.say(of.get_extra_vars(), of.get_extra_inputs(), of.get_extra_args())


def calls(tf, stage):
    of = defun_module(tf)

    @of.Defun()
    def any_kind(a, b):
        return a + b

    @of.Defun(func_name="Many")
    def many(*a):
        return tf.add_n(a)

    @of.Defun(func_name="Squared", python_grad_func=lambda op, g: [g * 7.0])
    def squared(a):
        return a * a

    @of.Defun(tf.float32, func_name="Shaped", shape_func=lambda op: [[2, 3], [4]])
    def two_shapes(a):
        return a

    @of.Defun(tf.float32, func_name="Inner")
    def inner(a):
        return a * 3.0

    @of.Defun(tf.float32, func_name="Outer")
    def outer(a):
        return inner(a) + inner(a * 2.0)

    @of.Defun(func_name="Nothing")
    def nothing():
        tf.no_op()

    @of.Defun(tf.float32, tf.float32, func_name="Grad")
    def gradient(a, g):
        return g * a * 11.0

    def back(f, *given, **options):
        x = tf.constant([1.0, 2.0])
        y = f(x, *given, **options)
        return y, tf.gradients(y, x)

    ones = np.ones([2, 3], "f")
    stage.each(
        {
            **{
                f"any_{k}": lambda k=k: any_kind(np.array([1, 0], k), np.array([1, 1], k))
                for k in ("f", "d", "i", "i8", "e", "i2", "F", "D")
            },
            "any_resource": lambda: any_kind(
                tf.get_variable("v", [], use_resource=True).handle, tf.constant(1.0)
            ),
            "squared": lambda: back(squared),
            "two_shapes": lambda: two_shapes(ones),
            "outer": lambda: back(outer),
            "nothing": lambda: str(nothing()),
            "wrong_both": lambda: gradient(tf.constant(1), tf.constant(True)),
            "wrong_one": lambda: gradient(tf.constant(1.0), tf.constant(True)),
            "device": lambda: _on(tf, of),
        }
    )


def _on(tf, of):
    with tf.device("/device:CPU:0"):

        @of.Defun(tf.float32, func_name="OnDevice")
        def placed(a):
            return a + 1.0

        return placed(2.0)


def ordered_effects(tf, stage):
    """Blocks whose side effects run in program order."""
    deps = _module(tf, "framework.auto_control_deps") if tf.__name__ == "tensorflow" else None
    if deps is None:
        deps = importlib.import_module("tfmini._src.functions.auto_control_deps")
    Block = deps.AutomaticControlDependencies

    def controls(graph):
        return [
            f"{op.name}: {sorted(c.name for c in op.control_inputs)}"
            for op in graph.get_operations()
            if op.control_inputs
        ]

    def straight():
        v = tf.get_variable("v", initializer=1.0, use_resource=True)
        with Block() as block:
            v.assign_add(1.0)
            first = v.read_value()
            v.assign(first * 10.0)
            result = block.mark_as_return(v.read_value())
        return result, v

    def two_variables():
        v, w = (tf.get_variable(n, initializer=1.0, use_resource=True) for n in "vw")
        with Block() as block:
            v.assign_add(w)
            w.assign_add(v)
            tf.no_op()
            tf.random_uniform([])
            result = block.mark_as_return([w.read_value(), v.read_value()])
        return result, v

    def printed():
        with Block() as block:
            for n in range(3):
                tf.print(n, output_stream="file:///dev/null")
            tf.py_func(lambda: np.float32(0), [], tf.float32)
            result = block.mark_as_return(tf.constant(1.0))
        return result, None

    def composite():
        v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=True)
        with Block() as block:
            v.assign_add([1.0, 1.0])
            slices = block.mark_as_return(
                tf.IndexedSlices(v.read_value(), tf.constant([0, 1]), tf.constant([2]))
            )
            sparse = block.mark_as_return(tf.SparseTensor([[0]], v[:1], [2]))
        return [slices.values, slices.dense_shape, sparse.values, sparse.indices], v

    def branches():
        v = tf.get_variable("v", initializer=1.0, use_resource=True)
        p = tf.placeholder_with_default(True, [])
        with Block() as block:
            v.assign_add(1.0)
            tf.cond(p, lambda: v.assign_add(10.0), lambda: v.assign(v * 5.0))
            v.assign(v * 2.0)
            result = block.mark_as_return(v.read_value())
        return result, v

    def loops():
        v = tf.get_variable("v", initializer=1.0, use_resource=True)
        with Block() as block:
            v.assign_add(1.0)
            tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0])
            result = block.mark_as_return(v.read_value())
        return result, v

    def references():
        v = tf.get_variable("v", initializer=1.0, use_resource=False)
        with Block() as block:
            tf.assign_add(v, 1.0)
            result = block.mark_as_return(tf.identity(v))
        return result, None

    def decorated():
        v = tf.get_variable("v", initializer=1.0, use_resource=True)

        @deps.automatic_control_dependencies
        def f(x, y=2.0):
            """Adds."""
            v.assign_add(x * y)
            return {"a": v.read_value(), "b": [x]}

        stage.say(f.__name__, f.__doc__)
        return tf.nest.flatten(f(tf.constant(3.0), y=5.0)), v

    def nothing():
        with Block() as block:
            result = block.mark_as_return(tf.constant(1.0) + 1.0)
        return result, None

    for case in (
        straight,
        two_variables,
        printed,
        composite,
        branches,
        loops,
        references,
        decorated,
        nothing,
    ):
        with tf.Graph().as_default() as graph, tf.Session() as session:
            stage.say(case.__name__)
            with stage.failing():
                made, after = case()
                if case is not branches:  # TensorFlow adds no-ops where branches merge
                    stage.say(*controls(graph))
                session.run(tf.global_variables_initializer())
                stage.say(session.run(made), session.run(made))
                if after is not None:
                    stage.say(session.run(after))
