"""Ops on one tensor or on two that broadcast."""

import numpy as np

import tfmini as tf
from tests.conformance.samples import Sample
from tests.support.lazy_modules import scipy

NAN, INF = np.nan, np.inf


def special(name):
    """A function of scipy.special, loaded on its first call."""
    return lambda *arguments: getattr(scipy.special, name)(*arguments)


def f(*values):
    return np.array(values, np.float32)


def d(*values):
    return np.array(values, np.float64)


def i(*values):
    return np.array(values, np.int32)


def c(*values):
    return np.array(values, np.complex64)


def b(*values):
    return np.array(values, bool)


X = f([-2.5, -0.3, 0.4], [0.9, 1.7, 3.25])
STEPS = X + np.float32(0.07)  # no ties, where finite differences would see a slope
UNIT = f(0.1, -0.4, 0.7)
POSITIVE = f(0.1, 0.4, 2.5, 30)
COMPLEX = c(1 + 2j, -0.5j, 0.3)

# op: NumPy's function, values, whether it supports complex numbers
UNARY = {
    "Abs": (np.abs, X, False),
    "Acos": (np.arccos, UNIT, False),
    "Acosh": (np.arccosh, f(1.1, 2, 30), False),
    "Asin": (np.arcsin, UNIT, False),
    "Asinh": (np.arcsinh, X, False),
    "Atan": (np.arctan, X, False),
    "Atanh": (np.arctanh, UNIT, False),
    "BesselI0e": (special("i0e"), X, False),
    "BesselI1e": (special("i1e"), X, False),
    "Ceil": (np.ceil, STEPS, False),
    "Cos": (np.cos, X, True),
    "Cosh": (np.cosh, X, True),
    "Digamma": (special("digamma"), POSITIVE, False),
    "Erf": (special("erf"), X, False),
    "Erfc": (special("erfc"), X, False),
    "Exp": (np.exp, X, True),
    "Expm1": (np.expm1, X, True),
    "Floor": (np.floor, STEPS, False),
    "Inv": (lambda x: 1 / x, X, True),
    "Lgamma": (special("gammaln"), POSITIVE, False),
    "Log": (np.log, POSITIVE, True),
    "Log1p": (np.log1p, POSITIVE, True),
    "Neg": (lambda x: -x, X, True),
    "Reciprocal": (lambda x: 1 / x, X, True),
    "Rint": (np.rint, STEPS, False),
    "Round": (np.round, STEPS, False),
    "Rsqrt": (lambda x: x**-0.5, POSITIVE, True),
    "Sigmoid": (lambda x: 1 / (1 + np.exp(-x)), X, True),
    "Sign": (lambda x: x / np.abs(x), X, False),
    "Sin": (np.sin, X, True),
    "Sinh": (np.sinh, X, True),
    "Sqrt": (np.sqrt, POSITIVE, True),
    "Square": (lambda x: x * x, X, True),
    "Tan": (np.tan, UNIT, True),
    "Tanh": (np.tanh, X, True),
}
SAMPLES = []
for _op, (_function, _values, _complex) in UNARY.items():
    SAMPLES.append(Sample(_op, [_values], expect=_function))
    SAMPLES.append(Sample(_op, [_values[..., 0]], expect=_function, note="scalar"))
    SAMPLES.append(Sample(_op, [_values.astype("d")], expect=_function, note="double"))
    SAMPLES.append(
        Sample(
            _op,
            [_values.astype("e")],
            expect=lambda x, _function=_function: _function(x.astype("d")).astype("e"),
            note="half",
        )
    )
    if _complex:
        SAMPLES.append(Sample(_op, [COMPLEX], expect=_function, gradient=[0], note="complex"))

