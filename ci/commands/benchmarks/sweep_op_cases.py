"""Sweep cases: special functions, dtypes other than float32, and less common array ops.

Also runs under Python 3.7, with TensorFlow 1.15.5.
"""

import numpy as np

from ci.commands.benchmarks.sweep_cases import (
    CUBE,
    MATRIX,
    PICTURES,
    STRINGS,
    VECTOR,
    case,
    definite,
    family,
    generated_input,
    ids,
    indices,
    random,
    signed,
    words,
)


@generated_input
def doubles(*shape):
    return random().rand(*shape) + 0.1


@generated_input
def halves(*shape):
    return random().rand(*shape).astype(np.float16)


@generated_input
def longs(below, *shape):
    return ids(below, *shape).astype(np.int64) + 1


@generated_input
def complexes(*shape):
    drawn = random().rand(2, *shape)
    return (drawn[0] + 1j * drawn[1]).astype(np.complex64)


@generated_input
def sorted_ids(below, count):
    return np.sort(ids(below, count))


family("tan asin acos atan sinh cosh asinh atanh erfc expm1 digamma", VECTOR, MATRIX)
case("acosh", lambda tf, x: tf.acosh(x + 1.0), VECTOR, MATRIX, True)
family("math.bessel_i0e math.bessel_i1e math.rint math.ceil", VECTOR, MATRIX, False)
family("igamma igammac", VECTOR * 2, [(256, 250)] * 2, False)
case("zeta", lambda tf, x, y: tf.zeta(x + 1.5, y), VECTOR * 2, [(256, 250)] * 2)
case("betainc", lambda tf, x, y: tf.betainc(x + 1.0, y + 1.0, x), VECTOR * 2, [(128, 125)] * 2)
family("math.xdivy math.xlogy math.divide_no_nan truediv", VECTOR * 2, MATRIX * 2)
family("minimum less_equal not_equal", VECTOR * 2, MATRIX * 2, False)
family("nn.selu nn.relu6 nn.crelu nn.leaky_relu nn.softsign nn.swish", [signed(64, 128)],
       [signed(1024, 1000)])  # fmt: skip
case("gelu", lambda tf, x: 0.5 * x * (1.0 + tf.erf(x / 1.4142135)), VECTOR, MATRIX, True)
case("x ** 3 + x ** 2", lambda tf, x: x**3 + x**2, [signed(64, 128)], [signed(1024, 1000)], True)
case("x ** 0.5", lambda tf, x: x**0.5, VECTOR, MATRIX, True)
for title in ("exp", "log", "tanh", "sigmoid", "sin", "tan", "sqrt"):
    case(title + ", float64", lambda tf, x, t=title: getattr(tf, t)(x), [doubles(64, 128)],
         [doubles(1024, 500)])  # fmt: skip
for title in ("add", "multiply", "divide", "pow", "atan2", "matmul"):
    case(title + ", float64", lambda tf, x, y, t=title: getattr(tf, t)(x, y), [doubles(64, 64)] * 2,
         [doubles(512, 512)] * 2)  # fmt: skip
for title in ("exp", "tanh", "sqrt", "sigmoid"):
    case(title + ", float16", lambda tf, x, t=title: getattr(tf, t)(x), [halves(64, 128)],
         [halves(1024, 500)])  # fmt: skip
for title in ("add", "multiply", "matmul"):
    case(title + ", float16", lambda tf, x, y, t=title: getattr(tf, t)(x, y), [halves(64, 64)] * 2,
         [halves(256, 256)] * 2)  # fmt: skip
for title in ("add", "multiply", "floordiv", "mod", "maximum", "bitwise.bitwise_and"):
    case(
        title + ", int64",
        lambda tf, x, y, t=title: (tf.bitwise.bitwise_and if "." in t else getattr(tf, t))(x, y),
        *([longs(1000, 8192)] * 2, [longs(1000, 1000000)] * 2),
    )
for title in ("abs", "exp", "conj", "real", "square"):
    case(title + ", complex64", lambda tf, x, t=title: getattr(tf, t)(x), [complexes(64, 128)],
         [complexes(1024, 500)])  # fmt: skip
