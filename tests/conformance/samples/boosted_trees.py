"""Boosted trees: quantiles of features, sums by bucket, best splits, growth, and predictions."""

import numpy as np

import tfmini as tf
from tests.conformance.samples import Sample
from tfmini._src.base import proto
from tfmini._src.graph.opdef import raw


def ints(*values):
    return np.array(values, np.int32)


def floats(*values):
    return np.array(values, np.float32)


BUCKETS, RANGE, ZEROS = ints(0, 1, 1), ints(0, 2), ints(0, 0)
BATCH = [ints(0, 1, 0), floats([0.5], [-0.25], [-2]), floats([1], [2], [3])]
STATS = floats([[0.5, 1], [-2, 3]], [[0, 0], [-0.25, 2]])
WITH_MISSING = np.pad(STATS[:, None], [(0, 0), (0, 0), (0, 1), (0, 0)])
SPARSE = ints(
    *([node, 0, bucket, stat] for node, bucket in ((0, 0), (0, 1), (1, 1)) for stat in (0, 1))
)
SPARSE_STATS = (SPARSE, floats(0.5, 1, -2, 3, -0.25, 2), ints(2, 1, 3, 2))
SUMMED = {"max_splits": 2, "num_buckets": 2}
NUMBERS = list(floats(0, 1, 0.25, 0))  # l1, l2, tree complexity, minimum node weight
# Node 0: 0.5²/2 + 2²/4 - 1.5²/5 - 0.25; node 1 gains nothing by its split.
GAINS, LEFT, RIGHT = floats(0.425, -0.25), floats([-0.25], [0]), floats([0.5], [0.25 / 3])
DIRECTIONS = np.array([b"INEQUALITY_DEFAULT_LEFT"] * 2, object)
RIGHT_DIRECTIONS = np.array([b"INEQUALITY_DEFAULT_RIGHT"] * 2, object)
COLUMNS = [np.arange(1, 9, dtype=np.float32), np.full(8, 5, np.float32)]
KEPT = floats(*([x, 1, x - 1, x] for x in (1, 5, 7, 8)))
SUMMARIES = (KEPT, floats([5, 8, 0, 8]))
BOUNDARIES = (KEPT[[0, 2, 3], 0], floats(5))
# A tree with a bias of 0.5 that splits at bucket 1, to leaves -1 and 2; then a tree of a leaf.
SPLIT = {"threshold": 1, "left_id": 1, "right_id": 2}
ROOT = {"bucketized_split": SPLIT, "metadata": {"gain": 1, "original_leaf": {"scalar": 0.5}}}
TREES = [
    {"nodes": [ROOT, {"leaf": {"scalar": -1}}, {"leaf": {"scalar": 2}}]},
    {"nodes": [{"leaf": {"scalar": 0.25}}]},
]
ONE, TWO = (
    proto.TreeEnsemble(
        trees=TREES[:n], tree_weights=[1] * n, tree_metadata=[{}] * n
    ).SerializeToString()
    for n in (1, 2)
)
LOGITS = floats([-1], [-1], [2], [2])
STATES = (np.int64(3), *ints(1, 0, 0), ints(0, 1))
GROWN = (np.int64(4), *ints(2, 1, 1), ints(0, 1))
PATHS = [{"feature_ids": [0], "logits_path": [0.5, x]} for x in (-1, 2, 2)]


def tree_sample(op, expect, *uses, content=ONE):
    """A sample that creates an ensemble with stamp 3; then the results of `uses` for its handle."""

    def build(_):
        handle = raw.BoostedTreesEnsembleResourceHandleOp(shared_name="e")
        return [raw.BoostedTreesCreateEnsemble(handle, 3, content), *(use(handle) for use in uses)]

    return Sample(op, expect=expect, build=build)


def stream_sample(op, expect, *uses):
    """A sample that adds the values 1 to 8, and eight times 5, to two streams; then the results of `uses`."""

    def build(_):
        handle = raw.BoostedTreesQuantileStreamResourceHandleOp(shared_name="q")
        create = raw.BoostedTreesCreateQuantileStreamResource(handle, 0.5, 2)
        made = raw.BoostedTreesMakeQuantileSummaries(COLUMNS, floats(1), 0.5)
        add = raw.BoostedTreesQuantileStreamResourceAddSummaries(handle, made)
        return [create, add, *(use(handle) for use in uses)]

    return Sample(op, expect=expect, build=build)


def flush(handle):
    return raw.BoostedTreesQuantileStreamResourceFlush(handle, 3)


def boundaries(handle):
    found = raw.BoostedTreesQuantileStreamResourceGetBucketBoundaries(handle, num_features=2)
    return [tf.identity(values) for values in found]


def deserialize(handle):
    values = [tf.placeholder_with_default(column, None) for column in COLUMNS]
    return raw.BoostedTreesQuantileStreamResourceDeserialize(handle, values)


def summarize(handle):
    return [tf.identity(x) for x in raw.BoostedTreesFlushQuantileSummaries(handle, num_features=2)]


def states(handle):
    return list(raw.BoostedTreesGetEnsembleStates(handle))


def predict(handle):
    return raw.BoostedTreesPredict(handle, [ints(0, 1, 2, 3)], logits_dimension=1)


def predict_from_cache(handle):
    cache = ints(0, 0, 0, 0), ints(-1, 0, 2, 0)
    buckets = [ints(0, 1, 2, 3)]
    return list(raw.BoostedTreesTrainingPredict(handle, *cache, buckets, logits_dimension=1))