SAMPLES += [
    Sample("Abs", [np.array([-128, 5], "i1")], expect=np.array([-128, 5], "i1"), note="int8"),
    Sample("Neg", [i(3, -(2**31))], expect=i(-3, -(2**31)), note="int32"),
    Sample("Square", [i(3, 2**16)], expect=i(9, 0), note="int32"),
    Sample("Sign", [f(-2, 0, NAN, INF)], expect=f(-1, 0, 0, 1), note="nan", gradient=()),
    Sample("Sign", [i(-2, 0, 7)], expect=i(-1, 0, 1), note="int32"),
    Sample("Sign", [c(3 + 4j, 0)], expect=c(0.6 + 0.8j, 0), note="complex", gradient=()),
    Sample("Round", [f(0.5, 1.5, 2.5, -1.5)], expect=f(0, 2, 2, -2), note="ties", gradient=()),
    Sample("Rint", [f(0.5, 1.5, 2.5, -1.5)], expect=f(0, 2, 2, -2), note="ties", gradient=()),
    Sample("Round", [i(5, -7)], expect=i(5, -7), note="int32"),
    Sample("Log", [f(0, -1, INF)], expect=f(-INF, NAN, INF), note="edges", gradient=()),
    Sample("Sqrt", [f(0, -1, INF)], expect=f(0, NAN, INF), note="edges", gradient=()),
    Sample("Sigmoid", [f(-100, 100)], expect=f(0, 1), note="far"),
    Sample("Sigmoid", [d(-1000, -30)], expect=d(0, 9.357622968839299e-14), note="far double"),
    Sample(
        "Lgamma",
        [f(-2, -1.5, 0, INF)],
        expect=f(INF, 0.86004704, INF, INF),
        note="poles",
        gradient=(),
    ),
    Sample("Digamma", [f(-2, -1.5, 0)], expect=f(INF, 0.7031568, INF), note="poles", gradient=()),
    Sample("IsNan", [f(1, NAN, INF)], expect=b(0, 1, 0)),
    Sample("IsInf", [f(1, NAN, -INF)], expect=b(0, 0, 1)),
    Sample("IsFinite", [f(1, NAN, INF)], expect=b(1, 0, 0)),
    Sample("LogicalNot", [b(1, 0)], expect=b(0, 1)),
    Sample("Invert", [np.array([5, 0], "u1")], expect=np.array([250, 255], "u1")),
    Sample("PopulationCount", [i(7, -1)], expect=np.array([3, 32], "u1")),
    Sample(
        "CompareAndBitpack",
        [np.arange(16, dtype="f").reshape(2, 8), np.float32(1)],
        expect=np.array([[63], [255]], "u1"),
        gradient=(),
    ),
    Sample("CompareAndBitpack", [np.arange(8) % 3 > 0, b(True)[0]], expect=np.uint8([0b01101101])),
]

# Second gradients: (y, dy) -> z, y being the function's value.
Y, DY = f(0.3, -0.6, 1.5), f(1, -2, 0.5)
CY, CDY = c(0.3 - 1j, 0.6j), c(1 + 1j, -2)
GRADIENTS = {
    "InvGrad": (lambda y, dy: -dy * np.conj(y) ** 2, Y),
    "ReciprocalGrad": (lambda y, dy: -dy * np.conj(y) ** 2, Y),
    "RsqrtGrad": (lambda y, dy: -0.5 * dy * np.conj(y) ** 3, Y),
    "SigmoidGrad": (lambda y, dy: dy * y * (1 - y), Y),
    "SqrtGrad": (lambda y, dy: 0.5 * dy / np.conj(y), Y),
    "TanhGrad": (lambda y, dy: dy * (1 - y * y), Y),
}
for _op, (_function, _values) in GRADIENTS.items():
    SAMPLES.append(Sample(_op, [_values, DY], expect=_function, gradient=[0, 1]))
    SAMPLES.append(Sample(_op, [CY, CDY], expect=_function, note="complex"))

# Ops of two tensors: function, values of both.
ROW, COLUMN = f([1.5, -2, 0.5]), f([2], [-3])
BINARY = {
    "Add": (np.add, ROW, COLUMN),
    "AddV2": (np.add, ROW, COLUMN),
    "Atan2": (np.arctan2, ROW, COLUMN),
    "Div": (np.divide, ROW, COLUMN),
    "DivNoNan": (np.divide, ROW, COLUMN),
    "Maximum": (np.maximum, ROW, COLUMN),
    "Minimum": (np.minimum, ROW, COLUMN),
    "Mul": (np.multiply, ROW, COLUMN),
    "MulNoNan": (np.multiply, ROW, COLUMN),
    "Pow": (np.power, f([1.5, 2, 0.5]), COLUMN),
    "RealDiv": (np.divide, ROW, COLUMN),
    "SquaredDifference": (lambda x, y: (x - y) ** 2, ROW, COLUMN),
    "Sub": (np.subtract, ROW, COLUMN),
    "Xdivy": (lambda x, y: x / y, ROW, COLUMN),
    "Xlogy": (lambda x, y: x * np.log(y), ROW, f([2], [3])),
}
for _op, (_function, _x, _y) in BINARY.items():
    # TensorFlow has no gradient of a broadcasting atan2.
    _both = () if _op == "Atan2" else None
    SAMPLES.append(Sample(_op, [_x, _y], expect=_function, gradient=_both))
    SAMPLES.append(Sample(_op, [_x, _x + 4], expect=_function, note="same shape"))
    SAMPLES.append(Sample(_op, [_x, _y[0, 0]], expect=_function, gradient=_both, note="scalar"))
    SAMPLES.append(Sample(_op, [_x[0, 0], _y[0, 0]], expect=_function, note="scalars"))
    SAMPLES.append(Sample(_op, [_x[:, :0], _y], expect=_function, gradient=_both, note="empty"))

