"""Native entry points called as kernels do, with index arrays modified concurrently."""

import numpy as np

from tests.support.hostile.makers import floats, ids, numbers, size
from tfmini._src.devices.host.native import (
    argmax_in_top_k,
    channel_statistics,
    convolution,
    decompositions,
    gather,
    local_norms,
    non_max_suppression,
    optimizers,
    packed_matmul,
    rows,
    runs,
    segment_reduce,
    sets,
    softmax,
    sparse_cross,
    sparse_matmul,
    sparse_rows,
    sparse_union,
)
from tfmini._src.devices.host.native.elementwise_program import NativeProgram, operations
from tfmini._src.devices.host.native.images import crop_and_resize as native_crops, image_resample
from tfmini._src.devices.host.native.math import (
    complex_exponential,
    histogram,
    integer_division,
    triangular_functions,
)
from tfmini._src.devices.host.native.sequences import ctc_greedy_decoder, gather_tree
from tfmini._src.devices.numpy.windows.axes import Axis


def take_rows(rng):
    table = numbers(rng, size(rng, 60), size(rng, 40))
    inputs = ids(rng, len(table), size(rng, 3000))
    return [inputs], lambda: rows.take_rows(table, inputs)


def taken_along(rng):
    table = numbers(rng, size(rng), size(rng, 60), size(rng))
    inputs = ids(rng, table.shape[1], size(rng, 3000))
    return [inputs], lambda: gather.take_along(table, inputs, 1, 0)


def taken_at_points(rng):
    table = numbers(rng, size(rng, 60), size(rng, 60), size(rng))
    points = ids(rng, min(table.shape[:2]), size(rng, 3000), 2)
    return [points], lambda: gather.take_points(table, points)


def one_hot(rng):
    outer, depth, inner = size(rng, 60), size(rng, 60), size(rng)
    codes = ids(rng, depth, outer, inner).astype(np.int64)
    on, off = numbers(rng, 2)
    return [codes], lambda: gather.one_hot(codes, outer, depth, inner, on, off)


def found_once(rng):
    inputs = ids(rng, 1000, size(rng, 3000))
    return [inputs], lambda: sparse_rows.distinct(inputs, np.dtype(np.int32))


def summed_by_segment(rng):
    table = floats(rng, size(rng, 60), size(rng, 40))
    given = ids(rng, len(table), size(rng, 3000))
    segments = np.sort(ids(rng, 50, given.size)).astype(np.int32)
    scale = int(rng.integers(3))
    return [given, segments], lambda: sparse_rows.segment_sums(table, given, segments, None, scale)


def rows_filled(rng):
    count, rows = size(rng, 3000), size(rng, 3000)
    points = ids(rng, rows, count, 1 + size(rng, 3)).astype(np.int64)
    values, default = numbers(rng, count), np.zeros((), np.float32)
    values = values.astype(np.float32)
    return [points], lambda: sparse_rows.fill_empty_rows(points, values, rows, default)


def merged_rows(rng):
    given = np.ones((size(rng, 60), size(rng)), "f")
    parts = ids(rng, 7, len(given)).astype("i")
    segments, count = given[:7], len(given)
    calls = (
        lambda: rows.partition_rows(given, parts, 7),
        lambda: sparse_rows.segment_gradients(segments, parts, parts, count, 2),
    )
    return [parts], rng.choice(calls)


def add_rows(rng):
    array = numbers(rng, size(rng, 60), size(rng))
    inputs = ids(rng, len(array), size(rng, 3000))
    if rng.random() < 0.3:
        inputs.sort()
    updates = np.ones((len(inputs), array.shape[1]), array.dtype)
    how = rng.choice(["set", "add", "maximum", "minimum", "multiply"])
    if how == "set":
        return [inputs], lambda: rows.set_rows(array, inputs, updates)
    if how == "add":
        return [inputs], lambda: rows.add_rows(array, inputs, updates)
    return [inputs], lambda: segment_reduce.reduce_rows(
        how, updates, inputs, array, starts_seen=True
    )


def classes(rng):
    logits = floats(rng, size(rng, 600), size(rng, 60))
    labels = ids(rng, logits.shape[1], len(logits))
    if rng.random() < 0.5 and logits.dtype == np.float32:
        return [labels], lambda: argmax_in_top_k.in_top(logits, labels, 2)
    return [labels], lambda: softmax.cross_entropy(logits, labels)


