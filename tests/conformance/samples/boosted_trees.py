"""Boosted trees: quantiles of features, sums by bucket, best splits, growth, and predictions."""

import numpy as np

import tfmini as tf
from tests.conformance.samples import Sample
from tfmini._src.base import proto
from tfmini._src.graph.opdef import raw

NODES = np.array([0, 1, 0], np.int32)
GRADIENTS = np.array([[0.5], [-0.25], [-2.0]], np.float32)
HESSIANS = np.array([[1.0], [2.0], [3.0]], np.float32)
BUCKETS = np.array([0, 1, 1], np.int32)
STATS = np.array([[[0.5, 1], [-2, 3]], [[0, 0], [-0.25, 2]]], np.float32)
WITH_MISSING = np.pad(STATS[:, None], [(0, 0), (0, 0), (0, 1), (0, 0)])
SUMMED = {"max_splits": 2, "num_buckets": 2}
RANGE = np.array([0, 2], np.int32)
NUMBERS = [np.float32(x) for x in (0, 1, 0.25, 0)]  # l1, l2, tree complexity, minimum node weight
# Node 0: 0.5²/2 + 2²/4 - 1.5²/5 - 0.25; node 1 gains nothing by its split.
GAINS = np.array([0.425, -0.25], np.float32)
IDS, BEST = np.array([0, 1], np.int32), np.array([0, 0], np.int32)
LEFT, RIGHT = np.array([[-0.25], [0.0]], np.float32), np.array([[0.5], [0.25 / 3]], np.float32)
SPARSE_RIGHT = np.array([[0.5], [0.0]], np.float32)
SPARSE_LEFT = np.array([[-0.25], [0.25 / 3]], np.float32)
SPARSE = np.array(
    [[0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0], [0, 0, 1, 1], [1, 0, 1, 0], [1, 0, 1, 1]], np.int32
)
SHAPE = np.array([2, 1, 3, 2], np.int32)
VALUES = np.array([0.5, 1, -2, 3, -0.25, 2], np.float32)


COLUMNS = [np.arange(1, 9, dtype=np.float32), np.full(8, 5, np.float32)]


def directions(name):
    return np.array([b"INEQUALITY_DEFAULT_" + name] * 2, object)


def leaf(value):
    return {"leaf": {"scalar": value}}


def ensemble(*more):
    """A tree with a bias of 0.5 that splits at bucket 1, to leaves -1 and 2."""
    split = {"threshold": 1, "left_id": 1, "right_id": 2}
    root = {"bucketized_split": split, "metadata": {"gain": 1, "original_leaf": {"scalar": 0.5}}}
    trees = [{"nodes": [root, leaf(-1), leaf(2)]}, *more]
    message = proto.TreeEnsemble(
        trees=trees,
        tree_weights=[1] * len(trees),
        tree_metadata=[{"num_layers_grown": 1}] * len(trees),
    )
    return message


def grown(*uses, message=None):
    """Creates an ensemble with stamp 3; then the results of `uses` for its handle."""

    def build(_):
        handle = raw.BoostedTreesEnsembleResourceHandleOp(shared_name="e")
        content = (ensemble() if message is None else message).SerializeToString()
        return [raw.BoostedTreesCreateEnsemble(handle, 3, content), *(use(handle) for use in uses)]

    return build


def collected(*uses):
    """Creates two streams, and adds the values 1 to 8 with equal weights, and twice 5; then `uses`."""

    def build(_):
        handle = raw.BoostedTreesQuantileStreamResourceHandleOp(shared_name="q")
        create = raw.BoostedTreesCreateQuantileStreamResource(handle, 0.5, 2)
        summaries = raw.BoostedTreesMakeQuantileSummaries(COLUMNS, np.ones(1, np.float32), 0.5)
        add = raw.BoostedTreesQuantileStreamResourceAddSummaries(handle, summaries)
        return [create, add, *(use(handle) for use in uses)]

    return build


def flush(handle):
    return raw.BoostedTreesQuantileStreamResourceFlush(handle, 3)


def limits(handle):
    found = raw.BoostedTreesQuantileStreamResourceGetBucketBoundaries(handle, num_features=2)
    return [tf.identity(values) for values in found]


