"""Small random valid inputs and attrs for each op with a native kernel."""

import numpy as np

import tfmini as tf

IDS = (np.int32, np.int64)
FLOATS = ("f", "d")


def floats(rng, *shape, dtype=None):
    result = rng.standard_normal(shape).astype(dtype or rng.choice(FLOATS))
    if rng.random() < 0.1 and result.size:
        with np.errstate(invalid="ignore"):  # bytes cannot represent it
            result.reshape(-1)[rng.integers(result.size)] = rng.choice([np.nan, np.inf, -np.inf])
    return result


def numbers(rng, *shape):
    """Rows of any dtype supported by scatter and segment ops."""
    kind = rng.choice(["f", "d", "i", "l"])
    return (rng.standard_normal(shape) * 2e8).astype(kind)


def ids(rng, limit, *shape):
    return rng.integers(0, max(limit, 1), shape).astype(rng.choice(IDS))


def size(rng, most=9):
    return int(rng.integers(1, most))


def gather(rng):
    rank = int(rng.integers(1, 4))
    params = numbers(rng, *(size(rng) for _ in range(rank)))
    axis = int(rng.integers(rank))
    inputs = {"params": params, "indices": ids(rng, params.shape[axis], size(rng, 300))}
    return "GatherV2", {**inputs, "axis": np.int32(axis)}, {"batch_dims": 0}


def gather_batches(rng):
    params = numbers(rng, 3, 4, size(rng), 2)
    inputs = {"params": params, "indices": ids(rng, params.shape[2], 3, 4, size(rng, 30))}
    return "GatherV2", {**inputs, "axis": np.int32(2)}, {"batch_dims": 2}


def gather_points(rng):
    params = numbers(rng, size(rng), size(rng), size(rng))
    points = ids(rng, min(params.shape[:2]), size(rng, 200), 2)
    return "GatherNd", {"params": params, "indices": points}, {}


def scatter_points(rng):
    shape = (size(rng), size(rng), size(rng))
    points = ids(rng, min(shape[:2]), size(rng, 60), 2)
    inputs = {"indices": points, "updates": numbers(rng, len(points), shape[2])}
    return "ScatterNd", {**inputs, "shape": np.array(shape, points.dtype)}, {}


def segments(rng):
    name = rng.choice(["Sum", "Max", "Min", "Prod"])
    data, count = numbers(rng, size(rng, 400), size(rng)), size(rng, 30)
    inputs = {"data": data, "segment_ids": ids(rng, count, len(data))}
    return f"UnsortedSegment{name}", {**inputs, "num_segments": np.int32(count)}, {}


def sorted_segments(rng):
    name = rng.choice(["Sum", "Mean", "Max", "Min", "Prod"])
    data = numbers(rng, size(rng, 400), size(rng))
    return (
        f"Segment{name}",
        {"data": data, "segment_ids": np.sort(ids(rng, size(rng, 30), len(data)))},
        {},
    )


def sparse_segments(rng):
    name = rng.choice(["Sum", "Mean", "SqrtN"])
    data, count = floats(rng, size(rng, 60), size(rng)), size(rng, 99)
    inputs = {"data": data, "indices": ids(rng, len(data), count).astype("i")}
    return (
        f"SparseSegment{name}",
        {**inputs, "segment_ids": np.sort(rng.integers(0, 9, count)).astype("i")},
        {},
    )


def sparse_cross_entropy(rng):
    features = floats(rng, size(rng, 60), size(rng, 40))
    inputs = {"features": features, "labels": ids(rng, features.shape[1], len(features))}
    return "SparseSoftmaxCrossEntropyWithLogits", inputs, {}


def cross_entropy(rng):
    features = floats(rng, size(rng, 60), size(rng, 40))
    labels = rng.random(features.shape).astype(features.dtype)
    return "SoftmaxCrossEntropyWithLogits", {"features": features, "labels": labels}, {}


def softmax(rng):
    name = rng.choice(["Softmax", "LogSoftmax"])
    return name, {"logits": floats(rng, size(rng, 60), size(rng, 40))}, {}