case(
    "multiply, complex64",
    lambda tf, x, y: x * y,
    [complexes(64, 128)] * 2,
    [complexes(1024, 500)] * 2,
)
for title in ("fft", "ifft", "fft2d"):
    case(title, lambda tf, x, t=title: tf.abs(getattr(tf.signal, t)(x)), [complexes(16, 64)],
         [complexes(256, 512)])  # fmt: skip
case("rfft", lambda tf, x: tf.abs(tf.signal.rfft(x)), [(16, 64)], [(256, 512)], True)
case("stft", lambda tf, x: tf.abs(tf.signal.stft(x, 256, 128)), [(1, 2048)], [(8, 16000)])
case("cast to float64", lambda tf, x: tf.cast(x, tf.float64), VECTOR, MATRIX)
case("cast to float16", lambda tf, x: tf.cast(x, tf.float16), VECTOR, MATRIX)
case("cast of uint8", lambda tf, x: tf.cast(tf.cast(x, tf.uint8), tf.float32), [indices(256, 8192)],
     [indices(256, 1000000)])  # fmt: skip

for axes in (None, [0, 2], [1, 2], [0, 1]):
    case(f"reduce_sum, axes {axes} of 3", lambda tf, x, a=axes: tf.reduce_sum(x, a), *CUBE, True)
    case(f"reduce_max, axes {axes} of 3", lambda tf, x, a=axes: tf.reduce_max(x, a), *CUBE)
family(
    "math.reduce_euclidean_norm math.reduce_std math.reduce_variance reduce_min",
    VECTOR,
    MATRIX,
    False,
)
case("reduce_any", lambda tf, x: tf.reduce_any(x > 0.5, 1), VECTOR, MATRIX)
case("argmin, axis 0", lambda tf, x: tf.argmin(x, 0), VECTOR, MATRIX)
case("cumsum, axis 1", lambda tf, x: tf.cumsum(x, 1), VECTOR, MATRIX, True)
case("cumprod, exclusive", lambda tf, x: tf.cumprod(x, 1, exclusive=True), VECTOR, MATRIX)
case("count_nonzero", lambda tf, x: tf.count_nonzero(x), VECTOR, MATRIX)
case("bincount", lambda tf, i: tf.bincount(i), [indices(100, 1000)], [indices(1000, 200000)])
case("histogram", lambda tf, x: tf.histogram_fixed_width(x, [0.0, 1.0], 50), VECTOR, MATRIX)
for title in ("sum", "mean", "max"):
    case("segment_" + title + " of sorted", lambda tf, x, i, t=title: getattr(tf, "segment_" + t)(x, i),
         [(500, 32), sorted_ids(50, 500)], [(20000, 64), sorted_ids(50, 20000)])  # fmt: skip
case("unsorted_segment_max", lambda tf, x, i: tf.math.unsorted_segment_max(x, i, 50),
     [(500, 32), indices(50, 500)], [(20000, 64), indices(50, 20000)], True)  # fmt: skip
case("sparse_segment_mean", lambda tf, x, i, s: tf.sparse_segment_mean(x, i, s),
     [(500, 32), indices(500, 900), sorted_ids(50, 900)],
     [(20000, 64), indices(20000, 30000), sorted_ids(5000, 30000)])  # fmt: skip

case("gather, axis 1", lambda tf, x, i: tf.gather(x, i, axis=1), [(64, 128), indices(128, 50)],
     [(1024, 1000), indices(1000, 300)], True)  # fmt: skip
case("batch_gather", lambda tf, x, i: tf.batch_gather(x, i), [(64, 128), indices(128, 64, 8)],
     [(1024, 1000), indices(1000, 1024, 50)])  # fmt: skip
case("scatter_nd", lambda tf, i, x: tf.scatter_nd(i, x, [1000, 32]), [indices(1000, 200, 1), (200, 32)],
     [indices(1000, 20000, 1), (20000, 32)], True)  # fmt: skip
case("tensor_scatter_add", lambda tf, x, i, y: tf.tensor_scatter_nd_add(x, i, y),
     [(1000, 32), indices(1000, 200, 1), (200, 32)], [(10000, 64), indices(10000, 20000, 1), (20000, 64)])  # fmt: skip
case("dynamic_partition and stitch", lambda tf, x, i: tf.dynamic_stitch(
    tf.dynamic_partition(tf.range(tf.shape(i)[0]), i, 4), tf.dynamic_partition(x, i, 4)),
    [(500, 16), indices(4, 500)], [(50000, 32), indices(4, 50000)])  # fmt: skip
