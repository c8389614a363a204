"""Activations, softmaxes, biases and cross entropies, and the ops of their gradients."""

import numpy as np

from tests.conformance.samples import Sample
from tests.support.lazy_modules import scipy

# Away from the kinks at 0 and 6, where finite differences do not converge.
X = np.array([[-2.5, -0.3, 0.2, 1.5], [7.0, 5.5, -20.0, 30.0], [0.7, -1.0, 3.0, -6.1]], "f")
G = np.array([[1.0, 2.0, -3.0, 0.5], [0.1, 4.0, 2.0, -1.0], [3.0, 1.0, 0.3, 7.0]], "f")
Y = np.array([[-0.9, 0.4, -0.1, 2.0], [0.3, -0.6, 1.2, 5.0], [-0.2, 0.8, -0.7, 0.1]], "f")
SMALL = np.array([[-2.5, -0.3, 0.2, 1.5], [0.9, 0.0, -1.0, 3.0]], "f")
INTS = np.array([[-3, 0, 9], [4, 6, -7]])
SPECIAL = np.array([np.nan, np.inf, -np.inf, -0.0], "f")
ALPHA = np.float32(0.2)
SCALE, SCALE_ALPHA = 1.0507009873554805, 1.7580993408473766


def select(condition, a, b):
    return np.where(condition, a, b).astype(np.result_type(a, b))


def elu(x):
    return np.where(x < 0, np.exp(np.minimum(x, 0)) - 1, x).astype(x.dtype)


def softplus(x):
    """log(e + 1) in the dtype itself, as TensorFlow computes it."""
    limit = -np.log(np.finfo(x.dtype).eps) - 2
    middle = np.log(np.exp(np.minimum(x, limit)) + x.dtype.type(1))
    return np.where(x > limit, x, np.where(x < -limit, np.exp(x), middle)).astype(x.dtype)


def softmax(x):
    return scipy.special.softmax(x.astype("d"), axis=-1).astype(x.dtype)


def log_softmax(x):
    return scipy.special.log_softmax(x.astype("d"), axis=-1).astype(x.dtype)


def cross_entropy(features, labels):
    features, labels = np.broadcast_arrays(features, labels)
    return -(labels * log_softmax(features)).sum(-1), softmax(features) - labels


def sparse_cross_entropy(features, labels):
    return cross_entropy(features, np.eye(features.shape[1], dtype="f")[labels])


LABELS = np.array([[0.1, 0.2, 0.3, 0.4], [0.0, 1.0, 0.0, 0.0]], "f")
IMAGE = np.arange(48).reshape(2, 3, 2, 4).astype("f") / 7
BIAS = np.array([1.0, -2.0, 0.5, 3.0], "f")
BIAS3 = np.array([1.0, -2.0, 0.5], "f")
NCHW = {"data_format": "NCHW"}

ACTIVATIONS = [
    Sample("Relu", [X], expect=lambda x: np.maximum(x, 0), gradient=[0]),
    Sample("Relu", [INTS], expect=lambda x: np.maximum(x, 0), note="integers"),
    Sample(
        "Relu", [SPECIAL], expect=np.array([np.nan, np.inf, 0, 0], "f"), note="special", gradient=()
    ),
    Sample("ReluGrad", [G, X], expect=lambda g, x: g * (x > 0), gradient=[0, 1]),
    Sample(
        "ReluGrad",
        [np.ones(4, "f"), SPECIAL],
        expect=np.array([0, 1, 0, 0], "f"),
        note="special",
        gradient=(),
    ),
    Sample("Relu6", [X], expect=lambda x: np.clip(x, 0, 6), gradient=[0]),
    Sample("Relu6", [INTS.astype("i4")], expect=lambda x: np.clip(x, 0, 6), note="integers"),
    Sample("Relu6Grad", [G, X], expect=lambda g, x: g * ((x > 0) & (x < 6)), gradient=[0, 1]),
    Sample("LeakyRelu", [X], expect=lambda x: select(x > 0, x, x * ALPHA), gradient=[0]),
    Sample(
        "LeakyRelu",
        [X],
        {"alpha": 2.0},
        expect=lambda x: select(x > 0, x, x * np.float32(2)),
        note="steep",
    ),
    Sample(
        "LeakyRelu",
        [X.astype("d")],
        expect=lambda x: select(x > 0, x, x * float(ALPHA)),
        note="double",
    ),
    Sample(
        "LeakyReluGrad", [G, X], expect=lambda g, x: select(x > 0, g, g * ALPHA), gradient=[0, 1]
    ),
    Sample("Elu", [X], expect=elu, gradient=[0]),
    Sample("EluGrad", [G, Y], expect=lambda g, y: select(y < 0, g * (y + 1), g), gradient=[0, 1]),
    Sample(
        "Selu",
        [X],
        expect=lambda x: np.where(x < 0, elu(x) * SCALE_ALPHA, x * SCALE).astype("f"),
        gradient=[0],
    ),
    Sample(
        "SeluGrad",
        [G, Y],
        expect=lambda g, y: (g * np.where(y < 0, y + SCALE_ALPHA, SCALE)).astype("f"),
        gradient=[0, 1],
    ),
    Sample("Softplus", [X], expect=softplus, gradient=[0]),
    Sample("Softplus", [X.astype("d")], expect=softplus, note="double"),
    Sample("SoftplusGrad", [G, X], expect=lambda g, x: g / (np.exp(-x) + 1), gradient=[0, 1]),
    Sample("Softsign", [X], expect=lambda x: x / (np.abs(x) + 1), gradient=[0], order=1),
    Sample("SoftsignGrad", [G, X], expect=lambda g, x: g / (np.abs(x) + 1) ** 2),
]

