"""Dual coordinate ascent: one example of each loss, and fingerprints, as TensorFlow 1.15.5 computes them."""

import itertools

import numpy as np

from tests.conformance.samples import Sample

# By loss: the example's dual variable and primal loss, and the changes of three weight groups.
MOVES = {
    "logistic_loss": ([-0.183199, 2.303998], [0.1090599, 0.251821], -0.2346956, [-0.3812268, 0.1435766, 0.1239596]),
    "squared_loss": ([-0.109436, 2.778993], [0.06514812, 0.1504281], -0.1401981, [-0.2277301, 0.08576706, 0.07404866]),
    "hinge_loss": ([-0.1604473, 3.129305], [0.09551559, 0.2205471], -0.2055485, [-0.3338818, 0.1257456, 0.1085649]),
    "smooth_hinge_loss": ([-0.1533943, 2.680921],
        [0.09131688, 0.2108522], -0.196513, [-0.3192049, 0.1202181, 0.1037926]),
    "poisson_loss": ([-0.1906665, 10.81117], [0.1135053, 0.2620856], -0.2442621, [-0.396766, 0.1494289, 0.1290124]),
}  # fmt: skip
FINGERPRINTS = {
    b"": (4463240938071824939, 4374473821787594281),
    b"a": (7969074168056553668, 5955762262185338209),
    b"abc": (4143508125394299908, -6879828354153669051),
    b"abcdefgh": (6985830856738084079, 6264954680145817547),
    b"x" * 16: (-2639838977224831595, 160188369956113230),
    b"y" * 17: (-2117712328619507009, 940160698274262391),
    b"q" * 127: (-1154289452180690323, -8859879917120276092),
    b"q" * 128: (-7270997857361140827, 7692712594651727052),
    b"0123456789" * 20: (7630613783989334158, -6037115230231893044),
}


def ids(*numbers):
    return np.array(numbers, "i8")


def floats(*numbers):
    return np.array(numbers, "f")


def moved(loss, adaptive):
    """One example with three feature groups, one of them without values."""
    random = np.random.RandomState(1)
    dense = random.randn(1, 3).astype("f")
    weight, label = random.rand(1).astype("f") + np.float32(0.5), random.randint(0, 2, 1)
    values = random.randn(2).astype("f")
    inputs = [
        [ids(0, 0), ids(0)],
        [ids(3, 1), ids(7)],
        [values],
        [dense],
        weight,
        label.astype("f"),
        [ids(1, 3), ids(7, 0)],
        [floats(0.1, -0.2), floats(0.4, 0.2)],
        [random.randn(3).astype("f")],
        np.zeros((1, 4), "f"),
    ]
    attrs = {"loss_type": loss, "l1": 0.1, "l2": 0.7, "num_loss_partitions": 3}
    attrs |= {"num_inner_iterations": 1, adaptive: False}
    (dual, primal), first, second, last = MOVES[loss]
    state = floats([dual, primal, 0, 0.8967675])
    expect = (state, floats(*first), floats(second, 0), floats(*last))
    name = "SdcaOptimizer" if adaptive == "adaptative" else "SdcaOptimizerV2"
    return Sample(name, inputs, attrs, expect, gradient=(), tolerance=2e-6, static=False, note=loss)


def in_some_order(tf):
    """Three examples: the changes match one of the six orders of single-example updates."""
    random = np.random.RandomState(4)
    features, labels = random.randn(3, 2).astype("f"), floats(1, 0, 1)

    def changes(numbers, state, weights):
        found = tf.train.sdca_optimizer(
            *([], [], [], [features[numbers]], np.ones(len(numbers), "f"), labels[numbers]),
            *([], [], [weights], state),
            **{"loss_type": "squared_loss", "l1": 0.0, "l2": 1.0, "num_loss_partitions": 1},
            num_inner_iterations=1,
            adaptative=False,
        )
        return found.out_delta_dense_weights[0]

    def nearest(session):
        whole = session.run(changes([0, 1, 2], np.zeros((3, 4), "f"), np.zeros(2, "f")))
        ends = []
        for order in itertools.permutations(range(3)):
            weights = np.zeros(2)
            for number in order:
                # The dual of the squared loss moves by (label - prediction) / (1 + norm).
                x = features[number].astype("d")
                weights += x * (labels[number] - x @ weights) / (1 + x @ x)
            ends.append(np.abs(whole - weights).max())
        return np.float32(min(ends) < 1e-6)

    return [nearest]


def shrunk(tf):
    variables = [tf.Variable(floats(0.5, -0.25, 0.1)), tf.Variable([[-2.0]])]
    shrink = tf.train.sdca_shrink_l1(variables, l1=0.5, l2=2.0)
    return [tf.global_variables_initializer(), shrink, variables]


SAMPLES = [
    *(moved(loss, name) for loss in MOVES for name in ("adaptative", "adaptive")),
    Sample("SdcaOptimizer", build=in_some_order, expect=np.float32(1), note="in some order"),
    Sample(
        "SdcaFprint",
        [np.array(list(FINGERPRINTS), object)],
        expect=np.array(list(FINGERPRINTS.values())),
    ),
    Sample("SdcaShrinkL1", build=shrunk, expect=(floats(0.25, 0, 0), floats([-1.75]))),
]
