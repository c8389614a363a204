"""Public functions and operators on ragged tensors; slices of them; gradients through rows."""


def build(tf):
    number = tf.ragged.constant([[3.0, 1, 4], [], [1, 5]], name="number")
    count = tf.ragged.constant([[3, 1, 4], [], [1, 5]], name="count")
    deep = tf.ragged.constant([[[1, 2], [3]], [[4, 5, 6]]])
    flag = tf.ragged.constant([[True, False, True], [], [False, True]], dtype=tf.bool)
    text = tf.ragged.constant([["a", "b"], ["c"]])
    place = tf.placeholder(tf.int32, [], name="place")

    def parts(*tensors):
        """The components of ragged tensors."""
        return [
            part
            for tensor in tensors
            for part in (
                [tensor]
                if isinstance(tensor, tf.Tensor)
                else [tensor.flat_values, *tensor.nested_row_splits]
            )
        ]

    elementwise = parts(
        number + 1,
        2.0 * number,
        number / number,
        count // 2,
        count % 2,
        -count,
        abs(count),
        count > 2,
        ~flag,
        flag & True,
        number + [[10.0], [20], [30]],
        tf.constant([[1.0], [2], [3]]) + number,
        tf.square(number),
        tf.cast(number, tf.int32),
        tf.clip_by_value(number, 2, 3),
        tf.zeros_like(number),
        tf.equal(count, 1),
        tf.maximum(count, 2),
        tf.add_n([count, count]),
        tf.strings.join([text, "x"], "-"),
        tf.strings.substr(text, 0, 1),
        tf.ragged.map_flat_values(tf.multiply, number, number),
    )
    reduced = parts(
        tf.reduce_sum(number),
        tf.reduce_sum(number, 0),
        tf.reduce_max(count, axis=1, name="largest"),
        tf.reduce_sum(deep, axis=[1, 2]),
        tf.reduce_mean(number, axis=0),
        tf.reduce_any(flag, 1),
        tf.reduce_all(flag, 1),
        tf.strings.reduce_join(text, 1, separator=","),
        tf.math.unsorted_segment_sum(number, [1, 0, 1], 2),
        tf.math.unsorted_segment_mean(number, [1, 0, 1], 2),
        tf.math.unsorted_segment_sqrt_n(number, [1, 0, 1], 2),
        tf.size(deep),
        tf.rank(deep),
    )
    arranged = parts(
        tf.concat([count, count], 0),
        tf.concat([count, [[7], [8], [9]]], axis=1),
        tf.concat([deep, deep], axis=2),
        tf.stack([count, count]),
        tf.ragged.stack([count, count], axis=1),
        tf.ragged.stack([[[1, 2]], [[3], [4]]]),
        tf.gather(count, [2, 0, 0]),
        tf.gather(count, tf.ragged.constant([[1], [0, 2]])),
        tf.gather_nd(count, [[0, 1], [2, 0]]),
        tf.gather_nd(deep, [[0, 1], [1, 0]]),
        tf.gather_nd(deep, [[0, 0, 1]]),
        tf.batch_gather(count, tf.ragged.constant([[1, 0], [], [1]], dtype=tf.int64)),
        tf.tile(deep, [2, 1, 2]),
        tf.expand_dims(count, 0),
        tf.expand_dims(count, -1),
        tf.squeeze(tf.ragged.constant([[[1], [2]], [[3]]]), axis=2),
        tf.one_hot(tf.ragged.constant([[0, 1], [2]]), 3),
        tf.where(flag, count, count * 10),
        tf.where(flag),
        tf.where([True, False, True], count, count * 10),
        tf.ragged.boolean_mask(count, flag),
        tf.ragged.boolean_mask(count, [True, False, True]),
        tf.ragged.boolean_mask([[1, 2], [3, 4]], [[True, False], [True, True]]),
        tf.ragged.stack_dynamic_partitions(["a", "b", "c"], [2, 0, 2], 3),
        *tf.dynamic_partition(count, [1, 0, 1], 2),
    )
    sliced = parts(
        count[0],
        count[-1, 0],
        count[1:],
        count[::2],
        count[:, :1],
        count[:, -2:],
        count[:, ::2],
        deep[..., 1:],
        deep[tf.newaxis],
        count[:, place:],
    )
    values = tf.constant([1.0, 2, 3, 4])
    rows = tf.RaggedTensor.from_row_splits(values, [0, 1, 4], validate=False)
    picked = tf.gather(rows, [1, 1, 0])
    targets = [
        tf.reduce_sum(picked * picked),
        tf.reduce_sum(tf.exp(rows), axis=1),
        rows.to_sparse().values,
        rows.to_tensor(),
    ]
    slopes = [tf.gradients(target, values)[0] for target in targets]
    slopes = [getattr(slope, "values", slope) for slope in slopes]
    return {
        "steps": [
            ("elementwise", elementwise),
            ("reduced", reduced),
            ("arranged", arranged),
            ("sliced", sliced, {place: 1}),
            ("slopes", slopes),
        ]
    }
