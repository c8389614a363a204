"""Function calls, and conditionals and loops made of functions."""

import numpy as np

from tests.conformance.samples import Sample
from tests.support.models.function_graphs import Func, add_function, add_node, new_graph_def

X = np.array([[1.0, -2.0, 3.0]], "f")
F = "float32"


def library(tf):
    """A GraphDef with functions of a float and no nodes: double, negate, small (below 20), step."""
    message = new_graph_def(tf)
    float32, int32 = tf.float32, tf.int32
    x = [("x", float32)]
    T = {"T": float32}
    add_function(
        tf, message, "double", x, [("y", float32, "sum:z:0")], [("sum", "Add", ["x", "x"], T)]
    )
    add_function(
        tf, message, "negate", x, [("y", float32, "minus:y:0")], [("minus", "Neg", ["x"], T)]
    )
    small = [
        ("limit", np.float32(20)),
        ("axes", np.array([0, 1], np.int32)),
        ("sum", "Sum", ["x", "axes:output:0"], {"T": float32, "Tidx": int32, "keep_dims": False}),
        ("less", "Less", ["sum:output:0", "limit:output:0"], T),
    ]
    add_function(tf, message, "small", x, [("holds", tf.bool, "less:z:0")], small)
    step = [
        ("float", "Cast", ["i"], {"SrcT": int32, "DstT": float32, "Truncate": False}),
        ("sum", "Add", ["x", "float:y:0"], T),
    ]
    add_function(tf, message, "step", [("i", int32), *x], [("y", float32, "sum:z:0")], step)
    return message


def called(op, inputs, **attrs):
    """The results of `op` for these arrays, in a graph with the functions."""

    def build(tf):
        message = library(tf)
        values = {name: value(tf) if callable(value) else value for name, value in attrs.items()}
        names = [f"x{number}" for number in range(len(inputs))]
        add_node(tf, message.node, "call", op, names, **values)
        for name, value in zip(names, inputs):
            dtype = tf.as_dtype(np.asarray(value).dtype)
            add_node(tf, message.node, name, "Placeholder", dtype=dtype, shape=tf.TensorShape(None))
        tensors = {f"{n}:0": tf.constant(v) for n, v in zip(names, inputs)}
        (result,) = tf.import_graph_def(message, tensors, ["call:0"], name="")
        return [result]

    return build


def types(*names):
    return lambda tf: [tf.as_dtype(name) for name in names]


CALL = {"f": Func("double"), "Tin": types(F), "Tout": types(F)}
IF = {"then_branch": Func("double"), "else_branch": Func("negate"), "Tin": types(F)}
LOOP = {"cond": Func("small"), "body": Func("double"), "T": types(F)}
CASES = {"branches": [Func("double"), Func("negate"), Func("double")], "Tin": types(F)}


def chosen(op, condition, note="", **attrs):
    inputs = [condition, X]
    if op != "Case":
        attrs["Tcond"] = lambda tf: tf.as_dtype(np.asarray(condition).dtype)
    return {"build": called(op, inputs, Tout=types(F), **attrs), "note": note}


SAMPLES = [
    Sample("PartitionedCall", build=called("PartitionedCall", [X], **CALL), expect=2 * X),
    Sample(
        "StatefulPartitionedCall",
        build=called("StatefulPartitionedCall", [X], **CALL),
        expect=2 * X,
    ),
    Sample(
        "RemoteCall",
        build=called("RemoteCall", [b"/job:localhost/replica:0/task:0/device:CPU:0", X], **CALL),
        expect=2 * X,
    ),
    Sample(
        "SymbolicGradient",
        build=called(
            "SymbolicGradient", [X, 3 * X], f=Func("double"), Tin=types(F, F), Tout=types(F)
        ),
        expect=6 * X,
    ),
    Sample("If", **chosen("If", True, **IF), expect=2 * X),
    Sample("If", **chosen("If", np.float32(0), "of a number", **IF), expect=-X),
    Sample("If", **chosen("If", b"yes", "of a string", **IF), expect=2 * X),
    Sample("StatelessIf", **chosen("StatelessIf", False, **IF), expect=-X),
    Sample("Case", **chosen("Case", np.int32(0), "0", **CASES), expect=2 * X),
    Sample("Case", **chosen("Case", np.int32(1), "1", **CASES), expect=-X),
    Sample("Case", **chosen("Case", np.int32(-3), "of none", **CASES), expect=2 * X),
    Sample("While", build=called("While", [X], **LOOP), expect=16 * X),
    Sample("StatelessWhile", build=called("StatelessWhile", [12 * X], **LOOP), expect=12 * X),
    Sample(
        "For",
        build=called(
            "For", [np.int32(7), np.int32(0), np.int32(-3), X], T=types(F), body=Func("step")
        ),
        expect=X + 7 + 4 + 1,
    ),
    Sample("FakeParam", attrs={"dtype": np.float32, "shape": [2, 0]}, expect=np.zeros([2, 0], "f")),
]
