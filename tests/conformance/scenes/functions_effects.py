"""Functions in eager mode: the order of effects, gradients; wrapped and pruned functions."""


def effects(tf, stage):
    def ordered():
        v = tf.Variable(1.0)

        @tf.function
        def f():
            a = v.read_value()
            v.assign_add(10.0)
            b = v.read_value()
            v.assign(b * 2.0)
            return a, b, v.read_value()

        return f(), f()

    def in_branches(flag):
        v = tf.Variable(1.0)

        @tf.function
        def f(x):
            v.assign_add(1.0)
            if x > 0.0:
                v.assign(v * 10.0)
            else:
                v.assign_sub(100.0)
            v.assign_add(0.5)
            return v.read_value()

        return f(tf.constant(flag)), v.numpy()

    def in_loops():
        v = tf.Variable([0.0, 0.0])

        @tf.function
        def f(n):
            for i in tf.range(n):
                v.assign_add([1.0, 2.0])
                if i > 1:
                    v.assign(v * 2.0)
            return v.read_value()

        return f(tf.constant(4)), f(tf.constant(0))

    def no_result():
        v = tf.Variable(1.0)
        f = tf.function(lambda: [v.assign_add(1.0)][1:])
        return f(), f(), v.numpy()

    def python():
        seen = []

        @tf.function
        def f(x):
            tf.py_function(lambda a: seen.append(float(a)), [x], [])
            tf.py_function(lambda a: seen.append(float(a) * 2.0), [x], [])
            return x

        f(tf.constant(1.0))
        f(tf.constant(2.0))
        return seen

    def iterators():
        iterator = iter(tf.data.Dataset.range(5))

        @tf.function
        def f():
            return next(iterator), next(iterator)

        return f(), f(), f()

    def tables():
        @tf.function
        def f(x):
            array = tf.TensorArray(tf.float32, 0, dynamic_size=True)
            for i in tf.range(3):
                array = array.write(i, x * tf.cast(i, tf.float32))
            return array.stack(), array.size()

        return f(tf.constant(2.0))

    cases = {
        "ordered": ordered,
        "branch": lambda: in_branches(1.0),
        "loops": in_loops,
        "no_result": no_result,
        "python": python,
        "iterators": iterators,
        "tables": tables,
    }
    stage.each_eagerly(cases)


def gradients(tf, stage):
    def of(function, *values, **given):
        f = tf.function(function)
        tensors = [tf.constant(value) for value in values]
        with tf.GradientTape(**given) as tape:
            tape.watch(tensors)
            y = f(*tensors)
        return y, [tape.gradient(y, tensors) for _ in range(1 + len(given))]

    def power(x, n):
        for _ in tf.range(n):
            x = x * x
        return x

    def chosen(x):
        if x > 1.0:
            return x * x
        return x * 5.0

    def two_orders():
        f = tf.function(lambda x: x * x * x)
        x = tf.constant(2.0)
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = f(x)
            first = inner.gradient(y, x)
        return first, outer.gradient(first, x)

    def variable():
        v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        f = tf.function(lambda i: tf.reduce_sum(tf.gather(v, i) * 3.0))
        with tf.GradientTape() as tape:
            y = f(tf.constant([1, 1]))
        return tape.gradient(y, v)

    cases = {
        "power": lambda: of(power, 1.1, 3),
        "chosen": lambda: of(chosen, 3.0),
        "two_orders": two_orders,
        "variable": variable,
        "none": lambda: of(lambda x: tf.floor(x), 1.5),
    }
    stage.each_eagerly(cases)


def wrapped(tf, stage):
    spec = tf.TensorSpec

    def scaled(x):
        v = tf.get_variable("v", [], initializer=tf.constant_initializer(3.0))
        return x * v

    def plain():
        f = tf.compat.v1.wrap_function(lambda x: x + 1.0, [spec([], tf.float32)])
        return f(tf.constant(2.0))

    def with_variable():
        f = tf.compat.v1.wrap_function(scaled, [spec([], tf.float32)])
        return f(tf.constant(2.0)), [(v.name, v.numpy()) for v in f.graph.variables], len(f.inputs)

    def pruned(feeds, fetches):
        def double():
            x = tf.placeholder(tf.float32, [None], name="x")
            y = tf.multiply(x, 2.0, name="y")
            tf.add(y, 1.0, name="z")
            tf.no_op(name="nothing")

        f = tf.compat.v1.wrap_function(double, [])
        return f.prune(feeds, fetches)

    def gradient():
        f = tf.compat.v1.wrap_function(lambda x: x * x, [spec([], tf.float32)])
        x = tf.constant(3.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, x)

    cases = {
        "plain": plain,
        "variable": with_variable,
        "pruned_dict": lambda: pruned({"in": "x:0"}, {"out": "z:0"})(**{"in": tf.constant([1.0])}),
        "pruned_unfed": lambda: pruned([], "y:0"),
        "keyword": lambda: tf.compat.v1.wrap_function(lambda x: x, [spec([], tf.float32, "x")])(
            x=tf.constant(1.0)
        ),
        "gradient": gradient,
    }
    stage.each_eagerly(cases)