U1 = np.array([250, 10], "u1")
I7, J2 = i([7, -7, 8, 0]), i([2], [-3])
LONG = np.array([-7, -(2**53) - 1, 2**62 + 1])  # beyond float64's integers
SAMPLES += [
    Sample("Add", [i(2**31 - 1), i(1)], expect=i(-(2**31)), note="overflow"),
    Sample("Sub", [np.array([3], "u1"), np.array([5], "u1")], expect=np.array([254], "u1")),
    Sample("Mul", [U1, U1], expect=np.array([36, 100], "u1"), note="uint8"),
    Sample("Mul", [COMPLEX, COMPLEX[::-1]], expect=np.multiply, gradient=[0, 1], note="complex"),
    Sample("RealDiv", [COMPLEX, COMPLEX[::-1]], expect=np.divide, gradient=[0, 1], note="complex"),
    Sample("RealDiv", [f(1, -1, 0), f(0, 0, 0)], expect=f(INF, -INF, NAN), note="by zero", gradient=()),
    Sample("Div", [I7, J2], expect=i([3, -3, 4, 0], [-2, 2, -2, 0]), note="int32"),
    Sample("TruncateDiv", [I7, J2], expect=i([3, -3, 4, 0], [-2, 2, -2, 0])),
    Sample(
        *("TruncateDiv", [LONG, np.array([2, 2, -3])]),
        expect=np.array([-3, -(2**52), -(2**62 // 3)]),
        note="int64",
    ),
    Sample("FloorDiv", [I7, J2], expect=i([3, -4, 4, 0], [-3, 2, -3, 0]), note="int32"),
    Sample("FloorDiv", [d(1, -1, 7), d(0.1, 0.1, 2)], expect=d(10, -10, 3), gradient=()),
    Sample("FloorDiv", [d(1.05, -1.05, 7), d(0.1, 0.1, 2.2)], expect=d(10, -11, 3), note="between"),
    Sample("FloorDiv", [i(), i(0)], expect=i(), note="nothing by zero"),
    Sample("FloorMod", [I7, J2], expect=i([1, 1, 0, 0], [-2, -1, -1, 0]), note="int32"),
    Sample("FloorMod", [f([1.5, -2.5, 0.5]), COLUMN], expect=np.mod, gradient=[0, 1]),
    Sample("FloorMod", [f(1, -1, -1), f(0, INF, 3)], expect=f(NAN, INF, 2), note="edges", gradient=()),
    Sample("TruncateMod", [I7, J2], expect=i([1, -1, 0, 0], [1, -1, 2, 0])),
    Sample("Mod", [I7, J2], expect=i([1, -1, 0, 0], [1, -1, 2, 0]), note="int32"),
    Sample("Mod", [d(1, -1), d(0.3, 0.3)], expect=np.fmod),
    Sample("DivNoNan", [f(NAN, INF, 1), f(0, 0, 2)], expect=f(0, 0, 0.5), note="zeros", gradient=()),
    Sample("MulNoNan", [f(NAN, INF, NAN), f(0, 0, 1)], expect=f(0, 0, NAN), note="zeros", gradient=()),
    Sample("Xdivy", [f(0, 0, 1), f(0, NAN, 0)], expect=f(0, 0, INF), note="zeros", gradient=()),
    Sample("Xlogy", [f(0, 0, 1), f(0, NAN, 0)], expect=f(0, 0, -INF), note="zeros", gradient=()),
    Sample("Pow", [i(2, 3, -2, 7), i(31, 3, 3, 50)], expect=i(-(2**31), 27, -8, -576859983)),
    Sample("Pow", [COMPLEX, COMPLEX[::-1]], expect=np.power, gradient=[0, 1], note="complex"),
    Sample("Maximum", [f(1, NAN, 2), f(NAN, 1, 3)], expect=f(1, NAN, 3), note="nan", gradient=()),
    Sample("Minimum", [f(1, NAN, 2), f(NAN, 1, 3)], expect=f(1, NAN, 2), note="nan", gradient=()),
    Sample("Maximum", [i(1, 5), i(3)], expect=i(3, 5), note="int32"),
    Sample("SquaredDifference", [c(1 + 2j), c(3j)], expect=c(2), note="complex", gradient=()),
    Sample("NextAfter", [f([1, 0, 2]), f([2], [-1])], expect=np.nextafter),
    Sample("LogicalAnd", [b(1, 1, 0, 0), b(1, 0, 1, 0)], expect=b(1, 0, 0, 0)),
    Sample("LogicalOr", [b(1, 1, 0, 0), b(1, 0, 1, 0)], expect=b(1, 1, 1, 0)),
    Sample("Less", [I7, J2], expect=np.less),
    Sample("LessEqual", [I7, J2], expect=np.less_equal),
    Sample("Greater", [ROW, COLUMN], expect=np.greater),
    Sample("GreaterEqual", [ROW, ROW], expect=np.greater_equal),
    Sample("Equal", [I7, i(7)], expect=np.equal),
    Sample("Equal", [np.array([b"a", b"b"], object), np.array([b"a", b"c"], object)], expect=b(1, 0)),
    Sample("Equal", [i(1, 2), i(1, 2, 3)], {"incompatible_shape_error": False}, np.False_),
    Sample("NotEqual", [I7, i(7)], expect=np.not_equal),
    Sample("NotEqual", [np.array([b"a", b""], object), np.array(b"a", object)], expect=b(0, 1)),
    Sample("ApproximateEqual", [f(1, 2), f(1.000001, 2.1)], expect=b(1, 0)),
    Sample("ApproximateEqual", [f(1, 2), f(1.05, 2.2)], {"tolerance": 0.1}, b(1, 0), note="wide"),
    Sample("BitwiseAnd", [I7, J2], expect=np.bitwise_and),
    Sample("BitwiseOr", [I7, J2], expect=np.bitwise_or),
    Sample("BitwiseXor", [I7, J2], expect=np.bitwise_xor),
    Sample("LeftShift", [i(1, 1, 1), i(31, 32, -1)], expect=i(-(2**31), -(2**31), 1)),
    Sample("RightShift", [i(-8, -8), i(1, 40)], expect=i(-4, -1)),
    Sample("BroadcastGradientArgs", [i(2, 1, 3), i(4, 3)], expect=(i(1), i(0)), static=False),
    Sample(
        "BroadcastGradientArgs", [i(1, 3), i(1, 3)], expect=(i(), i()), static=False, note="same"
    ),
    Sample("BroadcastGradientArgs", [i(1), i(2, 1)], expect=(i(0, 1), i(1)), static=False),
    Sample("Complex", [f(1, 2), f(3)], expect=c(1 + 3j, 2 + 3j), gradient=[]),
    Sample("Complex", [d(1, 2), d(3, 4)], {"Tout": tf.complex128}, d(1, 2) + 1j * d(3, 4)),
    Sample("Real", [COMPLEX], expect=np.real, gradient=()),
    Sample("Imag", [COMPLEX], expect=np.imag, gradient=()),
    Sample("Angle", [COMPLEX], expect=np.angle, gradient=()),
    Sample("Real", [COMPLEX], {"Tout": tf.float32}, np.real, note="named"),
    Sample("Imag", [COMPLEX], {"Tout": tf.float32}, np.imag, note="named"),
    Sample("Angle", [COMPLEX], {"Tout": tf.float32}, np.angle, note="named"),
    Sample("ComplexAbs", [COMPLEX], {"Tout": tf.float32}, np.abs, note="named"),
    Sample("Conj", [COMPLEX], expect=np.conj, gradient=[0]),
    Sample("ComplexAbs", [COMPLEX], expect=np.abs, gradient=()),
    Sample("Igamma", [f(0.5, 1, 2), f(1, 2, 0)], expect=special("gammainc"), gradient=()),
    Sample("Igamma", [f(0.5, 1, 2), f(1, 2, 0.3)], gradient=[0, 1], order=1,
           expect=special("gammainc"), note="gradient"),
    Sample("Igamma", [f(0, -1, 1), f(1, 1, -1)], expect=f(NAN, NAN, NAN), note="outside", gradient=()),
    Sample("Igammac", [f(0.5, 1, 2), f(1, 2, 0.3)], gradient=[0, 1], order=1,
           expect=special("gammaincc")),
    Sample("IgammaGradA", [f(0.5, 1, 2), f(1, 2, 0.3)],
           expect=f(-0.38983727, -0.22082545, -0.07982416)),
    Sample("Zeta", [f(2, 3, 0.5), f(1, 2, 1)], expect=f(1.644934, 0.20205690, NAN), gradient=()),
    Sample("Zeta", [f(2, 3), f(1, 2)], expect=special("zeta"), gradient=[1], note="defined"),
    Sample("Polygamma", [f(0, 1, 2, 1.5), f(1, 1, 1, 1)],
           expect=f(-0.5772157, 1.644934, -2.404114, NAN), gradient=()),
    Sample("Polygamma", [f(0, 1, 3), f(0.5, 2, 4)], expect=special("polygamma"), gradient=[1], note="slope"),
    Sample("Betainc", [f(1, 2), f(1, 3), f(0.5, 0.2)], expect=special("betainc"), gradient=[2]),
]  # fmt: skip
