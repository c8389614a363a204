"""Arithmetic in every dtype: limits, NaN and infinities, shapes that do not fit, gradients; what is refused."""

import numpy as np

from tests.conformance.scenes import unknown

FLOATS = np.array([-np.inf, -2.5, -0.5, -0.0, 0.0, 0.5, 1.0, 1.5, 2.5, 40.0, np.inf, np.nan])
KINDS = ("float16", "float32", "float64")


def _slopes(tf, function, x, y):
    x, y = tf.constant(x), tf.constant(y)
    return [g for g in tf.gradients(function(x, y), [x, y]) if g is not None]


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

    def whole(name, *kinds):
        return [
            find(name)(tf.constant([-7, -1, 0, 1, 7] if k != "uint8" else [0, 1, 255], k))
            for k in kinds
        ]

    def complex_(name):
        x = tf.constant([0.5 + 1j, -2.0 - 0.25j, 3j, 1 + 0.5j], tf.complex128)
        y = find(name)(x)
        return y, tf.gradients(y, x, tf.ones_like(y) * (1 - 2j) if y.dtype.is_complex else None)

    # Of short floats infinity, zero and NaN are others there.
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
            "abs_integers": lambda: whole("abs", "int32", "int64"),
            "abs_least": lambda: tf.abs(tf.constant([-(2**31)], tf.int32)),
            "sign_integers": lambda: whole("sign", "int32", "int64"),
            "square_integers": lambda: [*whole("square", "int32", "int64"), tf.square(65536)],
            "negative_integers": lambda: whole("negative", "int32", "int64"),
            "rounded_integers": lambda: [
                tf.round([1, 2]),
                tf.round(tf.constant([0.5, 1.5, -2.5]), "own"),
            ],
            "floor_integers": lambda: tf.floor([1]),
            "sqrt_integers": lambda: tf.sqrt([4]),
            "nan_integers": lambda: tf.is_nan([1]),
            "parts": lambda: [
                f(tf.constant([1 + 2j, -3j]))
                for f in (tf.real, tf.imag, tf.conj, tf.math.angle, tf.abs)
            ],
            "parts_of_real": lambda: [
                f(tf.constant([1.0, -2.0])) for f in (tf.real, tf.imag, tf.conj, tf.math.angle)
            ],
            "parts_of_text": lambda: tf.conj(["a"]),
            "complex": lambda: [
                tf.complex([1.0], [2.0], "own"),
                tf.complex(np.float64(1.0), np.float64(2.0)),
            ],
            "complex_types": lambda: tf.complex(tf.constant(1.0, tf.float64), tf.constant(2.0)),
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
            "divided_types": lambda: tf.truediv(tf.constant([1]), tf.constant([1.0])),
            "divided_bools": lambda: tf.truediv([True], [True]),
            "divided_old": lambda: [
                tf.div([-7, 7], 2),
                tf.div([-7.0], 2.0, "own"),
                tf.divide(tf.constant(7), 2, "own"),
            ],
            "powers": lambda: [
                tf.pow(np.array([-2, 0, 3], k), np.array([3, 0, 2], k))
                for k in ("int32", "int64", "complex64", "float16")
            ],
            "powers_negative": lambda: tf.pow([2, 3], u(np.array([1, -1], "i"))),
            "powers_of_two": lambda: [tf.pow(FLOATS, 2.0), tf.pow([3, -4], 2)],
            "powers_slope": lambda: tf.gradients(
                tf.pow(tf.constant([-2.0, 0.0, 3.0]), tf.fill([3], 3.0)),
                [tf.get_default_graph().get_tensor_by_name("Const:0")],
            ),
            "limits": lambda: [
                tf.constant([2**31 - 1]) + 1,
                tf.constant([-(2**63)], tf.int64) - 1,
                tf.constant([2**62], tf.int64) * 2,
                tf.constant([127], tf.int8) + 1,
            ],
            "floor_limits": lambda: [
                call("FloorDiv", np.array([v], k), np.array([w], k))
                for k, v, w in (
                    ("int32", -(2**31), 3),
                    ("int64", 2**63 - 1, -2),
                    ("int8", -128, 7),
                    ("int16", 32767, -5),
                )
            ],
            "precise": lambda: [
                tf.constant([2**53 + 1], tf.int64) + 2,
                tf.constant([1e16]) + 1.0,
                tf.constant([1e16], tf.float64) + 1.0,
            ],
            "texts": lambda: [
                tf.add(["a", "b"], "c"),
                tf.equal(["a", "b"], ["a", "c"]),
                tf.not_equal(["a"], "b"),
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
            "complex_less": lambda: tf.less([1j], [1j]),
            "shapes": lambda: tf.add(u([1, 2]), u([1, 2, 3])),
            "shapes_static": lambda: tf.add([1, 2], [1, 2, 3]),
            "equal_shapes": lambda: [
                raw.Equal(x=u([1, 2]), y=u([1, 2, 3]), incompatible_shape_error=False),
                raw.NotEqual(x=u([1, 2]), y=u([1, 2, 3]), incompatible_shape_error=False),
            ],
            "equal_refused": lambda: raw.Equal(x=u([1, 2]), y=u([1, 2, 3])),
            "close": lambda: [
                raw.ApproximateEqual(x=u(np.full(2, 2, k)), y=u(np.array([2, 3], k)), tolerance=t)
                for k in ("f", "d", "e", "i", "i8")
                for t in (1.0, 0.5, 1.5)
            ],
            "close_shapes": lambda: raw.ApproximateEqual(x=u([1.0]), y=u([[1.0]])),
            "close_static": lambda: raw.ApproximateEqual(x=[1.0], y=[1.0, 2.0]),
            "scaled": lambda: [
                tf.scalar_mul(2, tf.constant([3])),
                tf.scalar_mul(
                    0.5, tf.IndexedSlices(tf.constant([2.0]), tf.constant([1])), "own"
                ).values,
            ],
            "scaled_vector": lambda: tf.scalar_mul([1, 2], tf.constant([3])),
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
            "packed_vector": lambda: raw.CompareAndBitpack(
                input=u(np.zeros(8, "f")), threshold=u(np.zeros(1, "f"))
            ),
            "packed_scalar": lambda: raw.CompareAndBitpack(input=u(np.float32(1)), threshold=0.0),
            "packed_seven": lambda: raw.CompareAndBitpack(input=u(np.zeros(7, "f")), threshold=0.0),
            "packed_static": lambda: raw.CompareAndBitpack(input=np.zeros(7, "f"), threshold=0.0),
            "zeta": lambda: [
                m.zeta([2.0, 1.0, 0.5, 3.5], [1.0, 2.0, 1.0, -2.0]),
                m.polygamma([0.0, 1.0, 2.0], [2.0, 0.5, -1.0]),
            ],
            "gammas": lambda: [
                f([0.0, 0.5, 2.0, 9.0, np.inf, -1.0], [1.0, 0.0, 3.0, 20.0, 1.0, 1.0])
                for f in (m.igamma, m.igammac)
            ],
            "gammas_slope": lambda: (
                _slopes(tf, m.igamma, [0.5, 2.0, 9.0], [1.0, 3.0, 7.0])
                + _slopes(tf, m.igammac, [0.5, 2.0, 9.0], [1.0, 3.0, 7.0])
            ),
            "beta": lambda: [
                m.betainc([1.0, 0.5, 2.0, 0.0], [2.0, 0.5, 3.0, 1.0], [0.25, 0.0, 1.0, 0.5]),
                m.lbeta([[1.0, 2.0], [0.5, 0.5]]),
                m.lbeta(tf.zeros([2, 0])),
            ],
            "beta_slope": lambda: tf.gradients(
                m.betainc(2.0, 3.0, tf.constant([0.25, 0.5])),
                tf.get_default_graph().get_tensor_by_name("Const:0"),
            ),
            "beta_shapes": lambda: m.betainc(
                u(np.ones(2, "f")), u(np.ones(3, "f")), u(np.ones(2, "f"))
            ),
            "logarithm_of_text": lambda: tf.math.log("a"),
            "xlogy": lambda: [
                m.xlogy([0.0, 1.0, 2.0], [0.0, 2.0, 0.0]),
                m.xdivy([0.0, 1.0], [0.0, 2.0]),
            ],
            "next": lambda: m.nextafter(
                np.array([0.0, 1.0, np.inf, np.nan]), np.array([1.0, 0.0, 0.0, 1.0])
            ),
            "next_single": lambda: m.nextafter([1.0], [2.0]) - 1.0,
        },
        graph=False,
    )