def split_leaves(handle):
    """Splits both leaves by the second of two features, whose gains are larger, and completes the tree."""
    lists, gains = [ints(1, 2)] * 2, [floats(0.5, 0.5), floats(1, 2)]
    contribs = [[np.full((2, 1), x, np.float32)] * 2 for x in (2, 4)]
    return raw.BoostedTreesUpdateEnsemble(
        handle, ints(4, 7), lists, gains, lists, *contribs, 1, 0.5, pruning_mode=0
    )


def split_leaves_in_version_2(handle):
    lists, gains = [ints(1, 2)] * 2, [floats(0.5, 0.5), floats(1, 2)]
    contribs = [[np.full((2, 1), x, np.float32)] * 2 for x in (2, 4)]
    arguments = (ints(4, 7), lists, lists, gains, lists, *contribs, [DIRECTIONS] * 2, 1, 0.5, 0)
    return raw.BoostedTreesUpdateEnsembleV2(handle, *arguments)


def center(handle):
    return raw.BoostedTreesCenterBias(handle, floats([2]), floats([1]), 0, 1)


SAMPLES = [
    Sample("BoostedTreesMakeStatsSummary", [*BATCH, [BUCKETS]], SUMMED, expect=STATS[None]),
    Sample("BoostedTreesAggregateStats", [*BATCH, BUCKETS[:, None]], SUMMED, expect=WITH_MISSING),
    Sample(
        "BoostedTreesSparseAggregateStats",
        [*BATCH, ints([0, 0], [1, 0], [2, 0]), BUCKETS, ints(3, 1)],
        SUMMED,
        expect=SPARSE_STATS,
        static=False,
    ),
    Sample(
        "BoostedTreesCalculateBestGainsPerFeature",
        [RANGE, [STATS], *NUMBERS],
        {"max_splits": 2},
        expect=(ints(0, 1), GAINS, ZEROS, LEFT, RIGHT),
        static=False,
    ),
    Sample(
        "BoostedTreesCalculateBestFeatureSplit",
        [RANGE, WITH_MISSING, *NUMBERS],
        {"logits_dimension": 1},
        expect=(ints(0, 1), GAINS, ZEROS, ZEROS, LEFT, RIGHT, DIRECTIONS),
        static=False,
    ),
    Sample(
        "BoostedTreesSparseCalculateBestFeatureSplit",
        [RANGE, *SPARSE_STATS, *NUMBERS],
        {"logits_dimension": 1},
        expect=(
            *(ints(0, 1), GAINS, ZEROS, ints(0, 1)),
            *(floats([-0.25], [0.25 / 3]), floats([0.5], [0]), RIGHT_DIRECTIONS),
        ),
        static=False,
    ),
    tree_sample(
        "BoostedTreesEnsembleResourceHandleOp", np.True_, raw.IsBoostedTreesEnsembleInitialized
    ),
    tree_sample(
        "IsBoostedTreesEnsembleInitialized", np.True_, raw.IsBoostedTreesEnsembleInitialized
    ),
    tree_sample("BoostedTreesCreateEnsemble", STATES, states),
    tree_sample("BoostedTreesGetEnsembleStates", STATES, states),
    tree_sample(
        "BoostedTreesDeserializeEnsemble",
        LOGITS + 0.25,
        lambda handle: raw.BoostedTreesDeserializeEnsemble(handle, 9, TWO),
        predict,
    ),
    tree_sample(
        "BoostedTreesSerializeEnsemble",
        (np.int64(3), np.array(ONE, object)),
        lambda handle: list(raw.BoostedTreesSerializeEnsemble(handle)),
    ),
    tree_sample("BoostedTreesPredict", LOGITS, predict),
    tree_sample(
        "BoostedTreesTrainingPredict",
        (floats([-1], [-1.5], [0], [1.5]), ints(0, 0, 0, 0), ints(1, 1, 2, 2)),
        predict_from_cache,
    ),
    tree_sample(
        "BoostedTreesExampleDebugOutputs",
        np.array([proto.DebugOutput(**path).SerializeToString() for path in PATHS], object),
        lambda handle: raw.BoostedTreesExampleDebugOutputs(
            handle, [BUCKETS + 1], logits_dimension=1
        ),
    ),
    tree_sample("BoostedTreesUpdateEnsemble", GROWN, split_leaves, states),
    tree_sample("BoostedTreesUpdateEnsembleV2", GROWN, split_leaves_in_version_2, states),
    tree_sample(  # twice -2 / (1 + 1)
        "BoostedTreesCenterBias",
        np.full((4, 1), -2, np.float32),
        center,
        center,
        predict,
        content=b"",
    ),
    stream_sample(
        "BoostedTreesQuantileStreamResourceHandleOp",
        np.True_,
        raw.IsBoostedTreesQuantileStreamResourceInitialized,
    ),
    stream_sample(
        "IsBoostedTreesQuantileStreamResourceInitialized",
        np.True_,
        raw.IsBoostedTreesQuantileStreamResourceInitialized,
    ),
    *(
        stream_sample(f"BoostedTrees{op}", BOUNDARIES, flush, boundaries)
        for op in (
            "CreateQuantileStreamResource",
            "QuantileStreamResourceAddSummaries",
            "QuantileStreamResourceFlush",
            "QuantileStreamResourceGetBucketBoundaries",
        )
    ),
    stream_sample("BoostedTreesFlushQuantileSummaries", SUMMARIES, summarize),
    Sample(
        "BoostedTreesMakeQuantileSummaries",
        [COLUMNS, floats(1), np.float32(0.5)],
        expect=SUMMARIES,
        static=False,
    ),
    stream_sample(
        "BoostedTreesQuantileStreamResourceDeserialize", tuple(COLUMNS), deserialize, boundaries
    ),
    Sample(
        "BoostedTreesBucketize",
        [[floats(-1, 1, 2, 3, 9)], [floats(1, 3, 5)]],
        expect=ints(0, 0, 1, 1, 2),
    ),
]