def in_top(rng):
    predictions = floats(rng, size(rng, 60), size(rng, 40), dtype="f")
    targets = ids(rng, predictions.shape[1], len(predictions))
    inputs = {"predictions": predictions, "targets": targets}
    return "InTopKV2", {**inputs, "k": targets.dtype.type(size(rng))}, {}


def extreme_places(rng):
    name = rng.choice(["ArgMax", "ArgMin"])
    return (
        name,
        {"input": numbers(rng, size(rng, 60), size(rng, 99)), "dimension": np.int32(1)},
        {},
    )


def reductions(rng):
    name = rng.choice(["Sum", "Max", "Min", "Prod", "Mean"])
    return name, {"input": floats(rng, size(rng, 60), size(rng, 99)), "axis": np.int32([1])}, {}


def sparse_product(rng):
    height, inner, count = size(rng, 40), size(rng, 40), size(rng, 300)
    indices = np.stack([rng.integers(0, height, count), rng.integers(0, inner, count)], 1)
    b = floats(rng, inner, size(rng, 40))
    inputs = {"a_indices": indices, "a_values": rng.random(count).astype(b.dtype), "b": b}
    return "SparseTensorDenseMatMul", {**inputs, "a_shape": np.array([height, inner])}, {}


def images(rng, dtype=None):
    return floats(rng, size(rng, 3), size(rng, 12), size(rng, 12), size(rng), dtype=dtype)


def crops(rng):
    x, count = images(rng, "f"), size(rng, 20)
    inputs = {"boxes": rng.random((count, 4)).astype("f") * 2 - 0.5}
    inputs["box_ind"] = rng.integers(0, len(x), count).astype("i")
    kind = {"method": str(rng.choice(["bilinear", "nearest"]))}
    if rng.random() < 0.5:
        sizes = np.int32([size(rng), size(rng)])
        return "CropAndResize", {"image": x, **inputs, "crop_size": sizes}, kind
    grads = floats(rng, count, size(rng), size(rng), x.shape[3], dtype="f")
    if rng.random() < 0.5:
        return (
            "CropAndResizeGradBoxes",
            {"grads": grads, "image": x, **inputs},
            {"method": "bilinear"},
        )
    kind["T"] = np.float32
    return (
        "CropAndResizeGradImage",
        {"grads": grads, **inputs, "image_size": np.int32(x.shape)},
        kind,
    )


def centers(rng):
    chosen = int(rng.integers(3))
    return {"align_corners": chosen == 1, "half_pixel_centers": chosen == 2}


def resize(rng):
    name = rng.choice(["Bilinear", "Bicubic", "NearestNeighbor", "Area"])
    attrs = centers(rng) if name != "Area" else {"align_corners": bool(rng.integers(2))}
    kind = rng.choice(["f", "d", "u1"])
    sizes = np.int32([size(rng, 20), size(rng, 20)])
    return f"Resize{name}", {"images": images(rng, kind), "size": sizes}, attrs


def resized_gradients(rng):
    grads = images(rng, "f")
    if rng.random() < 0.3:
        sizes = np.int32([size(rng), size(rng)])
        return "ResizeNearestNeighborGrad", {"grads": grads, "size": sizes}, centers(rng)
    original = floats(rng, len(grads), size(rng), size(rng), grads.shape[3])
    name = rng.choice(["Bilinear", "Bicubic"])
    return f"Resize{name}Grad", {"grads": grads, "original_image": original}, centers(rng)


def suppression(rng):
    count = size(rng, 60)
    inputs = {"boxes": rng.random((count, 4)).astype("f"), "scores": rng.random(count).astype("f")}
    inputs["max_output_size"] = np.int32(size(rng, 70))
    inputs["iou_threshold"] = np.float32(rng.random())
    return "NonMaxSuppressionV3", {**inputs, "score_threshold": np.float32(rng.random() / 2)}, {}


def windows(rng, rank):
    attrs = {what: [1, *(size(rng, 4) for _ in range(rank)), 1] for what in ("ksize", "strides")}
    return {**attrs, "padding": "SAME"}


