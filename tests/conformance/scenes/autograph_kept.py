"""Converted functions: preserved attributes, loops over datasets and ranges, classes, options."""

import functools
import importlib

import numpy as np


def _convert(tf):
    """The conversion decorator."""
    of_tensorflow = tf.__name__ == "tensorflow"
    name = "tensorflow.python.autograph" if of_tensorflow else "tfmini._src.autograph.convert"
    return importlib.import_module(name).convert


def _run(tf, stage, function, *values, fetch=None, **options):
    """A function's results under tf.function and to_graph."""
    for how in ("function", "to_graph"):
        with tf.Graph().as_default(), tf.Session() as session:
            stage.say(how, function.__name__)
            with stage.failing():
                given = [
                    tf.constant(v) if isinstance(v, (int, float, list)) else v() for v in values
                ]
                if how == "function":
                    made = tf.function(function, **options)
                else:
                    features = options.get("experimental_autograph_options")
                    made = tf.autograph.to_graph(function, experimental_optional_features=features)
                found = made(*given)
                leaves = [x for x in tf.nest.flatten(found) if isinstance(x, tf.Tensor)]
                stage.say([f"{x.dtype.name}{x.shape}" for x in leaves])
                session.run(tf.global_variables_initializer())
                stage.say(session.run(leaves) if leaves else found)


def kept(tf, stage):
    """Names, defaults and attributes; values of free and global variables at call time."""

    def plain(x, y=3, *rest, z=4, **more):
        """Adds."""
        if x > 0:
            x = x + y + z
        return x

    plain.mark = "marked"
    plain.__annotations__["x"] = "int"
    factor = 2

    def counts(x):
        nonlocal factor
        if x > 0:
            factor = factor + 1
        return x * factor

    class Held:
        by = 5

        def method(self, x, k=1):
            """Multiplies."""
            return x * self.by if x > k else -x

        @classmethod
        def of_class(cls, x):
            return x * cls.by if x > 0 else -x

        @staticmethod
        def static(x):
            return x + 1 if x > 0 else -x

        @property
        def doubled(self):
            return self.by * 2

        def uses(self, x):
            return self.doubled * x if x > 0 else self.static(x) + self.of_class(x)

    held = Held()
    convert = tf.autograph.to_graph
    with tf.Graph().as_default(), tf.Session() as session:
        run = lambda x: session.run(x)  # noqa: E731
        shown = lambda f: [  # noqa: E731
            f.__name__,
            f.__doc__,
            getattr(f, "__defaults__", None),
            getattr(f, "__kwdefaults__", None),
            getattr(f, "mark", "none"),
        ]
        stage.attempts(
            lambda: shown(_convert(tf)()(plain)),
            lambda: shown(convert(held.method)),
            lambda: run(convert(counts)(tf.constant(4))),
        )
        factor = 7


def over_datasets(tf, stage):
    data = tf.data.Dataset
    numbers = lambda n=5: lambda: data.range(n)  # noqa: E731

    def total(d):
        s = tf.constant(0, tf.int64)
        for x in d:
            s += x
        return s

    def two(d):
        s, last = tf.constant(0, tf.int64), tf.constant(-1, tf.int64)
        for x in d:
            s, last = s + x, x
        return s, last

    def stops(d):
        s = tf.constant(0, tf.int64)
        for x in d:
            if x > 2:
                break
            s += x
        return s

    def skips(d):
        s = tf.constant(0, tf.int64)
        for x in d:
            if x % 2 == 0:
                continue
            s += x
        return s

    def returns(d):
        for x in d:
            if x > 2:
                return x
        return tf.constant(-1, tf.int64)

    def other_dtype(d):
        s = tf.constant(0)
        for x in d:
            s = x
        return s

    def other_structure(d):
        s = (tf.constant(0, tf.int64),)
        for x in d:
            s = (x, x)
        return s

    def other_shape(d):
        s = tf.zeros([1], tf.int64)
        for x in d:
            s = tf.concat([s, [x]], 0)
        return s

    def other_dtype_until(d):
        s = tf.constant(0)
        for x in d:
            if x > 1:
                break
            s = x
        return s

    def undefined(d):
        for x in d:
            last = x
        return last

    def pairs(d):
        s = tf.constant(0, tf.int64)
        for a, b in d:
            s += a * b
        return s

    def numbered(d):
        s = tf.constant(0, tf.int64)
        for i, x in enumerate(d, 10):
            s += i * x
        return s

    def zipped(d):
        s = tf.constant(0, tf.int64)
        for a, b in zip(d, d):
            s += a * b
        return s

    def nested(d):
        s = tf.constant(0, tf.int64)
        for x in d:
            for y in d:
                if y > x:
                    break
                s += y
        return s

    def attribute(d):
        class Box:
            pass

        box = Box()
        box.value = tf.constant(0, tf.int64)
        for x in d:
            box.value = box.value + x
        return box.value

    def rows(d):
        s = tf.constant(0, tf.int64)
        for x in d.batch(2):
            for y in x:
                s += y * 2
        return s

    for function in (
        *(total, two, stops, skips, returns, other_dtype, other_structure, other_shape),
        *(other_dtype_until, undefined, numbered, zipped, nested, attribute, rows),
    ):
        _run(tf, stage, function, numbers())
    _run(tf, stage, total, numbers(0))
    _run(tf, stage, stops, numbers(0))
    _run(tf, stage, pairs, lambda: data.from_tensor_slices(([1, 2, 3], [4, 5, 6])).map(_wide(tf)))


