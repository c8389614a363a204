"""Options of loops and of conversion that few programs give."""


def of_loops(tf, stage):
    options = tf.autograph.experimental.set_loop_options

    def counted(n):
        i = 0
        while i < n:
            options(parallel_iterations=3, back_prop=False, swap_memory=True, maximum_iterations=2)
            i += 1
        return i

    def summed(n):
        s = 0
        for i in tf.range(n):
            options(parallel_iterations=1, maximum_iterations=3)
            s += i
        return s

    def nested(n):
        s = 0
        for i in tf.range(n):
            options(parallel_iterations=2)
            for j in tf.range(i):
                options(parallel_iterations=5, back_prop=False)
                s += j
        return s

    def python(n):
        s = n
        for i in range(3):
            options(maximum_iterations=1)
            s += i
        return s

    def rows(n):
        s = tf.zeros([1])
        for row in tf.fill([4, 1], tf.cast(n, tf.float32)):
            options(swap_memory=True, parallel_iterations=7)
            s += row
        return s

    for function in (counted, summed, nested, python, rows):
        with tf.Graph().as_default() as graph, tf.Session() as session:
            stage.say(function.__name__)
            with stage.failing():
                n = tf.constant(5)
                made = tf.autograph.to_graph(function)(n)
                for node in graph.as_graph_def().node:
                    if node.op == "Enter":
                        stage.say(node.name, node.attr["parallel_iterations"].i)
                stage.say(session.run(made))
                stage.say(session.run(tf.gradients(made, n) if made.dtype == tf.float32 else made))
    stage.attempts(lambda: options(unknown=1))


def of_conversion(tf, stage):
    feature = tf.autograph.experimental.Feature

    def helper(x):
        return x * 2 if x > 0 else x

    def calls(x):
        return helper(x) + 1

    class Called:
        def __call__(self, x):
            return x

    def generates(x):
        yield x

    convert, code = tf.autograph.to_graph, tf.autograph.to_code
    with tf.Graph().as_default(), tf.Session() as session:
        run = lambda f: session.run(f(tf.constant(3)))  # noqa: E731
        stage.attempts(
            lambda: run(convert(calls, experimental_optional_features=feature.ALL)),
            lambda: code(Called()),
            lambda: convert(generates),
            lambda: feature.all(),
        )