case("stack and unstack", lambda tf, x: tf.stack(tf.unstack(x, axis=1), 1) * 2.0, [(16, 8, 32)],
     [(128, 16, 512)], True)  # fmt: skip
case("concat of 20", lambda tf, x: tf.concat([x] * 20, 0), VECTOR, [(256, 200)], True)
case("transpose 0 3 1 2", lambda tf, x: tf.transpose(x, [0, 3, 1, 2]), [(4, 16, 16, 8)],
     [(16, 56, 56, 64)], True)  # fmt: skip
case("transpose of heads", lambda tf, x: tf.transpose(x, [0, 2, 1, 3]), [(4, 16, 4, 8)],
     [(16, 128, 12, 64)], True)  # fmt: skip
case("pad, reflected", lambda tf, x: tf.pad(x, [[1, 2], [3, 4]], "REFLECT"), VECTOR, MATRIX, True)
case("roll", lambda tf, x: tf.roll(x, 3, 1), VECTOR, MATRIX, True)
case("broadcast_to", lambda tf, x: tf.broadcast_to(x, [8, *x.shape]), VECTOR, [(256, 1000)], True)
case("strided slices", lambda tf, x: x[::-1, 1:-1:3], VECTOR, MATRIX, True)
case("where, one input", lambda tf, x: tf.where(x > 0.5), VECTOR, MATRIX)
case("unique_with_counts", lambda tf, x: tf.unique_with_counts(x)[2], [indices(100, 1000)],
     [indices(10000, 200000)])  # fmt: skip
case("setdiff1d", lambda tf, x, y: tf.setdiff1d(x, y)[0], [indices(100, 1000), indices(50, 1000)],
     [indices(10000, 100000), indices(5000, 100000)])  # fmt: skip
case("searchsorted", lambda tf, x, y: tf.searchsorted(tf.sort(x), y), [(1000,), (500,)],
     [(50000,), (100000,)])  # fmt: skip
case("in_top_k", lambda tf, x, i: tf.nn.in_top_k(x, i, 5), [*VECTOR, indices(128, 64)],
     [*MATRIX, indices(1000, 1024)])  # fmt: skip
case(
    "sequence_mask",
    lambda tf, i: tf.sequence_mask(i, 100),
    [indices(100, 64)],
    [indices(100, 10000)],
)
case("reverse_sequence", lambda tf, x, i: tf.reverse_sequence(x, i, 1), [(64, 32, 8), indices(32, 64)],
     [(256, 100, 64), indices(100, 256)], True)  # fmt: skip
case(
    "matrix_band_part",
    lambda tf, x: tf.matrix_band_part(x, -1, 0),
    [(8, 32, 32)],
    [(64, 128, 128)],
    True,
)
case("matrix_diag", lambda tf, x: tf.matrix_diag(x), [(8, 32)], [(64, 128)], True)
case("trace", lambda tf, x: tf.trace(x), [(8, 32, 32)], [(64, 128, 128)], True)
case("tensordot", lambda tf, x, y: tf.tensordot(x, y, [[2], [0]]), [(4, 8, 32), (32, 16)],
     [(32, 64, 256), (256, 128)], True)  # fmt: skip
case("matmul of a batch and a matrix", lambda tf, x, y: tf.einsum("bij,jk->bik", x, y),
     [(4, 8, 32), (32, 16)], [(32, 64, 256), (256, 128)], True)  # fmt: skip
case("matrix times vector", lambda tf, x, y: tf.linalg.matvec(x, y), [(64, 64), (64,)],
     [(2000, 2000), (2000,)], True)  # fmt: skip
for title in ("expm", "logm"):
    case(title, lambda tf, x, t=title: tf.abs(getattr(tf.linalg, t)(
        tf.cast(x, tf.complex64) if t == "logm" else x * 0.01)), [definite(8, 8)], [definite(4, 32, 32)])  # fmt: skip
case("matrix_determinant", lambda tf, x: tf.matrix_determinant(x * 0.1), [definite(8, 8)],
     [definite(64, 16, 16)], True)  # fmt: skip
