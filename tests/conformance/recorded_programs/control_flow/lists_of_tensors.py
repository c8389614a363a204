"""Tensor lists and optional values through tf.raw_ops, and the nodes of their gradients."""

import numpy as np


def build(tf):
    raw = tf.raw_ops
    rows = tf.placeholder_with_default(
        np.arange(6, dtype="f").reshape(2, 3) / 4, [2, 3], name="rows"
    )
    loose = tf.placeholder_with_default(
        np.arange(6, dtype="f").reshape(2, 3) / 3, None, name="loose"
    )
    width = np.array([3], np.int32)
    unknown = tf.constant(-1)
    f32 = tf.float32

    def stack(held, count=-1, shape=width):
        return raw.TensorListStack(
            input_handle=held, element_shape=shape, element_dtype=f32, num_elements=count
        )

    def from_tensor(tensor, shape=width):
        return raw.TensorListFromTensor(tensor=tensor, element_shape=shape)

    def push(held, item):
        return raw.TensorListPushBack(input_handle=held, tensor=item)

    empty = raw.EmptyTensorList(element_shape=width, max_num_elements=5, element_dtype=f32)
    pushed = push(push(empty, rows[0] * 2.0), rows[1])
    popped, last = raw.TensorListPopBack(
        input_handle=pushed, element_shape=width, element_dtype=f32
    )
    held = from_tensor(loose, unknown)
    item = raw.TensorListGetItem(
        input_handle=held, index=1, element_shape=unknown, element_dtype=f32
    )
    changed = raw.TensorListSetItem(input_handle=held, index=0, item=item * last)
    resized = raw.TensorListResize(input_handle=changed, size=3)
    gathered = raw.TensorListGather(
        input_handle=held, indices=[1, 0, 1], element_shape=unknown, element_dtype=f32
    )
    scattered = raw.TensorListScatterV2(
        tensor=gathered, indices=[3, 0, 1], element_shape=unknown, num_elements=-1
    )
    older = raw.TensorListScatter(tensor=rows, indices=[1, 0], element_shape=width)
    existing = raw.TensorListScatterIntoExistingList(
        input_handle=older, tensor=rows[:1] * 3.0, indices=[1]
    )
    lengths = np.array([1, 1], np.int64)
    split = raw.TensorListSplit(tensor=rows, element_shape=[-1, 3], lengths=lengths)
    joined, found = raw.TensorListConcatV2(
        input_handle=split,
        element_shape=[-1, 3],
        leading_dims=tf.constant([], tf.int64),
        element_dtype=f32,
    )
    plain, _ = raw.TensorListConcat(input_handle=split, element_dtype=f32)
    both = raw.TensorListConcatLists(input_a=pushed, input_b=older, element_dtype=f32)
    sums = tf.add_n([from_tensor(rows), from_tensor(rows * 2.0)])
    value = raw.OptionalFromValue(components=[rows, rows[0]])
    (kept, _) = raw.OptionalGetValue(
        optional=value,
        output_types=[f32, f32],
        output_shapes=[tf.TensorShape([2, 3]), tf.TensorShape([3])],
    )
    results = [
        stack(popped, 1),
        last,
        stack(resized, shape=unknown),
        stack(scattered, shape=unknown),
        stack(existing),
        joined,
        plain,
        stack(sums),
        kept * kept,
        item,
    ]
    slopes = [
        tf.gradients(result, [rows, loose], name=f"slopes_{number}")
        for number, result in enumerate(results)
    ]
    slopes = [[g for g in pair if g is not None] for pair in slopes]
    more = tf.gradients([stack(pushed), joined * joined, item], [rows, loose], name="together")
    facts = [
        raw.TensorListLength(input_handle=both),
        raw.TensorListElementShape(input_handle=both, shape_type=tf.int64),
        found,
        raw.OptionalHasValue(optional=raw.OptionalNone()),
        stack(tf.zeros_like(pushed)),
        stack(both),
    ]
    return {
        "steps": [
            ("values", results, None),
            ("gradients", slopes, None),
            ("together", more, None),
            ("others", facts, None),
        ]
    }