def sparse(rng):
    height, inner = size(rng, 60), size(rng, 60)
    indices = rng.integers(0, min(height, inner), (size(rng, 3000), 2))
    dense = floats(rng, inner, size(rng, 60))
    values = np.ones(len(indices), dense.dtype)
    turned = bool(rng.integers(2))
    height = inner if turned else height
    return [indices], lambda: sparse_matmul.sparse_times(indices, values, dense, height, turned)


def update_cells(rng):
    cells = [floats(rng, size(rng, 60), size(rng, 40), dtype="f") for _ in range(1)]
    cells += [np.zeros_like(cells[0]) for _ in range(2)]
    inputs = rng.integers(0, len(cells[0]), size(rng, 900))
    gradient = np.ones((len(inputs), cells[0].shape[1]), "f")
    update = optimizers.row_update_functions("adam", np.dtype("f"))
    scalars = (0.9, 0.9, 0.1, 0.9, 0.9, 1e-3)
    return [inputs], lambda: update and update(cells, gradient, inputs, scalars, False)


def spread_crops(rng):
    x = floats(rng, size(rng), size(rng, 20), size(rng, 20), size(rng, 5), dtype="f")
    boxes, sizes = (rng.random((size(rng, 60), 4)) * 2 - 0.5).astype("f"), (size(rng), size(rng))
    numbers = rng.integers(0, len(x), len(boxes)).astype("i")
    grads = np.ones((len(boxes), *sizes, x.shape[3]), "f")
    targets, nearest, how = [numbers, boxes.view("i")], bool(rng.integers(2)), rng.integers(3)
    if how == 0:
        return targets, lambda: native_crops.box_gradients(grads, x, boxes, numbers)
    if how == 1:
        inputs = grads, boxes, numbers, x.shape, x.dtype, nearest
        return targets, lambda: native_crops.scatter_gradient(*inputs)
    return targets, lambda: native_crops.crop_boxes(x, boxes, numbers, sizes, 0.0, nearest)


def in_sets(rng):
    shape, kind = (size(rng), size(rng), size(rng, 60)), rng.choice(["i", "l"])
    mask = rng.random(shape) < rng.random()
    points, dense = np.argwhere(mask), rng.integers(-9, 9, shape).astype(kind)
    values = dense[mask]
    sparse, operation = (values, points, shape), str(rng.choice(["a-b", "b-a", "union"]))
    if rng.random() < 0.3:
        return [points, values], lambda: sets.set_sizes(sparse)
    other = (dense, None, shape) if rng.random() < 0.5 else sparse
    return [points, values, dense], lambda: sets.combine_sets(operation, other, sparse)


def gather_tree_entry(rng):
    shape = size(rng, 60), size(rng), size(rng)
    tokens, parents = rng.integers(0, shape[2], (2, *shape)).astype("i")
    lengths = rng.integers(0, shape[0] + 1, shape[1]).astype("i")
    return [parents, lengths], lambda: gather_tree.gather_tree(tokens, parents, lengths, 3)


def features_crossed(rng):
    count, columns = size(rng, 60), size(rng, 4)
    points = [np.sort(rng.integers(0, count, (size(rng, 90), 2)), 0) for _ in range(columns)]
    features = [np.arange(len(each)).astype(np.uint64) for each in points]

    def call():
        starts = [sparse_cross.row_starts(each, count) for each in points]
        if all(each is not None for each in starts):
            sparse_cross.cross_features(features, starts, 7, 1000)

    return points, call


def best_labels(rng):
    logits = floats(rng, size(rng, 60), size(rng), size(rng, 40))
    lengths = rng.integers(0, len(logits) + 1, logits.shape[1]).astype("i")
    blank, merges = int(rng.integers(logits.shape[2])), bool(rng.integers(2))
    return [lengths], lambda: ctc_greedy_decoder.best_labels(logits, lengths, blank, merges)


