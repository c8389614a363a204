"""Python converted to graphs: if, while, for, break, continue, return, lists, asserts, logic; rejected code."""


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
