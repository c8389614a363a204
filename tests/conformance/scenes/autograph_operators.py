"""Python lists, calls and operators on tensors in converted functions; side effects of branches; rejected code."""

_MOST = ("ASSERT_STATEMENTS", "BUILTIN_FUNCTIONS", "EQUALITY_OPERATORS", "LISTS", "NAME_SCOPES")


def _traced(tf, stage, *cases, with_features=()):
    """Records what each (function, values) returns in a graph, and its nodes."""
    for function, *values in cases:
        with tf.Graph().as_default() as graph, tf.Session() as session:
            stage.say(function.__name__)
            with stage.failing():
                given = [tf.constant(v) for v in values]
                features = tf.autograph.experimental.Feature
                chosen = [getattr(features, name) for name in with_features]
                made = tf.autograph.to_graph(function, experimental_optional_features=chosen)
                found = made(*given)
                leaves = [x for x in tf.nest.flatten(found) if isinstance(x, tf.Tensor)]
                stage.say([(str(x.shape), x.dtype.name) for x in leaves])
                stage.say(session.run(leaves) if leaves else found)
                checks = [op for op in graph.get_operations() if op.type == "Assert"]
                session.run([op for op in checks if op._get_control_flow_context() is None])
            stage.say(len(graph.get_operations()))


def builtins(tf, stage):
    loose = lambda value, *shape: tf.placeholder_with_default(value, shape or None)  # noqa: E731

    def length(x):
        return len(x), len([1, 2]), len("abc")

    def length_fed(x):
        return len(loose([[1.0], [2.0]]))

    def length_half_fed(x):
        return len(loose([[1.0], [2.0]], None, 1))

    def length_of_a_fed_scalar(x):
        return len(loose(3.0))

    def length_of_a_scalar(x):
        return len(x)

    def numbers(x):
        return int(x), float(x), int(2.5), float("3"), int("11", 2), abs(x), abs(-2)

    def numbers_of_text(x):
        return int(x), float(x)

    def other_base(x):
        return int(x, 2)

    def base_ten(x):
        return int(x, 10)

    def ranges(x):
        total = 0
        for i in range(x):
            total += i
        for i in range(1, x):
            total += i
        for i in range(x, 0, -2):
            total += i
        for i in range(3):
            total += i
        return total, range(x, x - 2), range(2)

    def ranges_below(x):
        return range(-x), range(x, 1), range(1, x, 2)

    def numbered(x):
        return [(i, v) for i, v in enumerate(["a", "b"], 3)], list(zip([1, 2], [3, 4]))

    def printed_wrongly(x):
        print(x, color=3)
        return x

    def others(x):
        return max(1, 2), sum([1, 2]), isinstance(x, tf.Tensor), sorted([2, 1]), type(x).__name__

    _traced(
        tf,
        stage,
        (length, [1.0, 2.0, 3.0]),
        (length_fed, 0),
        (length_half_fed, 0),
        (length_of_a_fed_scalar, 0),
        (length_of_a_scalar, 3.0),
        (numbers, -2.7),
        (numbers_of_text, "12"),
        (other_base, "11"),
        (base_ten, "11"),
        (ranges, 5),
        (ranges_below, 4),
        (numbered, 0),
        (others, 1),
        with_features=("BUILTIN_FUNCTIONS",),
    )
    _traced(tf, stage, (printed_wrongly, 1), (others, 2), (numbers, 3.5))


def lists(tf, stage):
    def appended_untyped(n):
        found = []
        for i in tf.range(n):
            found.append(i)
        return tf.autograph.stack(found)

    def python(n):
        found = [1, 2]
        found.append(n)
        last = found.pop()
        first = found.pop(0)
        found[0] = 7
        return found, last, first, len(found)

    def arrays(n):
        array = tf.TensorArray(tf.int32, 3)
        for i in tf.range(n):
            array[i] = i + 1
        return array.stack(), len(array)

    def array_appended(n):
        array = tf.TensorArray(tf.int32, 0, dynamic_size=True)
        array.append(n)
        return array.stack()

    def array_popped(n):
        array = tf.TensorArray(tf.int32, 3)
        return array.pop()

    def characters(text):
        return text[1], "abc"[2]

    def replaced(x):
        x[1] = 9
        return x

    def sliced(x):
        x[:1] = 9
        return x

    def popped(x):
        return x.pop()

    def appended_to_tensor(x):
        x.append(3)
        return x

    def stacked(x):
        return tf.autograph.stack([x, x]), tf.autograph.stack([1, 2], strict=False)

    def stacked_number(x):
        return tf.autograph.stack(3)

    def stacked_loosely(x):
        return tf.autograph.stack(3, strict=False)

    def comprehended(n):
        return [i * n for i in range(3)], {k + "c": n for k in "ab"}, [i for i in range(4) if i % 2]

    _traced(
        tf,
        stage,
        (python, 5),
        (arrays, 3),
        *[(characters, text) for text in ("xyz", ["xyz", "uv"])],
        (replaced, [1, 2, 3]),
        (sliced, [1, 2, 3]),
        (popped, [1, 2]),
        (appended_to_tensor, [1, 2]),
        (stacked, 4),
        (stacked_number, 4),
        (stacked_loosely, 4),
        (comprehended, 2),
        with_features=("LISTS", "BUILTIN_FUNCTIONS"),
    )
    _traced(tf, stage, (python, 5), (characters, "xyz"), (appended_untyped, 3), (array_popped, 0))
    _traced(tf, stage, (array_appended, 4), (array_popped, 0), with_features=_MOST)


