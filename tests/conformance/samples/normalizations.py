"""Fused batch and local response normalization, with gradients; expected values in double precision."""

import numpy as np

from tests.conformance.samples import Sample

RANDOM = np.random.RandomState(12)
IMAGES = (2.0 * RANDOM.randn(2, 2, 1, 3) + 1).astype("f")
GRADS = RANDOM.randn(2, 2, 1, 3).astype("f")
WIDER = (2.0 * RANDOM.randn(2, 3, 4, 3) + 1).astype("f")
SCALE, OFFSET = np.array([1, -2, 0.5], "f"), np.array([0.1, 0.2, -0.3], "f")
MEAN, VARIANCE = np.array([0.5, 0, -1], "f"), np.array([1, 2, 0.25], "f")
LARGE = RANDOM.randn(4, 40, 50, 40).astype("f")
NONE = np.zeros(0, "f")
EPSILON = 1.0  # so large that differences show in single precision


def over(x):
    """Mean and variance over all axes except the channels."""
    wide = x.astype("d").reshape(-1, x.shape[-1])
    return wide.mean(0), wide.var(0)


def trained(x, scale, offset, *_):
    mean, variance = over(x)
    count = x.size // len(mean)
    unbiased = variance * count / max(count - 1, 1)
    y = (x - mean) / np.sqrt(variance + EPSILON) * scale + offset
    vectors = [v.astype("f") for v in (mean, unbiased, mean, variance)]
    return (y.astype(x.dtype), *vectors)


def inferred(x, scale, offset, mean, variance):
    y = (x - mean.astype("d")) / np.sqrt(variance + EPSILON) * scale + offset
    return (y.astype(x.dtype), mean, variance, mean, variance)


def gradients(grad, x, scale, mean, variance, training=True):
    grad, inverse = grad.astype("d"), 1 / np.sqrt(variance.astype("d") + EPSILON)
    centred = x.astype("d") - mean
    axes = (0, 1, 2)
    of_x = grad * scale * inverse
    if training:
        shared = (grad * centred).mean(axes) * inverse**2
        of_x = scale * inverse * (grad - grad.mean(axes) - centred * shared)
    of_scale = (grad * centred * inverse).sum(axes)
    nothing = np.zeros(0 if training else len(scale), "f")
    vectors = [v.astype("f") for v in (of_scale, grad.sum(axes))]
    return (of_x.astype(x.dtype), *vectors, nothing, nothing)


def rows(version, x=IMAGES, grads=GRADS, note="", tolerance=1e-4, **options):
    """The op and its gradient, in training and in inference."""
    more = (np.float32(0),) if version == "V3" else ()
    reserved = [NONE] if version == "V3" else []
    channels = x.shape[3]
    scale, offset = np.resize(SCALE, channels), np.resize(OFFSET, channels)
    mean, variance = np.resize(MEAN, channels), np.resize(VARIANCE, channels)
    saved = [v.astype("f") for v in over(x)]
    options = {
        "note": note,
        "tolerance": tolerance,
        "static": version != "V3",
        "step": 3e-2,
        **options,
    }
    training, inference = ({"epsilon": EPSILON, "is_training": b} for b in (True, False))
    return [
        Sample(
            "FusedBatchNorm" + version,
            [x, scale, offset, NONE, NONE],
            training,
            expect=(*trained(x, scale, offset), *more),
            **{"gradient": (0, 1, 2), "through": (0,), **options},
        ),
        Sample(
            "FusedBatchNorm" + version,
            [x, scale, offset, mean, variance],
            inference,
            expect=(*inferred(x, scale, offset, mean, variance), *more),
            **{"gradient": (0, 1, 2), "through": (0,), **options, "note": f"inference {note}"},
        ),
        Sample(
            "FusedBatchNormGrad" + version,
            [grads, x, scale, *saved, *reserved],
            training,
            expect=gradients(grads, x, scale, *saved),
            # TensorFlow's op uses the statistics of x itself instead of the passed ones.
            **{"gradient": (0, 2), "through": (0,), **options, "static": True},
        ),
        Sample(
            "FusedBatchNormGrad" + version,
            [grads, x, scale, mean, variance, *reserved],
            inference,
            expect=gradients(grads, x, scale, mean, variance, False),
            **{
                "gradient": (0, 1, 2),
                "through": (0, 1, 2),
                **options,
                "static": True,
                "note": f"inference {note}",
            },
        ),
    ]


def norms(x, radius, bias, alpha):
    squares = x.astype("d") ** 2
    depth = x.shape[3]
    sums = [squares[..., max(0, c - radius) : c + radius + 1].sum(-1) for c in range(depth)]
    return bias + alpha * np.stack(sums, -1)


def responses(x, radius, bias, alpha, beta):
    return (x * norms(x, radius, bias, alpha) ** -beta).astype(x.dtype)


def response_gradient(grad, x, y, radius, bias, alpha, beta):
    found, depth = norms(x, radius, bias, alpha), x.shape[3]
    result = grad * found**-beta
    for k in range(depth):
        near = slice(max(0, k - radius), k + radius + 1)
        sums = (grad.astype("d") * y / found)[..., near].sum(-1)
        result[..., k] -= 2 * alpha * beta * x[..., k] * sums
    return result.astype(x.dtype)


def response_rows(x, note, radius=5, bias=1.0, alpha=1.0, beta=0.5, **options):
    how = (radius, bias, alpha, beta)
    attrs = dict(zip(("depth_radius", "bias", "alpha", "beta"), how))
    y, grad = responses(x, *how), RANDOM.randn(*x.shape).astype(x.dtype)
    return [
        Sample("LRN", [x], attrs, expect=y, order=1, note=note, step=3e-2, **options),
        Sample(
            "LRNGrad",
            [grad, x, y],
            attrs,
            expect=response_gradient(grad, x, y, *how),
            note=note,
            **options,
        ),
    ]


DEEP = RANDOM.randn(1, 2, 2, 300).astype("f")
SAMPLES = [
    *rows(""),
    *rows("V2"),
    *rows("V3"),
    *rows("V3", WIDER, WIDER[::-1], "of more images", gradient=()),
    *rows("V3", LARGE, LARGE[::-1], "in blocks", gradient=(), tolerance=1e-3),
    *rows("V3", IMAGES.astype("e"), GRADS.astype("e"), "of halves", 2e-3, gradient=()),
    *rows("V3", IMAGES[:1, :1, :1], GRADS[:1, :1, :1], "of one pixel", gradient=()),
    *response_rows(IMAGES, "of all channels", 5),
    *response_rows(IMAGES, "of neighbours", 1, 2.0, 0.3, 0.75),
    *response_rows(IMAGES, "with another exponent", 1, 1.5, 0.2, 0.6),
    *response_rows(IMAGES, "by division", 2, 1.5, 0.2, 1.0),
    *response_rows(DEEP, "of many channels", 3, 2.0, 0.1, 0.5, gradient=()),
    *response_rows(IMAGES.astype("e"), "of halves", 1, 2.0, 0.3, 0.75, gradient=(), tolerance=2e-3),
    *response_rows(IMAGES[:0], "of no images", gradient=()),
]
