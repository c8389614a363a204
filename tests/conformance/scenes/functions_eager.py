"""Functions in eager mode: calls, signatures, concrete functions, variables, methods."""

import gc
import weakref

import numpy as np


def calls(tf, stage):
    traced = []

    @tf.function
    def f(x, y=2.0, *more, scale=1.0, **named):
        traced.append((str(x), y if isinstance(y, float) else "-", len(more), sorted(named)))
        return x * y * scale

    def counted(*calls):
        before = len(traced)
        found = [call() for call in calls]
        return found, [t[1:] for t in traced[before:]]

    one = tf.constant
    v = {}

    def variable(n):
        if n not in v:
            v[n] = tf.Variable(float(n))
        return v[n]

    def modified(function, argument):
        return tf.function(function)(argument)

    def appended(values):
        values.append(values[0])
        return values[0]

    def replaced(values):
        values["a"] = values["a"] + 1.0
        return values["a"]

    def raising():
        f = tf.function(lambda x: tf.reshape(x, [7]))
        return f(tf.ones([2]))

    def asserting():
        @tf.function
        def f(x):
            tf.debugging.assert_positive(x, message="must be more")
            return x * 2.0

        return f(tf.constant(2.0)), f(tf.constant(-2.0))

    def run_eagerly():
        kept = []
        tf.config.experimental_run_functions_eagerly(True)
        try:
            found = [tf.function(lambda x: kept.append(type(x).__name__) or x * 2.0)(3.0)]
            found.append(tf.executing_eagerly())
        finally:
            tf.config.experimental_run_functions_eagerly(False)
        found.append(tf.function(lambda x: kept.append(x) or x * 2.0)(3.0))
        return found, kept

    def inside():
        @tf.function
        def f(x):
            graph = tf.compat.v1.get_default_graph()
            with tf.init_scope():
                lifted = tf.executing_eagerly()
            return x, tf.constant([tf.executing_eagerly(), lifted, graph.building_function])

        return f(1.0)

    def nested_leak():
        kept = []

        @tf.function
        def outer():
            tf.function(lambda: kept.append(tf.constant(1.0)))()
            return kept[0] + 1.0

        return outer()

    def of_array():
        return counted(
            lambda: f(np.float32([1, 2])), lambda: f(np.float32([3, 4])), lambda: f(np.ones([2]))
        )

    def of_objects():
        seen = []

        class Thing:
            pass

        a, b = Thing(), Thing()
        g = tf.function(lambda t, x: seen.append(t is a) or x * 2.0)
        return [g(a, 1.0), g(b, 1.0), g(a, 1.0), g(a, 2.0)], seen

    def freed():
        class Holder:
            @tf.function
            def f(self, x):
                return x * 2.0

        held = Holder()
        value, gone = held.f(tf.constant(2.0)), weakref.ref(held)
        same = held.f is held.f, Holder.f is Holder.__dict__["f"]
        del held
        gc.collect()
        return value, same, gone() is None

    cases = {
        "spec": lambda: (f.function_spec.arg_names, f.function_spec.vararg_name),
        "bound": lambda: f.function_spec.canonicalize_function_inputs(one(1.0), named=2),
        "symbolic": lambda: f(tf.keras.Input((3,), name="rows")),
        "symbolic_in_a_list": lambda: tf.identity_n([tf.keras.Input((3,))]),
        "zeros": lambda: counted(lambda: f(one(1.0), 0.0), lambda: f(one(1.0), -0.0)),
        "arrays": of_array,
        "variables": lambda: counted(
            lambda: f(variable(3)), lambda: f(variable(4)), lambda: f(variable(3).assign_add(1.0))
        ),
        "nothing": lambda: tf.function(lambda: None)(),
        "structure": lambda: tf.function(lambda x: {"a": [x, None], "b": (x, 2)})(one(1.0)),
        "object": lambda: tf.function(lambda: object())(),
        "appended": lambda: modified(appended, [one(1.0)]),
        "replaced": lambda: modified(replaced, {"a": one(1.0)}),
        "raising": raising,
        "asserting": asserting,
        "run_eagerly": run_eagerly,
        "inside": inside,
        "nested_leak": nested_leak,
        "objects": of_objects,
        "freed": freed,
    }
    stage.each_eagerly(cases)


