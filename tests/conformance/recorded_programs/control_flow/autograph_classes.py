"""Classes converted by AutoGraph: their methods, and unsupported ones."""

from tests.conformance.recorded_programs.control_flow._autograph import settle


class Scale(object):  # noqa: UP004  as programs of Python 2 have it
    """Scales numbers."""

    limit = 3

    def __init__(self, factor):
        super(Scale, self).__init__()  # noqa: UP008
        self.factor = factor

    def __call__(self, x):
        """Steps to ten or more."""
        while x < 10:
            x = x + self.signed(x)
        return x

    def signed(self, x):
        if x > 0:
            return x * self.factor + 1
        return 1 - x

    def again(self):
        return Scale

    @staticmethod
    def doubled(x):
        if x > 0:
            x = x * 2
        return x

    @property
    def name(self):
        return "scale"


class Plain:
    def absolute(self, x):
        return x if x > 0 else -x


class Derived(Plain):
    def twice(self, x):
        return self.absolute(x) * 2


class Empty:
    limit = 3


def build(tf):
    settle()

    class Gate(tf.keras.layers.Layer):
        def build(self, shape):
            self.kernel = self.add_weight("kernel", [int(shape[-1])], initializer="ones")

        def call(self, x):
            if x[0, 0] > 0.0:
                return x * self.kernel
            else:
                return x - 1.0

    def refused(entity, convert=tf.autograph.to_graph):
        try:
            convert(entity)
        except Exception as error:
            return type(error).__name__
        return "converted"

    convert = tf.autograph.to_graph
    scale, other = convert(Scale), convert(Scale, recursive=False)
    x = tf.placeholder(tf.int32, [], name="x")
    made = scale(3)
    results = [
        made(x),
        made.signed(x),
        scale.doubled(x),
        made.again()(2).signed(x),
        other(2).signed(x),
        convert(Plain)().absolute(x),
    ]
    gate = convert(Gate)()
    y = tf.placeholder(tf.float32, [1, 3], name="y")
    gated = gate(y)
    facts = {
        "names": [c.__name__ for c in (scale, convert(Plain), convert(Gate), made.again())],
        "layer": gate.name,
        "modules": [scale.__module__ == Scale.__module__, scale.__doc__, scale.__call__.__doc__],
        "kinds": [isinstance(made, Scale), isinstance(gate, tf.keras.layers.Layer)],
        "left out": [hasattr(scale, name) for name in ("limit", "name", "factor", "doubled")],
        "others": [scale is convert(Scale), scale is made.again()],
        "refused": [refused(kind) for kind in (Derived, Empty, int, 5)],
        "code": [refused(kind, tf.autograph.to_code) for kind in (Plain, Derived)],
    }
    return {
        "steps": [
            ("start", tf.global_variables_initializer(), None),
            ("positive", results, {x: 2}),
            ("negative", results, {x: -7}),
            ("open", gated, {y: [[1.0, 2.0, 3.0]]}),
            ("closed", gated, {y: [[-1.0, 2.0, 3.0]]}),
        ],
        "facts": facts,
    }
