"""Functions created by Defun: names, arguments, captures, nested calls, inferred dtypes."""

from tests.support.models.function_graphs import defun_module


class Scale:
    """Has a method that becomes a function."""

    def by(self, x):
        return x * 3.0


def build(tf):
    function = defun_module(tf)
    Defun = function.Defun
    a, b = tf.constant([1.0, 2.0]), tf.constant([3.0, 5.0])

    @Defun(tf.float32, tf.float32)
    def parts(x, y):
        """Sum and difference, twice the first."""
        z = tf.add(x, y, name="Zed")
        return z * 2.0, x - y

    @Defun(tf.float32, func_name="Outer", out_names=["r"])
    def outer(x):
        with tf.name_scope("deep"):
            first, second = parts(x, a, name="inner")
        return first + second * b

    @Defun()
    def either(x, y):
        return x + y, tf.shape(x)

    @Defun(func_name="Named")
    def named(x):
        return tf.identity(x)

    @Defun(tf.float32, tf.int32, tf.string, tf.bool)
    def kinds(*values):
        number, count, text, flag = values
        words = tf.string_join([text, "-", tf.as_string(count)])
        chosen = tf.where(tf.fill(tf.shape(number), flag), number, -number)
        table = tf.constant([[1.5, -2.0]], tf.float64) * tf.cast(count, tf.float64)
        return words, chosen, table, tf.constant([b"a", b"bc"])

    @Defun(tf.float32)
    def nothing(x):
        tf.add(x, 1.0)

    @Defun()
    def seven():
        return tf.constant(7, name="Seven/Inner")

    @Defun(tf.float32)
    def passed(x):
        return x, x, a

    @Defun(tf.float32, noinline=True, experimental_number=3, _implements="it")
    def told(x):
        """Attrs of the function."""
        return tf.nn.relu(x - 2.0, name="odd.Name")

    @Defun(tf.float32, capture_by_value=True)
    def copied(x):
        return x + b

    @Defun(tf.float32, shape_func=lambda op: [op.inputs[0].shape])
    def shaped(x):
        with tf.control_dependencies([tf.add(x, 1.0)]):
            return tf.square(x)

    method = Defun(tf.float32)(Scale().by)
    with tf.name_scope("scope"):
        called = parts(a, b, name="mycall")
        again = parts(*called)
    results = [
        called,
        again,
        outer(again[0]),
        either(a, b),
        either(tf.constant(1), 2),
        named(a),
        named(tf.constant([[1]])),
        kinds(a, tf.constant(4), tf.constant(b"x"), tf.constant(False)),
        seven(),
        passed(b),
        told(a, noinline=True),
        copied(a),
        shaped(a),
        method(b),
        parts([1.0], 2.0),
    ]
    with tf.device("/cpu:0"):

        @Defun(tf.float32)
        def placed(x):
            return x + 1.0

        results.append(placed(a))
    done = nothing(a)
    everything = [parts, outer, kinds, nothing, seven, passed, told, copied, shaped, method, placed]
    facts = {
        "names": [f.name for f in everything],
        "captured": [[t.name for t in f.captured_inputs] for f in everything],
        "declared": [[t.name for t in f.declared_input_types] for f in everything],
        "stateful": [f.stateful_ops for f in everything],
        "overloads": [f.name for f in (either.instantiate([tf.float32, tf.float32]), seven)],
        "static": [str(r.shape) for r in (results[4][0], results[12])],
        "result of nothing": (done.name, done.type),
    }
    fed = tf.placeholder(tf.float32, [2])
    more = outer(fed)
    return {
        "steps": [
            ("all", results, None),
            ("again", results, None),
            ("an operation", done, None),
            ("fed", [more, parts(fed, fed, name="late")], {fed: [0.5, -4.0]}),
            ("cut inside", again, {called[0]: [9.0, 9.0]}),
        ],
        "facts": facts,
    }