def signatures(tf, stage):
    spec = tf.TensorSpec

    def made(signature, function=None, **options):
        return tf.function(
            function or (lambda x, y=1.0: x + y), input_signature=signature, **options
        )

    vector = [spec([None], tf.float32)]
    traces = []

    def counted():
        f = made(vector, lambda x: traces.append(x.shape.as_list()) or tf.reduce_sum(x))
        return [f(tf.ones([n])) for n in (1, 2, 5)], traces, f.get_concrete_function().name[:20]

    def ragged():
        f = made([tf.RaggedTensorSpec([None, None], tf.int32)], lambda r: r.flat_values * 2)
        return f(tf.ragged.constant([[1], [2, 3]])), f(tf.ragged.constant([[], [3]], tf.int32))

    def sparse(shape):
        f = made([tf.SparseTensorSpec(shape, tf.float32)], lambda s: s.values * 2.0)
        return f(tf.sparse.eye(2))

    def relaxed():
        seen = []

        @tf.function(experimental_relax_shapes=True)
        def f(x, n=1):
            seen.append(x.shape.as_list())
            return tf.reduce_sum(x) * n

        for size in ([1], [2], [3], [2, 2], [2, 3], [4, 3], [9]):
            f(tf.ones(size))
        f(tf.ones([1]), 2.0)
        f(tf.ones([2]), 2.0)
        f(tf.ones([3]), 2.0)
        return seen

    def nested():
        seen = []

        @tf.function
        def inner(x):
            seen.append(len(seen))
            return x * 2.0

        outer = [tf.function(lambda x, n=n: inner(x) + n) for n in (1.0, 2.0)]
        return [f(tf.ones([2])) for f in (*outer, inner, *outer)], seen

    def datasets():
        seen = []

        @tf.function
        def total(dataset, first):
            seen.append(type(dataset).__name__)
            return dataset.reduce(first.get_value(), lambda a, b: a + b)

        made = tf.function(lambda size: tf.data.Dataset.range(size).map(lambda x: x + size))
        some = [made(tf.constant(size, tf.int64)) for size in (2, 3)]
        first = tf.data.experimental.Optional.from_value(tf.constant(7, tf.int64))
        results = [total(each, first) for each in (*some, tf.data.Dataset.range(4))]
        step = tf.function(lambda iterator: (next(iterator), seen.append(1))[0])
        iterators = [iter(each) for each in some]
        steps = [step(iterator) for iterator in iterators * 2]
        return results, steps, [list(each) for each in iterators], repr(some[0]), seen

    cases = {
        "counted": counted,
        "nested": nested,
        "datasets": datasets,
        "too_many": lambda: made(vector)([1.0], [2.0]),
        "by_name": lambda: made(vector * 2)(y=[1.0], x=[2.0]),
        "unknown_name": lambda: made(vector)([1.0], z=3.0),
        "partial": lambda: made([spec([2, None], tf.float32)])(tf.ones([3, 2])),
        "ragged": ragged,
        "sparse": lambda: sparse([None, 2]),
        "not_specs": lambda: made([tf.float32]),
        "not_a_list": lambda: made(vector[0]),
        "keyword_only": lambda: made(vector, _keyword_only),
        "relaxed": relaxed,
    }
    stage.each_eagerly(cases)


def _keyword_only(x, *, y=2.0):
    return x * y