def deserialized(handle):
    values = [tf.placeholder_with_default(column, None) for column in COLUMNS]
    return raw.BoostedTreesQuantileStreamResourceDeserialize(handle, values)


def summaries(handle):
    return [tf.identity(x) for x in raw.BoostedTreesFlushQuantileSummaries(handle, num_features=2)]


def restored(handle):
    return raw.BoostedTreesDeserializeEnsemble(handle, 9, ensemble(leaf_tree()).SerializeToString())


def leaf_tree():
    return {"nodes": [leaf(0.25)]}


def states(handle):
    return list(raw.BoostedTreesGetEnsembleStates(handle))


def logits(handle):
    return raw.BoostedTreesPredict(handle, [np.arange(4, dtype=np.int32)], logits_dimension=1)


def cached(handle):
    ids = np.array([0, 0, 0, 0], np.int32), np.array([-1, 0, 2, 0], np.int32)
    buckets = [np.arange(4, dtype=np.int32)]
    return list(raw.BoostedTreesTrainingPredict(handle, *ids, buckets, logits_dimension=1))


def paths(handle):
    return raw.BoostedTreesExampleDebugOutputs(handle, [BUCKETS + 1], logits_dimension=1)


def split_twice(version):
    """Splits both leaves by the second of two features, whose gains are larger, and completes the tree."""

    def use(handle):
        ids, lists = np.array([4, 7], np.int32), [np.array([1, 2], np.int32)] * 2
        gains = [np.array([0.5, 0.5], np.float32), np.array([1, 2], np.float32)]
        contribs = [[np.full((2, 1), x, np.float32)] * 2 for x in (2, 4)]
        if version == 1:
            update = raw.BoostedTreesUpdateEnsemble(
                handle, ids, lists, gains, lists, *contribs, 2, 0.5, pruning_mode=0
            )
        else:
            update = raw.BoostedTreesUpdateEnsembleV2(
                handle,
                ids,
                lists,
                lists,
                gains,
                lists,
                *contribs,
                [directions(b"LEFT")] * 2,
                2,
                0.5,
                0,
            )
        return update

    return use


def bias(handle):
    return raw.BoostedTreesCenterBias(
        handle, np.full((1, 1), 2, np.float32), np.ones((1, 1), np.float32), 0, 1
    )


def exists(handle):
    return raw.IsBoostedTreesEnsembleInitialized(handle)


def stream_exists(handle):
    return raw.IsBoostedTreesQuantileStreamResourceInitialized(handle)


PREDICTED = np.array([[-1], [-1], [2], [2]], np.float32)
STATES = (np.int64(3), *(np.int32(n) for n in (1, 0, 0)), np.array([0, 1], np.int32))
KEPT = np.array([[x, 1, x - 1, x] for x in (1, 5, 7, 8)], np.float32)
SUMMARIES = (KEPT, np.array([[5, 8, 0, 8]], np.float32))
TWO_STREAMS = (KEPT[[0, 2, 3], 0], np.array([5], np.float32))
DEBUG = [
    proto.DebugOutput(feature_ids=[0], logits_path=[0.5, x]).SerializeToString() for x in (-1, 2, 2)
]
AFTER_UPDATE = (np.int64(4), np.int32(2), np.int32(1), np.int32(1), np.array([0, 1], np.int32))