def flow(tf, stage):
    def asserted(x):
        assert x > 0, "not above 0"
        return x

    def asserted_bare(x):
        assert x > 0
        return x

    def python_asserted(x):
        assert 1 > 2, "never"
        return x

    def chained(x):
        return 1 < x < 5, x == 3 or x > 4, not x > 2, x > 1 and x < 9, x if x > 3 else -x

    def short(x):
        return 0 and x, 3 or x, None or x

    def loops(x):
        a, b = 0, 1
        while a < x:
            a, b = b, a + b
            if b > 50:
                break
        return a, b

    def returned_in_loops(x):
        for i in tf.range(10):
            for j in tf.range(3):
                if i * j > x:
                    return i * 10 + j
        return -1

    def continued(x):
        total = 0
        for i in tf.range(x):
            if i % 2 == 0:
                continue
            if i > 6:
                break
            total += i
        return total

    def pairs(x):
        total = 0
        for a, b in [(1, x), (2, x)]:
            total += a * b
        return total

    def over_rows(x):
        total = tf.zeros([2], tf.int32)
        for row in x:
            total += row
        return total

    def over_dataset(x):
        total = tf.constant(0, tf.int64)
        for each in tf.data.Dataset.range(5).batch(2):
            total += tf.reduce_sum(each)
            if total > 5:
                break
        return total

    def tried(x):
        try:
            y = x + 1
        except ValueError:
            y = x
        finally:
            y = y * 2
        return y

    def with_block(x):
        with tf.name_scope("inner"):
            y = tf.identity(x, name="y")
        return y

    def inner_functions(x):
        def inner(y):
            if y > 1:
                return y * 2
            return y

        twice = lambda z: inner(inner(z))  # noqa: E731
        return twice(x), list(map(inner, [x]))

    def default_arguments(x, y=3, *rest, z=4, **more):
        if x > 0:
            x = x + y + z + len(rest) + len(more)
        return x

    def changed_type(x):
        y = 1
        while x > 0:
            x -= 1
            y = 2.0
        return y

    def changed_shape(x):
        y = tf.zeros([1])
        while x > 0:
            x -= 1
            y = tf.concat([y, y], 0)
        return y

    def changed_structure(x):
        y = (1, 2)
        while x > 0:
            x -= 1
            y = (1, 2, 3)
        return y

    def new_in_loop(x):
        while x > 0:
            x -= 1
            new = x
        return new

    def one_returns(x):
        if x > 0:
            return x

    def branch_structures(x):
        if x > 0:
            y = (1, 2)
        else:
            y = [1, 2, 3]
        return y

    def attributes(x):
        class Box:
            pass

        box = Box()
        box.value = x
        if x > 0:
            box.value = x * 2
        return box.value

    def items(x):
        table = {"a": x}
        if x > 0:
            table["a"] = x + 5
        return table["a"]

    def deleted(x):
        y = x
        del y
        return x

    def global_name(x):
        global _COUNT
        _COUNT = 5
        return x

    _traced(
        tf,
        stage,
        *[(f, 3) for f in (asserted, asserted_bare, python_asserted, chained, short, loops)],
        (asserted, -1),
        (asserted_bare, -1),
        (loops, 1000),
        *[(f, 3) for f in (returned_in_loops, continued, pairs, over_dataset, tried, with_block)],
        (continued, 20),
        (over_rows, [[1, 2], [3, 4]]),
        *[(f, 3) for f in (inner_functions, default_arguments, changed_type, changed_shape)],
        *[(f, 3) for f in (changed_structure, new_in_loop, one_returns)],
        *[(f, 3) for f in (branch_structures, attributes, items, deleted, global_name)],
    )
    given = (asserted, asserted_bare, python_asserted, chained, loops, returned_in_loops)
    _traced(tf, stage, *[(f, v) for f in given for v in (3, -1)], with_features=_MOST)
    _traced(tf, stage, (chained, 3), (asserted, -1), with_features=["EQUALITY_OPERATORS"])


def functions_of_the_module(tf, stage):
    of, feature = tf.autograph, tf.autograph.experimental.Feature

    class Model:
        def __init__(self, by):
            self.by = by

        def method(self, x):
            if x > 0:
                return x * self.by
            return x

        def __call__(self, x):
            return self.method(x)

    @of.experimental.do_not_convert
    def kept(x):
        return x if isinstance(x, tf.Tensor) else None

    def calls(x):
        return kept(x), Model(2).method(x), Model(3)(x)

    @of.to_graph
    def decorated(x):
        return -x if x < 0 else x

    def run(function):
        def made():
            with tf.Graph().as_default(), tf.Session() as session:
                return session.run(function(tf.constant(-4)))

        return made

    stage.attempts(
        run(of.to_graph(calls)),
        run(decorated),
        run(kept),
        run(of.to_graph(lambda x: x + 1)),
        lambda: of.set_verbosity(0),
        lambda: sorted(f.name for f in of.experimental.Feature.all_but([feature.LISTS])),
        lambda: sorted(f.name for f in of.experimental.Feature.all_but(feature.ALL)),
        lambda: of.experimental.set_loop_options(parallel_iterations=3),
    )