def spread(rng):
    """Positions computed by the entry point itself; here some start out of range."""
    grad = floats(rng, size(rng), size(rng, 20), size(rng, 20), size(rng))
    sizes, lines = (size(rng), size(rng)), []
    for limit, count in zip(sizes, grad.shape[1:3]):
        indices = rng.integers(0, limit, (2, count)).astype("i")
        if rng.random() < 0.3:
            indices[0, 0] = rng.choice([-1, limit, 2**31 - 1, -(2**31)])
        lines.append((indices, np.ones((2, count), "f")))
    return [], lambda: image_resample.scatter_gradient(grad, *lines, sizes)


def select_boxes(rng):
    corners = rng.random((5, size(rng, 200))).astype("f")
    boxes = rng.integers(0, corners.shape[1], size(rng, 200))
    if rng.random() < 0.3:
        boxes[0] = rng.choice([-1, corners.shape[1], 2**31 - 1])
    scores = rng.random(len(boxes)).astype("f")
    return [boxes], lambda: non_max_suppression.select_boxes(corners, boxes, scores, 50, 0.5)


def convolve(rng):
    """Windows that extend beyond the input on all sides, or are completely outside."""
    axes = []
    for _ in range(rng.integers(1, 4)):
        stride, dilation = ((1, size(rng, 4)), (size(rng, 4), 1))[rng.integers(2)]
        before, count = size(rng, 9) - 3, size(rng, 9)
        axes.append(Axis(size(rng, 9), size(rng, 5), stride, dilation, before, 0, count))
    batch, depth, filters = size(rng, 3), size(rng, 40), size(rng, 40)
    x = np.ones((batch, *(axis.size for axis in axes), depth), "f")
    filter = np.ones((*(axis.kernel for axis in axes), depth, filters), "f")
    grad = np.ones((batch, *(axis.count for axis in axes), filters), "f")
    if rng.random() < 0.3:
        epilogue = convolution.Epilogue(np.ones(filters, "f"), True, np.ones_like(grad))
        return [], lambda: convolution.convolve(x, filter, axes, epilogue)
    if rng.random() < 0.5:
        epilogue = convolution.Epilogue(np.ones(depth, "f"), True, np.ones_like(x))
        return [], lambda: convolution.input_gradient(filter, grad, axes, epilogue)
    return [], lambda: convolution.filter_gradient(x, grad, axes)


def packed_product(rng):
    sizes = size(rng, 40), size(rng, 700), size(rng, 80)
    a, b = (np.ones(shape, "f") for shape in (sizes[:2], sizes[1:]))
    turned = bool(rng.integers(2))
    right = np.ascontiguousarray(b.T) if turned else b
    return [], lambda: packed_matmul.product(a, sizes[2], packed_matmul.pack_matrix(right, turned))


def run_in_stages(rng):
    """Concatenated columns, their product, its exponentials, and half of these."""
    height, inner, columns = size(rng, 200), size(rng, 60), size(rng, 80)
    x, h, b = (np.ones(s, "f") for s in ((height, inner), (height, 3), (inner + 3, columns)))
    y = np.empty((height, columns), "f")
    arrays = [x, h, packed_matmul.pack_matrix(b, False), np.ones(columns, "f"), y]
    exp = NativeProgram([(operations()["exp"], 0, 0, 0, 1)], 1, 2, ["f"], "f", 1)
    beside = (0, inner, inner, 0), (0, 3, 3, 0), (0, 0, inner + 3, 0)
    product = (0, inner + 3, inner + 3, 0), *((0, 0, 0, 0),) * 3
    stages = [
        runs.Stage(runs.COPY, (0, 1, 5), beside, inner + 3),
        runs.Stage(runs.PRODUCT, (5, 2, 6, 3), product, columns, inner + 3),
        runs.Stage(runs.GROUP, (6, 4), ((0, columns, 1, 0),) * 2, columns, program=exp),
    ]
    run = runs.NativeRun(stages, 5, [inner + 3, columns], height, int(rng.integers(1, 5)))
    return [], lambda: run(arrays)


def normalize(rng):
    x = floats(rng, size(rng, 600), size(rng, 400), dtype="f")
    vector, features = np.ones(x.shape[1], "f"), None if rng.random() < 0.5 else np.ones_like(x)
    if rng.random() < 0.3:
        return [], lambda: channel_statistics.statistics(x)
    if rng.random() < 0.3:
        return [], lambda: channel_statistics.normalize_channels(x, vector, vector, vector, True)
    if rng.random() < 0.5:
        return [], lambda: channel_statistics.gradient_sums(x, x, vector, features)
    return [], lambda: channel_statistics.combine_gradients(x, x, *(vector,) * 4, features)


