"""Variable ops: hold, assign, count, gather, scatter."""

import numpy as np

from tests.conformance.samples import Sample
from tfmini._src.graph.opdef import raw

X = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], "f")
DELTA = np.array([[10.0, 20.0], [30.0, 40.0], [50.0, 60.0]], "f")
ROWS = np.array([2, 0, 2])
UPDATES = np.array([[0.5, 7.0], [2.0, 2.0], [4.0, 0.25]], "f")
POINTS = np.array([[0, 1], [2, 0], [0, 1]], "i4")
VALUES = np.array([1.0, 2.0, 4.0], "f")


def by_ref(op, *arguments, initial=X, **attrs):
    """Builds `op` on a reference variable; fetches what it returns."""

    def build(tf):
        variable = tf.Variable(initial)
        result = getattr(raw, op)(variable._ref(), *arguments, **attrs)
        return [variable.initializer, result]

    return build


def by_handle(op, *arguments, initial=X, then_read=True, **attrs):
    """Builds `op` on a resource variable; fetches what it returns, or the value after it."""

    def build(tf):
        variable = tf.Variable(initial, use_resource=True)
        result = getattr(raw, op)(variable.handle, *arguments, **attrs)
        if not then_read:
            return [variable.initializer, result]
        with tf.control_dependencies([result]):
            return [variable.initializer, variable.read_value()]

    return build


def held(op):
    """A variable's own node: assigned and read through its output."""

    def build(tf):
        return [raw.Assign(getattr(raw, op)(shape=[3, 2], dtype=tf.float32), X)]

    return build


def handle(tf):
    made = raw.VarHandleOp(dtype=tf.float32, shape=[3, 2], shared_name="v")
    same = raw.VarHandleOp(dtype=tf.float32, shape=[3, 2], shared_name="v")
    return [raw.AssignVariableOp(made, X), raw.ReadVariableOp(same, tf.float32)]


def temporary(tf):
    made = raw.TemporaryVariable(shape=[3, 2], dtype=tf.float32, var_name="t")
    sum_of_both = raw.AssignAdd(raw.Assign(made, X), DELTA)
    return [raw.DestroyTemporaryVariable(sum_of_both, var_name="t")]


def initialized(tf):
    one, other = tf.Variable(1.0), tf.Variable(1.0)
    return [
        one.initializer,
        [raw.IsVariableInitialized(one._ref()), raw.IsVariableInitialized(other._ref())],
    ]


def resource_initialized(tf):
    one, other = (tf.Variable(1.0, use_resource=True) for _ in range(2))
    return [
        one.initializer,
        [raw.VarIsInitializedOp(one.handle), raw.VarIsInitializedOp(other.handle)],
    ]


def first_zeros(tf):
    variable = raw.VariableV2(shape=[3, 2], dtype=tf.float32)
    return [raw.ZeroInitializer(variable), raw.Identity(variable)]


def first_zeros_of_resource(tf):
    handle = raw.VarHandleOp(dtype=tf.float32, shape=[3, 2])
    zeros = raw.ZeroVarInitializer(handle, dtype=tf.float32, shape=[3, 2])
    return [zeros.op, raw.ReadVariableOp(handle, dtype=tf.float32)]


def destroyed(tf):
    variable = tf.Variable(1.0, use_resource=True)
    destroy = raw.DestroyResourceOp(variable.handle)
    return [variable.initializer, destroy, destroy, raw.VarIsInitializedOp(variable.handle)]


def scattered(function, rows=ROWS, updates=UPDATES):
    """X with the updates applied in sequence."""
    result = X.copy()
    for row, update in zip(rows, updates):
        result[row] = function(result[row], update)
    return result


def pointed(function):
    result = X.copy()
    for point, value in zip(POINTS, VALUES):
        result[tuple(point)] = function(result[tuple(point)], value)
    return result


SCATTERS = {
    "Update": lambda old, new: new,
    "Add": np.add,
    "Sub": np.subtract,
    "Mul": np.multiply,
    "Div": np.divide,
    "Min": np.minimum,
    "Max": np.maximum,
}
MANY = np.array([1] * 20 + [0], "i4")
MANY_UPDATES = np.linspace(1, 2, 42, dtype="f").reshape(21, 2)