def pool(rng):
    name, x, attrs = rng.choice(["MaxPool", "AvgPool", "MaxPoolWithArgmax"]), images(rng), None
    attrs = windows(rng, 2)
    what = "value" if name == "AvgPool" else "input"
    return str(name), {what: x}, attrs


def pooled_gradients(rng):
    x, attrs = images(rng), windows(rng, 2)
    counts = [-(-n // s) for n, s in zip(x.shape[1:3], attrs["strides"][1:3])]
    grad = floats(rng, len(x), *counts, x.shape[3], dtype=x.dtype)
    if rng.random() < 0.5:
        return "AvgPoolGrad", {"orig_input_shape": np.int32(x.shape), "grad": grad}, attrs
    return "MaxPoolGrad", {"orig_input": x, "orig_output": grad, "grad": grad}, attrs


def pooled_volumes(rng):
    x = floats(rng, 1, size(rng, 5), size(rng, 5), size(rng, 5), size(rng, 4), dtype="f")
    return str(rng.choice(["MaxPool3D", "AvgPool3D"])), {"input": x}, windows(rng, 3)


def depthwise(rng):
    x = images(rng)
    filter = floats(rng, size(rng, 4), size(rng, 4), x.shape[3], size(rng, 3), dtype=x.dtype)
    step = size(rng, 3)
    attrs = {"strides": [1, step, step, 1], "padding": "SAME"}
    if rng.random() < 0.4:
        return "DepthwiseConv2dNative", {"input": x, "filter": filter}, attrs
    depth = filter.shape[2] * filter.shape[3]
    counts = [-(-n // step) for n in x.shape[1:3]]
    grad = floats(rng, len(x), *counts, depth, dtype=x.dtype)
    if rng.random() < 0.5:
        inputs = {"input_sizes": np.int32(x.shape), "filter": filter, "out_backprop": grad}
        return "DepthwiseConv2dNativeBackpropInput", inputs, attrs
    inputs = {"input": x, "filter_sizes": np.int32(filter.shape), "out_backprop": grad}
    return "DepthwiseConv2dNativeBackpropFilter", inputs, attrs


def dilate(rng):
    x = images(rng)
    filter = floats(rng, size(rng, 4), size(rng, 4), x.shape[3], dtype=x.dtype)
    step, rate = size(rng, 3), size(rng, 3)
    attrs = {"strides": [1, step, step, 1], "rates": [1, rate, rate, 1], "padding": "SAME"}
    if rng.random() < 0.4:
        return "Dilation2D", {"input": x, "filter": filter}, attrs
    counts = [-(-n // step) for n in x.shape[1:3]]
    grad = floats(rng, len(x), *counts, x.shape[3], dtype=x.dtype)
    name = f"Dilation2DBackprop{rng.choice(['Input', 'Filter'])}"
    return name, {"input": x, "filter": filter, "out_backprop": grad}, attrs


def product(rng):
    a, inner = floats(rng, size(rng, 40), size(rng, 40)), None
    inner = a.shape[1]
    b = floats(rng, inner, size(rng, 40), dtype=a.dtype)
    return "MatMul", {"a": a, "b": b}, {}


def transpose(rng):
    x = numbers(rng, size(rng, 20), size(rng, 20), size(rng, 20))
    return "Transpose", {"x": x, "perm": rng.permutation(3).astype("i")}, {}


def hash_strings(rng):
    strings = np.array([rng.bytes(int(rng.integers(0, 200))) for _ in range(size(rng, 40))], object)
    if rng.random() < 0.5:
        name = str(rng.choice(["StringToHashBucketFast", "StringLength"]))
        attrs = {"num_buckets": size(rng, 1000)} if name != "StringLength" else {"unit": "BYTE"}
        return name, {"input": strings}, attrs
    numerals = np.array([b"%.*g" % (size(rng), x) for x in rng.standard_normal(20)], object)
    return "StringToNumber", {"string_tensor": numerals}, {"out_type": tf.float32}


def draw(rng):
    names = "RandomUniform", "RandomStandardNormal", "TruncatedNormal", "RandomGamma", "Multinomial"
    name = str(rng.choice([*names, "RandomPoissonV2"]))
    if name == "Multinomial":
        logits = floats(rng, size(rng, 40), size(rng, 40))
        return name, {"logits": logits, "num_samples": np.int32(size(rng, 40))}, {}
    if name in ("RandomGamma", "RandomPoissonV2"):
        inputs = {"shape": np.int32([size(rng, 40)]), "alpha": floats(rng, size(rng))}
        if name == "RandomPoissonV2":
            inputs["rate"] = inputs.pop("alpha")
        return name, inputs, {}
    return name, {"shape": np.int32([size(rng, 40), size(rng, 40)])}, {"dtype": np.float32}


def unravel(rng):
    dims = np.int64([size(rng), size(rng), size(rng)])
    return "UnravelIndex", {"indices": rng.integers(0, dims.prod(), 20), "dims": dims}, {}


def partition(rng):
    data = numbers(rng, size(rng, 60), size(rng))
    inputs = {"data": data, "partitions": rng.integers(0, 4, len(data)).astype("i")}
    return "DynamicPartition", inputs, {"num_partitions": 4}


def systems(rng):
    """Linear systems with triangular, tridiagonal or general matrices, and factorizations."""
    matrix = floats(rng, size(rng, 3), *[size(rng, 20)] * 2)
    inputs = {
        "matrix": matrix,
        "rhs": floats(rng, *matrix.shape[:2], size(rng, 40), dtype=matrix.dtype),
    }
    chosen = {name: bool(rng.integers(2)) for name in ("lower", "adjoint")}
    if rng.random() < 0.5:
        return "MatrixSolve", inputs, {"adjoint": chosen["adjoint"]}
    if rng.random() < 0.3:
        return "Lu", {"input": matrix}, {}
    if matrix.shape[1] == 3:
        sides = floats(rng, len(matrix), 3, size(rng), dtype=matrix.dtype)
        pivoting = {"partial_pivoting": chosen["lower"]}
        return "TridiagonalSolve", {"diagonals": matrix, "rhs": sides}, pivoting
    return "MatrixTriangularSolve", inputs, chosen


def colors(rng):
    """Pixels in RGB or HSV."""
    pixels = floats(rng, size(rng, 20), size(rng, 40), 3, dtype="f")
    name = str(rng.choice(["RGBToHSV", "HSVToRGB", "AdjustHue", "AdjustSaturation"]))
    if name.startswith("Adjust"):
        amount = "delta" if name == "AdjustHue" else "scale"
        return name, {"images": pixels, amount: np.float32(rng.standard_normal())}, {}
    return name, {"images": pixels}, {}


def pairs(rng):
    """Special functions of two arguments, or searches in sorted rows."""
    shape = size(rng, 40), size(rng, 40)
    if rng.random() < 0.4:
        x, values = numbers(rng, *shape), floats(rng, shape[0], size(rng, 40), dtype="d")
        with np.errstate(invalid="ignore"):
            values = values.astype(x.dtype)
        inputs = {"sorted_inputs": x, "values": values}
        return str(rng.choice(["LowerBound", "UpperBound"])), inputs, {}
    a, x = (floats(rng, *shape, dtype="f") * np.float32(10 ** size(rng)) for _ in range(2))
    name = str(rng.choice(["Igamma", "Igammac", "IgammaGradA", "Zeta", "Polygamma"]))
    return name, {"x" if name == "Zeta" else "a": a, "q" if name == "Zeta" else "x": x}, {}


MAKERS = [
    *(gather, gather_batches, gather_points, scatter_points, segments, sorted_segments),
    *(sparse_segments, sparse_cross_entropy, cross_entropy, softmax, in_top, extreme_places),
    *(reductions, sparse_product, crops, resize, resized_gradients, suppression, pool),
    *(pooled_gradients, pooled_volumes, depthwise, dilate, product, transpose, hash_strings, draw),
    *(unravel, partition, systems, colors, pairs),
]
