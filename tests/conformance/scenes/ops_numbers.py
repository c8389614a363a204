"""Arithmetic in every dtype: limits, NaN and infinities, mismatched shapes, gradients; errors."""

import numpy as np

from tests.conformance.scenes import unknown

FLOATS = np.array([-np.inf, -2.5, -0.5, -0.0, 0.0, 0.5, 1.0, 1.5, 2.5, 40.0, np.inf, np.nan])
KINDS = ("float16", "float32", "float64")


def of_one_number(tf, stage):
    m = tf.math
    names = (
        "abs sign sqrt rsqrt square reciprocal exp expm1 log log1p sigmoid log_sigmoid softplus softsign sin cos tan "
        "asin acos atan sinh cosh tanh asinh acosh atanh erf erfc lgamma digamma bessel_i0 bessel_i1 bessel_i0e "
        "bessel_i1e floor ceil rint round is_nan is_inf is_finite negative"
    ).split()
    find = lambda n: getattr(m, n, None) or getattr(tf, n, None) or getattr(tf.nn, n)  # noqa: E731
    special = np.array([-3.7, -1.0, -0.25, 0.0, 0.25, 0.75, 1.0, 3.0, 3.5, 20.0])

    def slopes(name, kind):
        x = tf.constant(special, kind)
        return tf.gradients(find(name)(x), x)

    def complex_(name):
        x = tf.constant([0.5 + 1j, -2.0 - 0.25j, 3j, 1 + 0.5j], tf.complex128)
        y = find(name)(x)
        return y, tf.gradients(y, x, tf.ones_like(y) * (1 - 2j) if y.dtype.is_complex else None)

    # In short floats infinity, zero and NaN differ.
    of_half = {"sinh": 1, "cosh": 1, "asinh": 1, "rsqrt": 2}
    plain = names[: names.index("floor")]
    of_complex = (
        "sqrt rsqrt square reciprocal exp expm1 log log1p sigmoid sin cos tan sinh cosh tanh asinh acosh atanh sign abs"
    ).split()
    stage.each(
        {
            **{
                n: lambda n=n: [find(n)(tf.constant(FLOATS, k)) for k in KINDS[of_half.get(n, 0) :]]
                for n in names
            },
            **{n + "_slope": lambda n=n: [slopes(n, k) for k in KINDS[1:]] for n in plain},
            **{n + "_complex": lambda n=n: complex_(n) for n in of_complex},
            "parts": lambda: [
                f(tf.constant([1 + 2j, -3j]))
                for f in (tf.real, tf.imag, tf.conj, tf.math.angle, tf.abs)
            ],
            "parts_of_real": lambda: [
                f(tf.constant([1.0, -2.0])) for f in (tf.real, tf.imag, tf.conj, tf.math.angle)
            ],
            "complex_integers": lambda: tf.complex(1, 2),
            "polynomial": lambda: [
                tf.math.polyval([2.0, 0.0, tf.constant([1.0, 3.0])], 3.0, "own"),
                tf.math.polyval([], 2.0),
                tf.math.polyval([5], 2),
            ],
            "names": lambda: [find(n)(1.5, name="own").op.name for n in names],
        },
        graph=False,
    )


