"""Python turned into graphs: if, while, for, break, continue, return, lists, asserts, logic; what is refused."""


def conditions(tf, stage):
    def traced(function, *values):
        f = tf.function(function)
        return [f(tf.constant(value)) for value in values]

    def early(x):
        if x > 2:
            return x * 10
        return x

    def nested(x):
        if x > 0:
            if x > 5:
                y = 2
            else:
                y = 1
        else:
            y = 0
        return y

    def two(x):
        a, b = 0, 1
        if x > 0:
            a, b = b, a + 5
        return a, b

    def undefined(x):
        if x > 0:
            y = x
        return y

    def one_branch(x):
        if x > 0:
            z = x
        else:
            z = y = x
        return z + 0 if x > 0 else y

    def types(x):
        if x > 0:
            y = 1
        else:
            y = 2.0
        return y

    def shapes(x):
        if x > 0:
            y = tf.ones([2])
        else:
            y = tf.ones([3])
        return y

    def nones(x):
        y = None
        if x > 0:
            y = x
        return y

    def logic(x):
        return [x > 0 and x < 5, x < 0 or x > 3, not x > 2, 0 < x < 3, x == 3, x != 3]

    def expression(x):
        return 1 if x > 2 else 0

    def one_return(x):
        if x > 0:
            return x

    def chain(x):
        if x > 10:
            return 3
        elif x > 5:
            return 2
        elif x > 1:
            return 1
        else:
            return 0

    def asserted(x):
        assert x > 0, "must be more"
        return x * 2

    def asserted_text(x):
        assert x > 0
        return x

    def attribute(x):
        class Box:
            value = 0

        box = Box()
        if x > 0:
            box.value = x
        return box.value

    def python(x):
        flag = []
        if flag:
            return x
        if 3 > 2:
            x = x + 1
        return x

    cases = {
        function.__name__: (lambda f, v: lambda: traced(f, *v))(function, given)
        for function, given in (
            (early, (1, 3)),
            (nested, (0, 1, 6)),
            (two, (0, 1)),
            (undefined, (1,)),
            (one_branch, (1,)),
            (types, (1,)),
            (shapes, (1, 0)),
            (nones, (1,)),
            (logic, (1, 3)),
            (expression, (1, 3)),
            (one_return, (1,)),
            (chain, (0, 2, 6, 11)),
            (asserted, (2, -1)),
            (asserted_text, (-1,)),
            (attribute, (1,)),
            (python, (1,)),
        )
    }
    stage.each(cases, graph=False)


def loops(tf, stage):
    def traced(function, *values):
        f = tf.function(function)
        return [f(tf.constant(value)) for value in values]

    def counted(n):
        i, total = 0, 0
        while i < n:
            i += 1
            if i == 2:
                continue
            if i > 4:
                break
            total += i
        return i, total

    def ranged(n):
        total = 0
        for i in tf.range(n):
            total += i
        return total, tf.range(n)

    def over(values):
        total = 0
        for value in values:
            if value < 0:
                return total
            total += value
        return -total

    def rows(values):
        total = tf.zeros([2], tf.int32)
        for row in values:
            total += row
        return total

    def nested(n):
        total = 0
        for i in tf.range(n):
            for j in tf.range(i):
                if j == 2:
                    break
                total += 1
        return total

    def unrolled(n):
        total = 0
        for i in range(3):
            total += i * n
        for more, value in zip((3, 4), (1, 2)):
            total += value * more
        for number, item in enumerate([5, 6]):
            total += number * item
        return total

    def python_range(n):
        total = 0
        for i in range(n):
            total += i
        return total

    def dataset(n):
        total = tf.constant(0, tf.int64)
        for value in tf.data.Dataset.range(5):
            total += value
        return total

    def dtype_changes(n):
        x = 0
        while x < n:
            x = x + 0.5
        return x

    def shape_changes(n):
        x = tf.ones([1])
        while tf.size(x) < n:
            x = tf.concat([x, x], 0)
        return x

    def undefined(n):
        for i in tf.range(n):
            last = i
        return last

    def defined_inside(n):
        i = 0
        while i < n:
            last = i * 2
            i = last - i + 1
        return i

    def scalar(n):
        total = 0
        for i in n:
            total += i
        return total

    def early_return(n):
        while n > 0:
            if n == 3:
                return n * 100
            n -= 1
        return n

    def printed(n):
        for i in tf.range(n):
            print("python", i, output_stream="file:///dev/null") if False else None
        return len([1, 2]) + n, int(n) if False else n

    def builtins(n):
        return len(tf.fill([3, n], 1)), abs(-n), float(n), int(tf.cast(n, tf.float32))

    def variables(n):
        i = tf.constant(0)
        pair = (0, 1)
        while i < n:
            pair = (pair[1], pair[0] + pair[1])
            i += 1
        return pair

    def options(n):
        i = tf.constant(0)
        while i < n:
            tf.autograph.experimental.set_loop_options(parallel_iterations=3)
            i += 1
        return i

    cases = {
        function.__name__: (lambda f, v: lambda: traced(f, *v))(function, given)
        for function, given in (
            (counted, (0, 3, 10)),
            (ranged, (0, 4)),
            (over, ([1, 2], [1, -1, 5])),
            (rows, ([[1, 2], [3, 4]],)),
            (nested, (5,)),
            (unrolled, (2,)),
            (python_range, (4,)),
            (dataset, (1,)),
            (dtype_changes, (2,)),
            (shape_changes, (3,)),
            (undefined, (2,)),
            (defined_inside, (2,)),
            (scalar, (2,)),
            (early_return, (5, 2)),
            (printed, (2,)),
            (builtins, (2,)),
            (variables, (5,)),
            (options, (3,)),
        )
    }
    stage.each(cases, graph=False)


def conversions(tf, stage):
    def ternary(x):
        if x > 0:
            return x
        return -x

    cases = {
        "code": lambda: "def tf__ternary" in tf.autograph.to_code(ternary),
    }
    stage.each(cases, graph=False)