SAMPLES = [
    Sample("VariableV2", expect=X, build=held("VariableV2")),
    Sample("Variable", expect=X, build=held("Variable")),
    Sample("VarHandleOp", expect=X, build=handle),
    Sample("IsVariableInitialized", expect=(True, False), build=initialized),
    Sample("VarIsInitializedOp", expect=(True, False), build=resource_initialized),
    Sample("ZeroInitializer", expect=np.zeros_like(X), build=first_zeros),
    Sample("ZeroVarInitializer", expect=np.zeros_like(X), build=first_zeros_of_resource),
    Sample("DestroyResourceOp", expect=False, build=destroyed),
    Sample("TemporaryVariable", expect=X + DELTA, build=temporary),
    Sample("DestroyTemporaryVariable", expect=X + DELTA, build=temporary),
    Sample("Assign", expect=DELTA, build=by_ref("Assign", DELTA)),
    Sample(
        "Assign",
        expect=np.array([1.0], "f"),
        build=by_ref("Assign", [1.0], validate_shape=False),
        note="another shape",
    ),
    Sample("AssignAdd", expect=X + DELTA, build=by_ref("AssignAdd", DELTA)),
    Sample("AssignSub", expect=X - DELTA, build=by_ref("AssignSub", DELTA)),
    Sample("CountUpTo", expect=3, build=by_ref("CountUpTo", 4, initial=3)),
    Sample(
        "ReadVariableOp", expect=X, build=by_handle("ReadVariableOp", np.float32, then_read=False)
    ),
    Sample(
        "VariableShape",
        expect=np.array([3, 2], "i4"),
        build=by_handle("VariableShape", then_read=False),
    ),
    Sample("AssignVariableOp", expect=DELTA, build=by_handle("AssignVariableOp", DELTA)),
    Sample("AssignAddVariableOp", expect=X + DELTA, build=by_handle("AssignAddVariableOp", DELTA)),
    Sample("AssignSubVariableOp", expect=X - DELTA, build=by_handle("AssignSubVariableOp", DELTA)),
    Sample(
        "ResourceCountUpTo",
        expect=3,
        build=by_handle("ResourceCountUpTo", 4, np.int32, initial=3, then_read=False),
    ),
    Sample(
        "ResourceGather",
        expect=X[ROWS],
        build=by_handle("ResourceGather", ROWS, dtype=np.float32, then_read=False),
    ),
    Sample(
        "ResourceGather",
        expect=np.array([[2.0], [3.0], [6.0]], "f"),
        build=by_handle(
            "ResourceGather", [[1], [0], [1]], dtype=np.float32, batch_dims=1, then_read=False
        ),
        note="batch",
    ),
    Sample(
        "ResourceGatherNd",
        expect=X[[0, 2, 0], [1, 0, 1]],
        build=by_handle("ResourceGatherNd", POINTS, dtype=np.float32, then_read=False),
    ),
]
for _name, _function in SCATTERS.items():
    for _op, _by in ((f"Scatter{_name}", by_ref), (f"ResourceScatter{_name}", by_handle)):
        SAMPLES += [
            Sample(_op, expect=scattered(_function), build=_by(_op, ROWS, UPDATES)),
            Sample(
                _op,
                expect=scattered(_function, MANY, MANY_UPDATES),
                build=_by(_op, MANY, MANY_UPDATES),
                note="many times the same row",
            ),
            Sample(
                _op,
                expect=scattered(_function, [1, 2], np.array([2.0, 2.0], "f")),
                build=_by(_op, [1, 2], np.float32(2)),
                note="a scalar",
            ),
        ]
for _name in ("Update", "Add", "Sub"):
    for _op, _by in ((f"ScatterNd{_name}", by_ref), (f"ResourceScatterNd{_name}", by_handle)):
        SAMPLES += [
            Sample(_op, expect=pointed(SCATTERS[_name]), build=_by(_op, POINTS, VALUES)),
            Sample(
                _op,
                expect=scattered(SCATTERS[_name]),
                build=_by(_op, ROWS[:, None], UPDATES),
                note="rows",
            ),
        ]
