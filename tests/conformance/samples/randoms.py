"""Random ops: TensorFlow 1.15.5's numbers for the same seeds (tests/devices/record_streams.py)."""

import pathlib

import numpy as np

import tfmini as tf
from tests.conformance.samples import Sample
from tests.devices import streams
from tfmini._src.graph.opdef import raw

GOLDEN = np.load(pathlib.Path(__file__).parents[2] / "golden" / "streams.npz")
SEEDS = {"seed": 3, "seed2": 4}
SHAPE = np.array([2, 3])
PAIR = np.array([3, -4])
EXACT = {"static": False, "tolerance": 1e-30}
CLOSE = {"static": False, "tolerance": 1e-6}

# Means, deviations, minima and maxima of four rows: one per sampling method, one with swapped bounds.
BOUNDED = [[0, 1, 2, -3], [1, 2, 1, 0.5], [-1, 1.5, 6, -np.inf], [3, 2.5, np.inf, -4.5]]
BOUNDED_DRAWN = {
    "e": [
        [0.2896, -0.2734, -0.2986],
        [1.608, 2.371, 2.195],
        [6.08, 6.996, 6.082],
        [-4.734, -4.523, -4.566],
    ],
    "f": [
        [0.28962207, -0.27345106, -0.29865932],
        [2.0395641, 2.4590907, 1.6081172],
        [6.0192432, 6.045112, 6.248695],
        [-4.717664, -4.5087714, -4.55039],
    ],
    "d": [
        [-0.7030205923675534, 1.002659122264378, 1.279767312470688],
        [1.8737430632636798, 2.10841301088183, 2.399621521219061],
        [6.063257662461791, 6.0565651920894705, 6.058493718009824],
        [-4.559267322051964, -4.621670475586497, -4.726494792188139],
    ],
}


def first(name, shape=(2, 3)):
    """The first numbers of TensorFlow's first run."""
    return GOLDEN[name][0].reshape(-1)[: int(np.prod(shape))].reshape(shape)


def floats(name, **options):
    return [
        Sample(
            name,
            [SHAPE],
            {"dtype": tf.as_dtype(kind), **SEEDS},
            expect=first(f"{name} {kind}").astype(kind),
            note=kind,
            **options,
        )
        for kind in ("float16", "float32", "float64")
    ]


def stateless(name, **options):
    return Sample(
        name, [np.array([9], "i4"), PAIR], expect=first(f"{name} float32", 9).astype("f"), **options
    )


def integers(low, high):
    kind = "i4" if high < 2**31 else "i8"
    return Sample(
        "RandomUniformInt",
        [SHAPE, np.array(low, kind), np.array(high, kind)],
        {"seed": -3, "seed2": -4},
        expect=first(f"RandomUniformInt {low} {high}"),
        note=f"{low} {high}",
        **EXACT,
    )


def runs_go_on(tf):
    """Each run of a node continues its stream: the second run is fetched last."""
    drawn = raw.RandomUniform(tf.constant([streams.LONG]), tf.float32, **SEEDS)[:40]
    return [drawn, drawn]


LOGITS = streams.LOGITS.astype("f")
RATES = [np.array([200]), streams.RATES]

SAMPLES = [
    *floats("RandomUniform", **EXACT),
    *floats("RandomStandardNormal", **CLOSE),
    *floats("TruncatedNormal", **CLOSE),
    Sample(
        "RandomUniform",
        build=runs_go_on,
        expect=GOLDEN["RandomUniform float32"][1][:40].astype("f"),
        note="second run",
    ),
    *(integers(low, high) for low, high in streams.RANGES),
    Sample("RandomShuffle", [np.arange(5)], SEEDS, expect=GOLDEN["RandomShuffle 5"][0]),
    Sample(
        "RandomShuffle",
        [np.arange(10).reshape(5, 2)],
        SEEDS,
        expect=np.arange(10).reshape(5, 2)[GOLDEN["RandomShuffle 5"][0]],
        note="rows",
    ),
    Sample("RandomShuffle", [np.array(3.0)], SEEDS, expect=np.array(3.0), note="scalar"),
    Sample(
        "Multinomial", [LOGITS, np.int32(50)], SEEDS, expect=GOLDEN["Multinomial 50"][0], **EXACT
    ),
    Sample(
        "Multinomial",
        [LOGITS, np.int32(1)],
        {**SEEDS, "output_dtype": tf.int32},
        expect=GOLDEN["Multinomial 1"][0].astype("i4"),
        note="one each",
        **EXACT,
    ),
    Sample(
        "RandomGamma",
        [np.array([200]), streams.ALPHAS],
        SEEDS,
        expect=GOLDEN["RandomGamma"][0],
        static=False,
        gradient=(),
    ),
    Sample(
        "RandomGammaGrad",
        [np.array([1.0, 2.0], "f"), np.array([0.5, 3.0], "f")],
        expect=np.array([0.80697906, 1.3217986], "f"),
    ),
    Sample(
        "RandomPoissonV2",
        RATES,
        {**SEEDS, "dtype": tf.float64},
        expect=GOLDEN["RandomPoissonV2"][0],
        **EXACT,
    ),
    Sample(
        "RandomPoissonV2",
        RATES,
        SEEDS,
        expect=GOLDEN["RandomPoissonV2"][0].astype("i8"),
        note="integers",
        **EXACT,
    ),
    stateless("StatelessRandomUniform", **EXACT),
    stateless("StatelessRandomNormal", **CLOSE),
    stateless("StatelessTruncatedNormal", **CLOSE),
    *(
        Sample(
            "ParameterizedTruncatedNormal",
            [np.array([4, 3], "i4"), *(np.array(p, kind) for p in BOUNDED)],
            SEEDS,
            np.array(want, kind),
            note=kind,
            static=False,
            tolerance=1e-3 if kind == "e" else 1e-6,
        )
        for kind, want in BOUNDED_DRAWN.items()
    ),
    Sample(
        "StatelessRandomUniformInt",
        [np.array([2], "i4"), np.array([1, 2]), np.int32(0), np.int32(5)],
        expect=np.array([0, 4], "i4"),
        **EXACT,
    ),
    Sample(
        "StatelessMultinomial",
        [LOGITS[:2], np.int32(4), PAIR],
        expect=np.array([[3, 0, 4, 4], [5, 5, 4, 5]]),
        **EXACT,
    ),
]
