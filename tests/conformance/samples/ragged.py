"""Ragged tensors: ranges, gathered rows, sparse and dense conversion, encoding; n-grams."""

import numpy as np

import tfmini as tf
from tests.conformance.samples import Sample
from tfmini._src.graph.opdef import raw


def ints(*values):
    return np.array(values, np.int32)


def longs(*values):
    return np.array(values, np.int64)


# [[[1, 2], [3]], [], [[4, 5, 6]]]
OUTER = longs(0, 2, 2, 3)
INNER = longs(0, 2, 3, 6)
VALUES = np.arange(1, 7, dtype="f")
PAIRS = np.arange(12, dtype="f").reshape(6, 2) / 4
WORDS = np.array([b"a", b"b", b"c", b"d"], object)


def there_and_back(batched):
    """A ragged tensor as variants, read again: row splits, then values."""

    def build(tf):
        splits = [tf.constant(OUTER), tf.constant(INNER)]
        encoded = raw.RaggedTensorToVariant(splits, tf.constant(VALUES), batched_input=batched)
        found, values = raw.RaggedTensorFromVariant(
            encoded,
            input_ragged_rank=-1,
            output_ragged_rank=2,
            Tvalues=tf.float32,
            Tsplits=tf.int64,
        )
        return [tf.concat([*found, tf.cast(values, tf.int64)], 0)]

    return build


WHOLE = np.concatenate([OUTER, INNER, VALUES.astype(np.int64)])

SAMPLES = [
    Sample("RaggedRange", [ints(2, 0, 5), ints(5, 0, 1), ints(1, 1, -2)],
           expect=(longs(0, 3, 3, 5), ints(2, 3, 4, 5, 3)), static=False),
    Sample("RaggedRange", [np.float32(0), np.array([1, 0.5], "f"), np.float32(0.25)],
           {"Tsplits": tf.int32},
           (ints(0, 4, 6), np.array([0, 0.25, 0.5, 0.75, 0, 0.25], "f")), static=False, gradient=(),
           note="scalars"),
    Sample("RaggedGather", [[OUTER, INNER], VALUES, ints(2, 0, 0)], {"OUTPUT_RAGGED_RANK": 2},
           (longs(0, 1, 3, 5), longs(0, 3, 5, 6, 8, 9), np.array([4, 5, 6, 1, 2, 3, 1, 2, 3], "f")),
           static=False),
    Sample("RaggedGather", [[INNER], PAIRS, longs(1)[0]], {"OUTPUT_RAGGED_RANK": 0},
           PAIRS[2:3], static=False, note="a row"),
    Sample("RaggedGather", [[INNER], VALUES, ints(0, 1)[:, None]], {"OUTPUT_RAGGED_RANK": 2},
           (longs(0, 1, 2), longs(0, 2, 3), np.array([1, 2, 3], "f")), static=False, note="a matrix"),
    Sample("RaggedTensorToSparse", [[OUTER, INNER], VALUES],
           expect=(np.array([[0, 0, 0], [0, 0, 1], [0, 1, 0], [2, 0, 0], [2, 0, 1], [2, 0, 2]]),
                   VALUES, longs(3, 2, 3)), static=False),
    Sample("RaggedTensorToSparse", [[longs(0, 1, 1, 3)], PAIRS[:3]],
           expect=(np.array([[0, 0, 0], [0, 0, 1], [2, 0, 0], [2, 0, 1], [2, 1, 0], [2, 1, 1]]),
                   PAIRS[:3].ravel(), longs(3, 2, 2)), static=False, note="uniform inside"),
    Sample("RaggedTensorToVariant", build=there_and_back(False), expect=WHOLE),
    Sample("RaggedTensorFromVariant", build=there_and_back(True), expect=WHOLE, note="batched"),
    Sample("RaggedTensorToTensor",
           [ints(-1, -1), VALUES, np.float32(-1), [longs(0, 2, 2, 6)]],
           {"row_partition_types": ["ROW_SPLITS"]},
           np.array([[1, 2, -1, -1], [-1] * 4, [3, 4, 5, 6]], "f"), static=False),
    Sample("RaggedTensorToTensor",
           [ints(4, 2), VALUES, np.float32(0), [longs(3)[0], longs(0, 0, 2, 2, 2, 2)]],
           {"row_partition_types": ["FIRST_DIM_SIZE", "VALUE_ROWIDS"]},
           np.array([[1, 2], [0, 0], [3, 4], [0, 0]], "f"), static=False, note="rows"),
    Sample("RaggedTensorToTensor", [ints(2, -1), VALUES, np.float32(0), [longs(0, 2, 2, 6)]],
           {"row_partition_types": ["ROW_SPLITS"]},
           np.array([[1, 2, 0, 0], [0] * 4], "f"), static=False, note="fewer rows"),
    Sample("StringNGrams", [WORDS, longs(0, 3, 3, 4)],
           {"separator": " ", "ngram_widths": [1, 2], "left_pad": "", "right_pad": "", "pad_width": 0,
            "preserve_short_sequences": False},
           (np.array([b"a", b"b", b"c", b"a b", b"b c", b"d"], object), longs(0, 5, 5, 6)),
           static=False),
    Sample("StringNGrams", [WORDS, longs(0, 3, 4)],
           {"separator": "-", "ngram_widths": [3], "left_pad": "<", "right_pad": ">", "pad_width": -1,
            "preserve_short_sequences": True},
           (np.array([b"<-<-a", b"<-a-b", b"a-b-c", b"b-c->", b"c->->", b"<-<-d", b"<-d->", b"d->->"],
                     object), longs(0, 5, 8)), static=False, note="padded"),
]  # fmt: skip