def of_two_numbers(tf, stage):
    u, raw, m = unknown(tf), tf.raw_ops, tf.math
    a, b = np.meshgrid(FLOATS, [-np.inf, -3.0, -0.0, 0.0, 0.7, 2.0, np.inf, np.nan])
    names = (
        "add subtract multiply divide maximum minimum squared_difference floordiv floormod atan2"
    )
    names = [
        n
        for n in f"{names} multiply_no_nan divide_no_nan".split()
        if hasattr(m, n) or hasattr(tf, n)
    ]
    find = lambda n: getattr(m, n, None) or getattr(tf, n)  # noqa: E731
    raws = "Div RealDiv FloorDiv FloorMod Mod TruncateMod Pow".split()
    call = lambda n, x, y: getattr(raw, n)(x=x, y=y)  # noqa: E731
    whole = [-7, -2, 0, 3, 7], [2, -3, 5, -2, 7]
    kinds = "int8 int16 int32 int64".split()
    compare = "equal not_equal less less_equal greater greater_equal".split()

    def slopes(n, shapes=((2, 3), (3,)), zero=False):
        x = tf.constant(np.arange(1.0, 7.0).reshape(2, 3))[: shapes[0][0]]
        y = tf.constant(np.array([2.0, 0.0 if zero else -3.0, 0.5]))
        y = tf.reshape(y, shapes[1]) if shapes[1] else y[0]
        return tf.gradients(find(n)(x, y) ** 2, [x, y])

    stage.each(
        {
            **{
                n: lambda n=n: [find(n)(a.astype(k), b.astype(k)) for k in KINDS[1:]] for n in names
            },
            **{n: lambda n=n: call(n, a.astype("f"), b.astype("f")) for n in raws},
            **{
                n + "_slopes": lambda n=n: [
                    slopes(n),
                    slopes(n, ((2, 3), ())),
                    slopes(n, ((1, 3), (3, 1))),
                ]
                for n in [*names, "pow"]
                if n != "floordiv"
            },
            **{
                n + "_integers": lambda n=n: [
                    call(n, *(np.array(v, k) for v in whole)) for k in (kinds if n != "Pow" else ())
                ]
                for n in raws
                if n not in ("Mod", "TruncateMod", "FloorMod", "Pow", "RealDiv")
            },
            **{
                n + "_by_zero": lambda n=n: call(n, [1, 2], u(np.array([1, 0], "i")))
                for n in ("Div", "FloorDiv", "FloorMod", "TruncateMod", "TruncateDiv", "Mod")
            },
            **{
                n: lambda n=n: (
                    [find(n)(*(np.array(v, k) for v in whole)) for k in ("int32", "int64")]
                    + [find(n)(FLOATS, 0.5)]
                )
                for n in compare
            },
            "mod_integers": lambda: [
                call(n, *(np.array(v, k) for v in whole))
                for n in ("Mod", "FloorMod", "TruncateMod")
                for k in kinds[2:]
            ],
            "truncated": lambda: [
                call("TruncateDiv", *(np.array(v, k) for v in whole)) for k in kinds
            ],
            "unsigned": lambda: [
                call(n, np.array([255, 7], "u1"), np.array([2, 9], "u1"))
                for n in ("Div", "FloorDiv", "TruncateDiv", "Mul", "Sub", "Add")
            ],
            "divided": lambda: [
                tf.truediv(np.array([7, 200][: 1 + (k[0] != "i")], k), np.array(2, k))
                for k in (*kinds, "uint8", "uint16", "float16", "complex64")
            ],
            "powers": lambda: [
                tf.pow(np.array([-2, 0, 3], k), np.array([3, 0, 2], k))
                for k in ("int32", "int64", "complex64", "float16")
            ],
            "powers_negative": lambda: tf.pow([2, 3], u(np.array([1, -1], "i"))),
            "powers_of_two": lambda: [tf.pow(FLOATS, 2.0), tf.pow([3, -4], 2)],
            "limits": lambda: [
                tf.constant([2**31 - 1]) + 1,
                tf.constant([-(2**63)], tf.int64) - 1,
                tf.constant([2**62], tf.int64) * 2,
                tf.constant([127], tf.int8) + 1,
            ],
            "bools": lambda: [
                f([True, False, True], [True, False, False])
                for f in (tf.equal, tf.not_equal, tf.logical_and, tf.logical_or, tf.logical_xor)
            ],
            "complex": lambda: [
                f(tf.constant([1 + 2j, 3j]), tf.constant([2 - 1j, 3j]))
                for f in (
                    tf.add,
                    tf.multiply,
                    tf.divide,
                    tf.squared_difference,
                    tf.pow,
                    tf.equal,
                    tf.not_equal,
                )
            ],
            "equal_shapes": lambda: [
                raw.Equal(x=u([1, 2]), y=u([1, 2, 3]), incompatible_shape_error=False),
                raw.NotEqual(x=u([1, 2]), y=u([1, 2, 3]), incompatible_shape_error=False),
            ],
            "close": lambda: [
                raw.ApproximateEqual(x=u(np.full(2, 2, k)), y=u(np.array([2, 3], k)), tolerance=t)
                for k in ("f", "d", "e", "i", "i8")
                for t in (1.0, 0.5, 1.5)
            ],
            "scaled": lambda: [
                tf.scalar_mul(2, tf.constant([3])),
                tf.scalar_mul(
                    0.5, tf.IndexedSlices(tf.constant([2.0]), tf.constant([1])), "own"
                ).values,
            ],
            "bits": lambda: [
                f(np.array([0b1100, -1], k), np.array([0b1010, 5], k))
                for k in kinds
                for f in (tf.bitwise.bitwise_and, tf.bitwise.bitwise_or, tf.bitwise.bitwise_xor)
            ],
            "shifted": lambda: [
                f(np.array([-8, 5, 1], k), np.array([1, 2, 3], k))
                for k in kinds
                for f in (tf.bitwise.left_shift, tf.bitwise.right_shift)
            ],
            "inverted": lambda: (
                [tf.bitwise.invert(np.array([0, 5], k)) for k in (*kinds, "uint8")]
                + [raw.PopulationCount(x=np.array([0, 5, -1], k)) for k in kinds]
            ),
            "packed": lambda: (
                [
                    raw.CompareAndBitpack(
                        input=np.arange(16.0, dtype=k).reshape(2, 8), threshold=np.array(4, k)
                    )
                    for k in ("f", "d", "i1", "i8", "e")
                ]
                + [raw.CompareAndBitpack(input=[[True, False] * 4], threshold=False)]
            ),
            "packed_scalar": lambda: raw.CompareAndBitpack(input=u(np.float32(1)), threshold=0.0),
            "packed_seven": lambda: raw.CompareAndBitpack(input=u(np.zeros(7, "f")), threshold=0.0),
            "gammas": lambda: [
                f([0.0, 0.5, 2.0, 9.0, np.inf, -1.0], [1.0, 0.0, 3.0, 20.0, 1.0, 1.0])
                for f in (m.igamma, m.igammac)
            ],
            "beta": lambda: [
                m.betainc([1.0, 0.5, 2.0, 0.0], [2.0, 0.5, 3.0, 1.0], [0.25, 0.0, 1.0, 0.5]),
                m.lbeta([[1.0, 2.0], [0.5, 0.5]]),
                m.lbeta(tf.zeros([2, 0])),
            ],
            "logarithm_of_text": lambda: tf.math.log("a"),
        },
        graph=False,
    )