def concrete(tf, stage):
    spec = tf.TensorSpec

    def made(function=None, *args, **kwargs):
        f = tf.function(function or (lambda x, y: x * y))
        args = args or (spec([None], tf.float32), spec([], tf.float32))
        return f.get_concrete_function(*args, **kwargs)

    def inputs(function, *specs):
        g = made(function, *specs)
        return [x.name for x in g.inputs]

    def captured():
        v, w = tf.Variable(2.0, name="v"), tf.Variable(3.0, name="w", trainable=False)
        c, big = tf.constant(5.0), tf.ones([200])
        g = made(lambda x: x * v * c + w + tf.reduce_sum(big), spec([], tf.float32))
        names = [x.name for x in g.graph.variables]
        return g(tf.constant(1.0)), names, len(g.captured_inputs), len(g.inputs)

    def shapes():
        g = made(lambda x, y: {"a": x, "b": (y, None)})
        return str(g.output_shapes), str(g.output_dtypes), str(g.structured_outputs["b"][1])

    def signature():
        g = made(
            lambda d, n, *more, **named: d["a"],
            {"a": spec([], tf.float32)},
            3,
            spec([1], tf.int32),
            z=spec([2], tf.bool, name="given"),
        )
        return str(g.structured_input_signature), [x.name for x in g.inputs]

    def no_names():
        g = made(lambda d, e: d["a"] + e, {"a": spec([], tf.float32)}, spec([], tf.float32))
        return g(e=tf.constant(1.0), d=tf.constant(2.0))

    def constants_inside():
        small, large = tf.constant([3.0, 4.0]), tf.range(300.0)
        inner = tf.function(lambda y: y * small + large[:2])
        g = made(lambda x: inner(x) + small, spec([2], tf.float32))
        return [(op.name, op.type) for op in g.graph.get_operations()]

    def gradient(persistent=False):
        v = tf.Variable([2.0, 3.0])
        g = made(lambda x: (x * x * v, tf.reduce_sum(x)), spec([2], tf.float32))
        x = tf.constant([5.0, 7.0])
        with tf.GradientTape(persistent) as tape:
            tape.watch(x)
            y, z = g(x)
        return tape.gradient([y, z], [x, v])

    one = tf.constant
    cases = {
        "call": lambda: made()(one([1.0, 2.0]), one(3.0)),
        "few": lambda: made()(one([1.0])),
        "many": lambda: made()(one([1.0]), one(1.0), one(1.0)),
        "unknown": lambda: made()(one([1.0]), one(1.0), z=one(1.0)),
        "twice": lambda: made()(one([1.0]), one(1.0), x=one([1.0])),
        "numbers": lambda: made()(one([1.0]), 3.0),
        "dtype": lambda: made()(one([1]), one(1.0)),
        "rank": lambda: made()(one(1.0), one(1.0)),
        "captured": captured,
        "constants_inside": constants_inside,
        "shapes": shapes,
        "signature": signature,
        "no_names": no_names,
        "gradient": gradient,
        "mixed_names": lambda: made(
            lambda d: d["a"], {"a": spec([], tf.float32, "n"), "b": spec([], tf.float32)}
        ),
        "bad_name": lambda: inputs(lambda _x: _x, spec([], tf.float32)),
    }
    stage.each_eagerly(cases)


def variables(tf, stage):
    made = []

    def once(x, **options):
        if not made:
            made.append(tf.Variable(2.0, **options))
        return made[0].assign_add(x)

    def late(x, flag):
        if flag:
            made.append(tf.Variable(x))
        return x

    def from_argument(x):
        if not made:
            made.append(tf.Variable(x * 2.0))
        return made[0] + x

    def twice(function, *calls, decorator=tf.function):
        made.clear()
        f = decorator(function)
        found = [f(*call) for call in calls]
        return found, [(str(v.shape), v.trainable, v.numpy()) for v in made]

    def captured_gone():
        v = tf.Variable(2.0)
        f = tf.function(lambda x: x * v)
        f(1.0)
        v.assign(5.0)
        return f(1.0), f(tf.constant(2.0))

    cases = {
        "defun": lambda: twice(once, (1.0,), (1.0,), decorator=tf.contrib.eager.defun),
        "late": lambda: twice(late, (1.0, False), (1.0, True)),
        "each_time": lambda: twice(lambda x: tf.Variable(x) + x, (1.0,)),
        "from_argument": lambda: twice(from_argument, (tf.constant(1.0),), (tf.constant(2.0),)),
        "changed": captured_gone,
    }
    stage.each_eagerly(cases)
