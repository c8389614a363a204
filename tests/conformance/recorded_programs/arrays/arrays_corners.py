"""Empty arrays, conditions and ranges at their limits, non-finite numbers."""

import numpy as np


def build(tf):
    def of(value, dtype="f", shape=None):
        value = np.array(value, dtype)
        return tf.placeholder_with_default(value, [None] * value.ndim if shape is None else shape)

    def any_rank(value):
        return tf.placeholder_with_default(value, None)

    x = of([[1.0, 2.0], [3.0, 4.0]])
    empty, no_rows = of(np.zeros([3, 0])), of(np.zeros([0, 2]))
    a, b = of([1.0, 2.5, 300.0, 0.5]), of([50.0, 1000.0, 200.0, 1e5])
    low, high = of([-1.0, 2.0], shape=[2]), of([1.0, 1.0], shape=[2])
    quantization = tf.quantization
    raw = tf.raw_ops
    made = [
        *tf.dynamic_partition(empty, [1, 0, 1], 2),
        tf.dynamic_stitch([[[2, 0]]], [tf.zeros([1, 2, 0])]),
        tf.unsorted_segment_sum(empty, [0, 4, 1], 5),
        tf.unsorted_segment_sum(of(np.zeros([0, 0, 3])), of(np.zeros([0, 0]), "i4"), 2),
        tf.gather_nd(no_rows, of(np.zeros([0, 1]), "i4")),
        tf.scatter_nd(of(np.zeros([0, 1]), "i4"), no_rows, [3, 2]),
        tf.tensor_scatter_update(x, of(np.zeros([0, 1]), "i4"), no_rows),
        raw.ScatterNdNonAliasingAdd(input=any_rank([0.0] * 3), indices=any_rank([1, 2]), updates=any_rank([5.0, 6.0])),
        tf.reverse(tf.constant(3.0), of([0], "i4")),
        tf.complex(of([1.0, 2.0]), of([np.inf, np.nan])), tf.igamma(of([0.0, -1.0, 2.0]), of([0.0, 0.0, 0.0])),
        tf.betainc(of([1.0, np.inf]), of([np.inf, 2.0]), of([0.5, 0.5])), raw.IgammaGradA(a=a, x=b),
        tf.extract_image_patches(tf.zeros([1, 4, 3, 1]), [1, 2, 3, 1], [1, 2, 3, 1], [1, 2, 3, 1], "VALID"),
        quantization.fake_quant_with_min_max_vars_per_channel(x, low, high),
        quantization.quantize_and_dequantize(x, -2.0, -1.0, signed_input=False, range_given=True),
        tf.broadcast_to(tf.zeros([1, 0, 4]), of([3, 0, 4], "i4", [3])),
        tf.where(of([True, False], "?"), x, -x, name="chosen"), tf.where(of(True, "?"), x, -x),
    ]  # fmt: skip
    word, nothing = any_rank("word"), of([], "i4")
    made += [
        tf.slice(word, nothing, nothing),
        tf.strided_slice(word, nothing, nothing),
        tf.transpose(word),
    ]
    floats = [t for t in made if t.dtype == tf.float32 and t.op.type != "IgammaGradA"]
    gradients = [g for g in tf.gradients(floats, [x, empty, low]) if g is not None]
    steps = [(f"{n} {t.name}", t) for n, t in enumerate(made)]
    return {
        "facts": {"shapes": [str(t.shape) for t in made]},
        "steps": [*steps, ("gradients", gradients)],
    }