SAMPLES = [
    Sample(
        "BoostedTreesMakeStatsSummary",
        [NODES, GRADIENTS, HESSIANS, [BUCKETS]],
        SUMMED,
        expect=STATS[None],
    ),
    Sample(
        "BoostedTreesAggregateStats",
        [NODES, GRADIENTS, HESSIANS, BUCKETS[:, None]],
        SUMMED,
        expect=WITH_MISSING,
    ),
    Sample(
        "BoostedTreesSparseAggregateStats",
        [
            NODES,
            GRADIENTS,
            HESSIANS,
            np.array([[0, 0], [1, 0], [2, 0]], np.int32),
            BUCKETS,
            np.array([3, 1], np.int32),
        ],
        SUMMED,
        expect=(SPARSE, VALUES, SHAPE),
        static=False,
    ),
    Sample(
        "BoostedTreesCalculateBestGainsPerFeature",
        [RANGE, [STATS], *NUMBERS],
        {"max_splits": 2},
        expect=(IDS, GAINS, BEST, LEFT, RIGHT),
        static=False,
    ),
    Sample(
        "BoostedTreesCalculateBestFeatureSplit",
        [RANGE, WITH_MISSING, *NUMBERS],
        {"logits_dimension": 1},
        expect=(IDS, GAINS, BEST, BEST, LEFT, RIGHT, directions(b"LEFT")),
        static=False,
    ),
    Sample(
        "BoostedTreesSparseCalculateBestFeatureSplit",
        [RANGE, SPARSE, VALUES, SHAPE, *NUMBERS],
        {"logits_dimension": 1},
        expect=(IDS, GAINS, BEST, IDS, SPARSE_LEFT, SPARSE_RIGHT, directions(b"RIGHT")),
        static=False,
    ),
    Sample("BoostedTreesEnsembleResourceHandleOp", expect=np.True_, build=grown(exists)),
    Sample("IsBoostedTreesEnsembleInitialized", expect=np.True_, build=grown(exists)),
    Sample("BoostedTreesCreateEnsemble", expect=STATES, build=grown(states)),
    Sample("BoostedTreesGetEnsembleStates", expect=STATES, build=grown(states)),
    Sample(
        "BoostedTreesDeserializeEnsemble", expect=PREDICTED + 0.25, build=grown(restored, logits)
    ),
    Sample(
        "BoostedTreesSerializeEnsemble",
        expect=(np.int64(3), np.array(ensemble().SerializeToString(), object)),
        build=grown(lambda handle: list(raw.BoostedTreesSerializeEnsemble(handle))),
    ),
    Sample("BoostedTreesPredict", expect=PREDICTED, build=grown(logits)),
    Sample(
        "BoostedTreesTrainingPredict",
        expect=(
            np.array([[-1], [-1.5], [0], [1.5]], np.float32),
            BEST.repeat(2),
            np.array([1, 1, 2, 2], np.int32),
        ),
        build=grown(cached),
    ),
    Sample("BoostedTreesExampleDebugOutputs", expect=np.array(DEBUG, object), build=grown(paths)),
    Sample("BoostedTreesUpdateEnsemble", expect=AFTER_UPDATE, build=grown(split_twice(1), states)),
    Sample(
        "BoostedTreesUpdateEnsembleV2", expect=AFTER_UPDATE, build=grown(split_twice(2), states)
    ),
    Sample(
        "BoostedTreesCenterBias",
        expect=np.full((4, 1), -2, np.float32),  # twice -2 / (1 + 1)
        build=grown(bias, bias, logits, message=proto.TreeEnsemble()),
    ),
    Sample(
        "BoostedTreesQuantileStreamResourceHandleOp",
        expect=np.True_,
        build=collected(stream_exists),
    ),
    Sample(
        "IsBoostedTreesQuantileStreamResourceInitialized",
        expect=np.True_,
        build=collected(stream_exists),
    ),
    Sample(
        "BoostedTreesCreateQuantileStreamResource",
        expect=TWO_STREAMS,
        build=collected(flush, limits),
    ),
    Sample(
        "BoostedTreesQuantileStreamResourceAddSummaries",
        expect=TWO_STREAMS,
        build=collected(flush, limits),
    ),
    Sample(
        "BoostedTreesQuantileStreamResourceFlush",
        expect=TWO_STREAMS,
        build=collected(flush, limits),
    ),
    Sample(
        "BoostedTreesQuantileStreamResourceGetBucketBoundaries",
        expect=TWO_STREAMS,
        build=collected(flush, limits),
    ),
    Sample("BoostedTreesFlushQuantileSummaries", expect=SUMMARIES, build=collected(summaries)),
    Sample(
        "BoostedTreesMakeQuantileSummaries",
        [COLUMNS, np.ones(1, np.float32), np.float32(0.5)],
        expect=SUMMARIES,
        static=False,
    ),
    Sample(
        "BoostedTreesQuantileStreamResourceDeserialize",
        expect=(COLUMNS[0], COLUMNS[1]),
        build=collected(deserialized, limits),
    ),
    Sample(
        "BoostedTreesBucketize",
        [[np.array([-1, 1, 2, 3, 9], np.float32)], [np.array([1, 3, 5], np.float32)]],
        expect=np.array([0, 0, 1, 1, 2], np.int32),
    ),
]