def _wide(tf):
    return lambda a, b: (tf.cast(a, tf.int64), tf.cast(b, tf.int64))


def over_ranges(tf, stage):
    def up(a, b, d):
        s, last = 0, -1
        for i in tf.range(a, b, d):
            s, last = s + i, i
        return s, last

    def down(a, b):
        s = 0
        for i in tf.range(b, a, -2):
            s = s * 10 + i
        return s

    def floats(a, b):
        s = 0.0
        for i in tf.range(0.5, 2.5, 0.5):
            s += i
        return s, a

    def stops(a, b):
        s = 0
        for i in tf.range(a, b):
            if i == 2:
                break
            s += i
        return s, a

    def python(a, b):
        s = []
        for i in range(3):
            if i == 1:
                continue
            s.append(a + i)
        return s

    def in_range_of_loop(a, b):
        s = 0
        for i in tf.range(a, b):
            for j in tf.range(i):
                for k in range(2):
                    s += i * j + k
        return s

    def returned(a, b):
        for i in tf.range(a, b):
            j = 0
            while j < i:
                if i * j > 5:
                    return i * 100 + j
                j += 1
        return -1

    def over_columns(a, b):
        s = tf.zeros([2], tf.int32)
        for row in tf.stack([[a, b], [b, a], [1, 2]]):
            s = s * 10 + row
        return s

    def over_empty(a, b):
        s = a
        for row in tf.zeros([0, 2], tf.int32):
            s += row[0]
        return s

    def over_fed(a, b):
        s = a
        for row in tf.placeholder_with_default([5, 6], None):
            s = s * 10 + row
        return s

    def over_lists(a, b):
        s = 0
        for x, (y, z) in [(a, (b, 1)), (b, (a, 2))]:
            s = s * 10 + x + y * z
        return s

    def over_dict(a, b):
        s = 0
        for key in sorted({"x": a, "y": b}):
            s += len(key)
        return s + a

    def index_after(a, b):
        i = -7
        for i in tf.range(a, b):  # noqa: B007
            pass
        return i

    for values in ((0, 5, 1), (5, 0, -2), (3, 3, 1), (0, 5, 2)):
        _run(tf, stage, up, *values)
    for function in (
        *(down, floats, stops, python, in_range_of_loop),
        *(returned, over_columns, over_empty, over_fed, over_lists, over_dict, index_after),
    ):
        _run(tf, stage, function, 1, 6)


def options(tf, stage):
    """Optional features, recursion, and functions excluded from conversion."""
    feature = tf.autograph.experimental.Feature
    kept = tf.autograph.experimental.do_not_convert

    def helper(x):
        if x > 0:
            return x * 2
        return x

    def calls(x):
        return helper(x) + 1

    def calls_lambda(x):
        return (lambda y: y * 2 if y > 0 else y)(x)

    def calls_partial(x):
        return functools.partial(helper, x)()

    def calls_numpy(x):
        return x * int(np.sum([1, 2]))

    @kept
    def left(x):
        return x if isinstance(x, tf.Tensor) else 0

    def calls_left(x):
        return left(x) if x > 0 else x

    def equal(x):
        return x == 3, x != 3, [x] == [x]

    def asserts(x):
        assert x > 0, "must be more"
        assert True
        return x

    def asserts_number(x):
        assert x > 0, x
        return x

    def listed(x):
        made = []
        made.append(x)
        made.append(x * 2)
        return len(made)

    def named(x):
        def inner(y):
            return y + 1

        return inner(x)

    def prints(x):
        print(x, "text", sep="-", file=None) if False else None
        return x

    every = (calls, calls_lambda, calls_partial, calls_numpy, calls_left)
    for function in every:
        _run(tf, stage, function, 3)
        _run(tf, stage, function, -3)
    for function, options in (
        (equal, [feature.EQUALITY_OPERATORS]),
        (equal, None),
        (asserts, [feature.ASSERT_STATEMENTS]),
        (asserts_number, [feature.ASSERT_STATEMENTS]),
        (listed, [feature.LISTS]),
        (listed, (feature.LISTS, feature.BUILTIN_FUNCTIONS)),
        (listed, None),
        (prints, [feature.BUILTIN_FUNCTIONS]),
    ):
        _run(tf, stage, function, 3, experimental_autograph_options=options)
    with tf.Graph().as_default() as graph:
        for recursive in (True, False):
            convert = _convert(tf)(recursive=recursive)
            stage.attempt(lambda: convert(calls)(tf.constant(2)).op.type)  # noqa: B023
        stage.attempt(lambda: kept()(calls)(2))
        stage.attempt(lambda: tf.function(kept(calls))(tf.constant(2)))
        stage.say(len(graph.get_operations()) > 3)