SOFTMAXES = [
    Sample("Softmax", [X], expect=softmax, gradient=[0]),
    Sample("Softmax", [SMALL.astype("d")], expect=softmax, note="double"),
    Sample("Softmax", [SMALL.astype("e")], expect=softmax, note="half"),
    Sample("Softmax", [SMALL.reshape(2, 1, 2, 2)], expect=softmax, gradient=[0], note="rank 4"),
    Sample("Softmax", [np.zeros((3, 0), "f")], expect=np.zeros((3, 0), "f"), note="empty"),
    Sample(
        "Softmax",
        [np.random.RandomState(0).randn(300, 700).astype("f")],
        expect=softmax,
        note="in blocks",
    ),
    Sample("LogSoftmax", [X], expect=log_softmax, gradient=[0]),
    Sample("LogSoftmax", [SMALL[0]], expect=log_softmax, gradient=[0], note="vector"),
    Sample("SoftmaxCrossEntropyWithLogits", [SMALL, LABELS], expect=cross_entropy, gradient=[0]),
    Sample(
        "SoftmaxCrossEntropyWithLogits",
        [SMALL.astype("d"), LABELS.astype("d")],
        expect=cross_entropy,
        gradient=[1],
        through=[0],
        note="double",
    ),
    Sample(
        "SoftmaxCrossEntropyWithLogits",
        [SMALL, LABELS[:1]],
        expect=cross_entropy,
        note="broadcast",
        gradient=(),
    ),
    Sample(
        "SparseSoftmaxCrossEntropyWithLogits",
        [SMALL, np.array([2, 0], "i4")],
        expect=sparse_cross_entropy,
        order=1,
        through=[0],
    ),
    Sample(
        "SparseSoftmaxCrossEntropyWithLogits",
        [SMALL.astype("d"), np.array([3, 3])],
        expect=sparse_cross_entropy,
        tolerance=1e-7,
        note="double",
        order=1,
        through=[0],
    ),
]

BIASES = [
    Sample("BiasAdd", [IMAGE, BIAS], expect=lambda v, b: v + b, gradient=[0, 1]),
    Sample(
        "BiasAdd",
        [IMAGE, BIAS3],
        NCHW,
        expect=lambda v, b: v + b[:, None, None],
        gradient=[0, 1],
        note="NCHW",
    ),
    Sample(
        "BiasAdd",
        [np.array([[250, 3]], "u1"), np.array([7, 9], "u1")],
        expect=np.array([[1, 12]], "u1"),
        note="integers",
    ),
    Sample("BiasAddV1", [SMALL, BIAS], expect=lambda v, b: v + b, gradient=[0, 1]),
    Sample("BiasAddGrad", [IMAGE], expect=lambda g: g.sum((0, 1, 2)), gradient=[0]),
    Sample(
        "BiasAddGrad", [IMAGE], NCHW, expect=lambda g: g.sum((0, 2, 3)), gradient=[0], note="NCHW"
    ),
    Sample("BiasAddGrad", [INTS], expect=lambda g: g.sum(0), note="integers"),
    Sample("BiasAddGrad", [IMAGE.astype("e")], expect=lambda g: g.sum((0, 1, 2)), note="half"),
    Sample("BiasAddGrad", [np.zeros((0, 3), "f")], expect=np.zeros(3, "f"), note="empty"),
    Sample(
        "L2Loss", [X], expect=lambda t: (t.astype("d") ** 2).sum().astype("f") / 2, gradient=[0]
    ),
    Sample(
        "L2Loss", [SMALL.astype("e")], expect=lambda t: (t**2).sum() / np.float16(2), note="half"
    ),
]

ROWS = np.array([[1.0, 3.0, 3.0, 2.0, np.nan], [np.inf, -np.inf, 1.0, 1.0, 1.0]], "f")
SCORES = np.array([[0.1, 0.5, 0.4], [0.3, 0.3, 0.4], [np.nan, 0.2, 0.8], [0.2, 0.7, 0.1]], "f")
RANKINGS = [
    Sample(
        "TopKV2",
        [ROWS, np.int32(3)],
        expect=(np.array([[3, 3, 2], [np.inf, 1, 1]], "f"), np.array([[1, 2, 3], [0, 2, 3]], "i4")),
        static=False,
        gradient=(),
    ),
    Sample(
        "TopKV2",
        [ROWS, np.int32(1)],
        expect=(np.array([[3], [np.inf]], "f"), np.array([[1], [0]], "i4")),
        static=False,
        note="one",
        gradient=(),
    ),
    Sample(
        "TopKV2",
        [INTS.astype("u1"), np.int32(2)],
        expect=(np.array([[253, 9], [249, 6]], "u1"), np.array([[0, 2], [2, 1]], "i4")),
        static=False,
        note="unsigned",
    ),
    Sample(
        "TopKV2",
        [X, np.int32(2)],
        expect=lambda x, k: (-np.sort(-x)[:, :2], np.argsort(-x)[:, :2].astype("i4")),
        static=False,
        note="no ties",
    ),
    Sample(
        "InTopKV2",
        [SCORES, np.array([2, 0, 2, 5]), np.int64(2)],
        expect=np.array([True, True, False, False]),
    ),
    Sample(
        "InTopK",
        [SCORES, np.array([1, 0, 1, 0], "i4")],
        {"k": 1},
        expect=np.array([True] + [False] * 3),
    ),
]

SAMPLES = [*ACTIVATIONS, *SOFTMAXES, *BIASES, *RANKINGS]