case("lstsq", lambda tf, x, y: tf.matrix_solve_ls(x, y), [definite(4, 16, 16), (4, 16, 4)],
     [definite(16, 64, 64), (16, 64, 8)])  # fmt: skip
case("cross", lambda tf, x, y: tf.cross(x, y), [(100, 3)] * 2, [(100000, 3)] * 2, True)
case("norm", lambda tf, x: tf.norm(x, axis=1), VECTOR, MATRIX, True)
case("add_n of 10", lambda tf, x: tf.add_n([x * float(i) for i in range(10)]), VECTOR, MATRIX, True)
case("12 elementwise", lambda tf, x: tf.nn.relu(tf.tanh(x * 2.0 + 1.0) - 0.5) / (tf.exp(-x) + tf.sqrt(
    x + 1.0)) * tf.sigmoid(x) + x, VECTOR, MATRIX, True)  # fmt: skip

for title in ("bicubic", "area"):
    case(
        "resize_" + title,
        lambda tf, x, t=title: getattr(tf.image, "resize_" + t)(x, [64, 64]),
        *PICTURES,
    )
case("crop_and_resize", lambda tf, x: tf.image.crop_and_resize(
    x, [[0.1, 0.2, 0.8, 0.9]] * 16, [0] * 16, [24, 24]), *PICTURES, True)  # fmt: skip
case("extract_image_patches", lambda tf, x: tf.image.extract_patches(
    x, [1, 3, 3, 1], [1, 1, 1, 1], [1, 1, 1, 1], "SAME"), *PICTURES, True)  # fmt: skip
case("rot90 and transpose", lambda tf, x: tf.image.rot90(x) + tf.image.transpose(x), *PICTURES)
case("sobel_edges", lambda tf, x: tf.image.sobel_edges(x), *PICTURES)
case("ssim", lambda tf, x: tf.image.ssim(x, x * 0.9, 1.0), *PICTURES)
case("total_variation", lambda tf, x: tf.image.total_variation(x), *PICTURES, True)
case("hsv_to_rgb", lambda tf, x: tf.image.hsv_to_rgb(x), *PICTURES)
case("random_crop", lambda tf, x: tf.random_crop(x, [*x.shape[:1], 20, 20, 3]), *PICTURES)
case(
    "space_to_depth",
    lambda tf, x: tf.nn.space_to_depth(x, 2),
    [(4, 16, 16, 8)],
    [(16, 56, 56, 64)],
    True,
)
case("non_max_suppression", lambda tf, x: tf.image.non_max_suppression(
    tf.concat([x[:, :2], x[:, :2] + x[:, 2:] * 0.1], 1), x[:, 0], 50), [(100, 4)], [(5000, 4)])  # fmt: skip

case("strings.upper", lambda tf, x: tf.strings.upper(x), *STRINGS)
case("strings.strip", lambda tf, x: tf.strings.strip(x), *STRINGS)
case("strings.equal", lambda tf, x: tf.equal(x, "Word 7 of number7"), *STRINGS)
case("unique of strings", lambda tf, x: tf.unique(x)[0], *STRINGS)
case(
    "string_split, v2",
    lambda tf, x: tf.strings.split(x, result_type="RaggedTensor").values,
    *STRINGS,
)
case("unicode_decode", lambda tf, x: tf.strings.unicode_decode(x, "UTF-8").values, *STRINGS)
case(
    "reduce_join",
    lambda tf, x: tf.strings.length(tf.strings.reduce_join(x, 0, separator=" ")),
    *STRINGS,
)
case("encode_base64", lambda tf, x: tf.encode_base64(x), *STRINGS)
case("gather of strings", lambda tf, x, i: tf.gather(x, i), [*STRINGS[0], indices(100, 50)],
     [*STRINGS[1], indices(20000, 10000)])  # fmt: skip
case("string table", lambda tf, i: tf.contrib.lookup.index_to_string_table_from_tensor(
    list(words(2000))).lookup(tf.cast(i, tf.int64)), [indices(2000, 100)], [indices(2000, 20000)])  # fmt: skip
case("number table", lambda tf, i: tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(
    tf.range(2000, dtype=tf.int64), tf.range(2000, dtype=tf.int64) * 3), -1).lookup(tf.cast(i, tf.int64)),
    [indices(2500, 100)], [indices(2500, 20000)])  # fmt: skip