def eigenvalues(rng):
    rows, columns = size(rng, 40), size(rng, 40)
    x = floats(rng, size(rng), rows, columns if rng.random() < 0.5 else rows, dtype="f")
    if x.shape[2] == rows and rng.random() < 0.5:
        return [], lambda: decompositions.eigenvalues(x)
    return [], lambda: decompositions.qr(x, bool(rng.integers(2)))


def unite_indices(rng):
    rank = size(rng, 4)
    pair = [ids(rng, 60, size(rng, 900), rank).astype(np.int64) for _ in range(2)]
    return pair, lambda: sparse_union.unite_indices(*pair)


def locally_normalized(rng):
    x = floats(rng, size(rng, 600), size(rng, 100), dtype="f")
    radius, beta = size(rng, 40), float(rng.choice([0.5, 0.75, 1.0]))
    return [], lambda: local_norms.normalize_locally(x, radius, 1.0, 1.0, beta)


def logarithm(rng):
    x = floats(rng, size(rng, 3000))
    y = rng.integers(-3, 4, (2, len(x))).astype(rng.choice(["i", "l"]))
    if rng.random() < 0.3:
        return [y], lambda: integer_division.divide_integers(
            rng.choice(["floor_divide", "remainder"]), *y
        )
    if rng.random() < 0.3:
        return [], lambda: complex_exponential.exponential(x.astype("F"))
    if rng.random() < 0.3:
        return [], lambda: triangular_functions.logarithm(np.diag(x[:30]))
    return [], lambda: histogram.histogram(x, x.dtype.type(-1), rng.random(), size(rng, 60))


ENTRIES = [
    *(take_rows, taken_along, taken_at_points, one_hot, add_rows, merged_rows, classes, sparse),
    *(
        update_cells,
        spread_crops,
        spread,
        select_boxes,
        convolve,
        normalize,
        packed_product,
        run_in_stages,
    ),
    *(eigenvalues, unite_indices, locally_normalized, found_once, summed_by_segment, rows_filled),
    *(in_sets, gather_tree_entry, best_labels, features_crossed, logarithm),
]
# Below these sizes NumPy computes: here every size is native.
THRESHOLDS = [
    *(
        (rows, f"_MIN_{each}")
        for each in ("ELEMENTS", "PARALLEL_ELEMENTS", "PARALLEL_GATHER_BYTES")
    ),
    *((gather, name) for name in ("_MIN_ONE_HOT_BYTES", "_MIN_PARALLEL_BYTES")),
    *((argmax_in_top_k, "_MIN_ELEMENTS"), (argmax_in_top_k, "_MIN_PARALLEL_ELEMENTS")),
    *(
        (segment_reduce, "_MIN_PARALLEL_ELEMENTS"),
        (softmax, "_MIN_PARALLEL_ELEMENTS"),
    ),
    *(
        (sparse_matmul, "_MIN_PARALLEL_PRODUCTS"),
        (optimizers, "_MIN_PARALLEL_ELEMENTS"),
        (image_resample, "_MIN_PARALLEL_ELEMENTS"),
    ),
    *(
        (ctc_greedy_decoder, "_MIN_PARALLEL_LOGITS"),
        (native_crops, "_MIN_PARALLEL_ELEMENTS"),
        (convolution, "_MIN_PARALLEL_MULTIPLICATIONS"),
    ),
    *(
        (channel_statistics, "_MIN_PARALLEL_ELEMENTS"),
        (packed_matmul, "_MIN_PARALLEL_MULTIPLICATIONS"),
    ),
    *(
        (decompositions, "_MIN_PARALLEL_MULTIPLICATIONS"),
        (local_norms, "_MIN_PARALLEL_ELEMENTS"),
        (histogram, "_MIN_PARALLEL_ELEMENTS"),
    ),
    *(
        (integer_division, "_MIN_ELEMENTS"),
        (integer_division, "_MIN_PARALLEL_ELEMENTS"),
        (complex_exponential, "_MIN_PARALLEL_ELEMENTS"),
    ),
]
