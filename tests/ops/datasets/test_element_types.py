"""Component types determined by a dataset's sources, and iterators of other types; texts are TensorFlow 1.15.5's."""

import numpy as np
import pytest

import tfmini as tf

raw = tf.raw_ops
STATED = {"output_types": [tf.float32], "output_shapes": [[]]}
KEEP = {
    "take": lambda d: raw.TakeDataset(input_dataset=d, count=np.int64(2), **STATED),
    "shuffle": lambda d: raw.ShuffleDataset(
        input_dataset=d, buffer_size=np.int64(2), seed=np.int64(1), seed2=np.int64(1), **STATED
    ),
    "prefetch": lambda d: raw.PrefetchDataset(input_dataset=d, buffer_size=np.int64(1), **STATED),
    "cache": lambda d: raw.CacheDataset(input_dataset=d, filename="", **STATED),
    "model": lambda d: raw.ModelDataset(input_dataset=d, **STATED),
    "zip": lambda d: raw.ZipDataset(input_datasets=[d], **STATED),
    "two": lambda d: raw.RepeatDataset(input_dataset=KEEP["take"](d), count=np.int64(2), **STATED),
}


@pytest.mark.parametrize("name", KEEP)
def test_iterator_type_mismatch_is_refused(name, session):
    numbers = raw.RangeDataset(
        start=np.int64(0),
        stop=np.int64(0),
        step=np.int64(1),
        output_types=[tf.int64],
        output_shapes=[[]],
    )
    iterator = raw.IteratorV2(shared_name="", container="", **STATED)
    start = raw.MakeIterator(dataset=KEEP[name](numbers), iterator=iterator)
    expected = r"^Data type mismatch at component 0: expected float but got int64\.\n"
    with pytest.raises(tf.errors.InvalidArgumentError, match=expected):
        session.run(start)


def variant(value):
    return tf.data.Dataset.from_tensors(value)._variant_tensor


TOGETHER = {
    "concatenated": (
        lambda a, b: raw.ConcatenateDataset(input_dataset=a, another_dataset=b, **STATED),
        "^input dataset and dataset to concatenate have different output_types %s and %sstring\n",
    ),
    "interleaved": (
        lambda a, b: raw.DirectedInterleaveDataset(
            selector_input_dataset=variant(np.int64(0)), data_input_datasets=[a, b], **STATED
        ),
        "^All inputs must have the same output_dtypes. First input has types float, and input 1 has types string\n",
    ),
}


@pytest.mark.parametrize("name", TOGETHER)
def test_combining_datasets_of_different_types_is_refused(name, session):
    make, expected = TOGETHER[name]
    with pytest.raises(tf.errors.InvalidArgumentError, match=expected):
        session.run(make(variant(np.float32(1)), variant("a")))
