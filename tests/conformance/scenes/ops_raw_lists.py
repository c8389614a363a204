"""Raw tensor lists, and TensorArrays based on them: bounds, shapes, gradients, errors."""

import importlib

import numpy as np

from tests.conformance.scenes.ops_lists import _array_cases, _of_three

# Options that such arrays do not support, or with which TensorFlow reads invalid memory.
_NOT_SO = """index written_index gathered_matrix scattered_few scattered_matrix split split_none"""


def _by_list(tf):
    """TensorArrays as created under control flow v2."""
    its = tf.__name__ == "tensorflow"
    if its:
        return importlib.import_module("tensorflow.python.ops.tensor_array_ops")._GraphTensorArrayV2
    return importlib.import_module("tfmini._src.ops.lists.list_arrays").ListTensorArray


def by_lists(tf, stage):
    make = _by_list(tf)
    cases = _array_cases(tf, _of_three(make, tf))
    for name in _NOT_SO.split():
        del cases[name]
    stage.each(cases, graph="sum")
    f = tf.float32
    flow = make(f, 1).flow
    stage.attempts(
        lambda: make(f),
        lambda: make(f, flow=tf.constant(1.0)),
        lambda: make(f, flow=5),
        lambda: make(f, 1, flow=flow),
        lambda: make(f, element_shape=[1], flow=flow),
        lambda: make(f, 1).grad("source"),
        lambda: make(f, 1).close().type,
    )


def raw_lists(tf, stage):
    raw, ph, f = tf.raw_ops, tf.placeholder_with_default, tf.float32
    i = lambda *v: tf.constant(list(v), tf.int32)  # noqa: E731
    reserve = lambda n, shape=-1, kind=f: raw.TensorListReserve(  # noqa: E731
        element_shape=shape, num_elements=n, element_dtype=kind
    )
    empty = lambda most=-1, shape=-1: raw.EmptyTensorList(  # noqa: E731
        element_shape=shape, max_num_elements=most, element_dtype=f
    )
    of = lambda value, shape=-1: raw.TensorListFromTensor(tensor=value, element_shape=shape)  # noqa: E731
    push = lambda a, v: raw.TensorListPushBack(input_handle=a, tensor=v)  # noqa: E731
    pop = lambda a, shape=-1, kind=f: raw.TensorListPopBack(  # noqa: E731
        input_handle=a, element_shape=shape, element_dtype=kind
    )
    get = lambda a, at, shape=-1, kind=f: raw.TensorListGetItem(  # noqa: E731
        input_handle=a, index=at, element_shape=shape, element_dtype=kind
    )
    stack = lambda a, shape=-1, n=-1, kind=f: raw.TensorListStack(  # noqa: E731
        input_handle=a, element_shape=shape, element_dtype=kind, num_elements=n
    )
    gather = lambda a, at, shape=-1: raw.TensorListGather(  # noqa: E731
        input_handle=a, indices=at, element_shape=shape, element_dtype=f
    )
    concat = lambda a, shape=-1, leading=(): raw.TensorListConcatV2(  # noqa: E731
        input_handle=a,
        element_shape=shape,
        leading_dims=tf.constant(list(leading), tf.int64),
        element_dtype=f,
    )
    length = lambda a: raw.TensorListLength(input_handle=a)  # noqa: E731
    scatter = lambda v, at, n=-1: raw.TensorListScatterV2(  # noqa: E731
        tensor=v, indices=at, element_shape=-1, num_elements=n
    )
    split = lambda v, by, shape=-1: raw.TensorListSplit(  # noqa: E731
        tensor=v, element_shape=shape, lengths=tf.constant(by, tf.int64)
    )
    x = np.arange(6.0).reshape(3, 2).astype("f")

    cases = {
        "reserved_words": lambda: get(reserve(2, [1], tf.string), 1, kind=tf.string),
        "pushed_most": lambda: length(push(push(empty(1), 1.0), 2.0)),
        "pushed_dtype": lambda: length(push(empty(), 1)),
        "pushed_shape": lambda: length(push(empty(-1, ph([2], [1])), [1.0])),
        "popped_empty": lambda: pop(empty())[1],
        "got_other": lambda: get(of(x), 0, kind=tf.int32),
        "set_other": lambda: length(raw.TensorListSetItem(input_handle=of(x), index=0, item=1)),
        "stacked_empty_unknown": lambda: stack(empty()),
        "stacked_other": lambda: stack(of(x), kind=tf.int32),
        "gathered_unknown": lambda: gather(reserve(2), i(0)),
        "from_shape": lambda: length(of(ph(x, None), ph([3], [1]))),
        "from_shape_static": lambda: of(x, [3]),
        "joined_leading": lambda: list(concat(reserve(2, [-1, 2]), [-1, 2], [1, 2])),
        "joined_empty_unknown": lambda: list(concat(empty())),
        "scattered_small": lambda: length(scatter(x, i(2, 0, 1), 2)),
        "split_shape": lambda: length(split(ph(x, None), [1, 2], ph([-1, 3], [2]))),
    }
    stage.each(cases, graph="sum")
