"""Results that share a reference variable's memory and therefore show later assignments in the same step: functions
whose options change no element, and ops that store a value for later.
"""

import numpy as np

WAS = np.arange(1, 25, dtype=np.float32).reshape(1, 4, 3, 2) / 5
FUNCTIONS = """
tf.?(x, 0) | reduce_sum | reduce_mean | reduce_max | reduce_min | reduce_prod | cumsum | cumprod
    | math.reduce_euclidean_norm
tf.?(x, []) | reduce_sum | reduce_mean | reduce_max | reduce_min | reduce_prod | reverse
tf.?(x, 0, keepdims=True) | reduce_sum | reduce_mean | reduce_max | reduce_min | reduce_prod
tf.?(x) | identity | stop_gradient | conj | math.real | abs | nn.relu | nn.relu6 | convert_to_tensor | random_shuffle
    | squeeze | unstack | to_float
tf.? | transpose(x, [0, 1, 2, 3]) | transpose(x, [1, 0, 2, 3]) | reshape(x, [-1]) | expand_dims(x, 0) | tile(x, [1] * 4)
    | pad(x, [[0, 0]] * 4) | pad(x, [[0, 0]] * 4, constant_values=2) | pad(x, [[0, 0]] * 4, "REFLECT")
    | slice(x, [0] * 4, [-1] * 4) | strided_slice(x, [0], [1]) | reverse(x, [0]) | roll(x, 0, 1) | roll(x, 1, 0)
    | broadcast_to(x, [1, 4, 3, 2]) | concat([x], 0) | concat([x, x[:0]], 0) | stack([x]) | split(x, 1)
    | split(x, [4], 1)
    | gather(x, [0]) | gather(x, [0, 1, 2, 3], axis=1) | gather_nd(x, [[0]]) | gather_nd(x, np.zeros([1, 0], "i"))
    | boolean_mask(x, [True]) | boolean_mask(x[0], [True] * 4) | dynamic_partition(x, [0], 1)
    | dynamic_stitch([[0]], [x]) | where(x > 0, x, -x) | where([True], x, -x) | matrix_band_part(x, -1, -1)
    | space_to_batch_nd(x, [1, 1], [[0, 0], [0, 0]]) | batch_to_space_nd(x, [1, 1], [[0, 0], [0, 0]])
    | cast(x, tf.float32) | saturate_cast(x, tf.float32) | bitcast(x, tf.float32)
    | bitcast(tf.bitcast(x, "int32"), "float")
    | maximum(x, 0.0) | minimum(x, 9.0) | clip_by_value(x, 0.0, 9.0) | clip_by_norm(x, 999.0, 0) | add_n([x])
    | nn.dropout(x, 1.0) | nn.dropout(x, rate=0.0) | accumulate_n([x]) | sort(x, 0) | ensure_shape(x, [None, 4, 3, 2])
    | check_numerics(x, "m") | tuple([x]) | identity_n([x]) | Print(x, [])
    | cond(tf.constant(True), lambda: x, lambda: -x)
    | case([(tf.constant(True), lambda: x)], lambda: -x) | map_fn(lambda row: row, x) | scan(lambda a, row: row, x)
    | foldl(lambda a, row: row, x) | while_loop(lambda y: False, lambda y: -y, [x])
    | py_func(lambda y: y, [x], tf.float32) | numpy_function(lambda y: y[:], [x], tf.float32)
    | function(lambda y: y)(x) | function(lambda y: y[0])(x) | contrib.eager.defun(lambda y: tf.squeeze(y))(x)
    | custom_gradient(lambda y: (y, lambda g: g))(x) | parallel_stack([x])
    | image.central_crop(x[0], 1.0) | image.rot90(x, 4) | image.crop_to_bounding_box(x, 0, 0, 4, 3)
    | image.pad_to_bounding_box(x, 0, 0, 4, 3) | image.resize_with_crop_or_pad(x, 4, 3)
    | image.flip_left_right(x[:, :, :1])
    | image.resize_bilinear(x, [4, 3]) | image.resize_nearest_neighbor(x, [4, 3]) | image.resize_bicubic(x, [4, 3])
    | image.resize_area(x, [4, 3]) | image.resize_images(x, [4, 3]) | random_crop(x, [1, 4, 3, 2])
    | image.extract_patches(x, [1] * 4, [1] * 4, [1] * 4, "VALID") | nn.max_pool(x, 1, 1, "VALID")
    | nn.avg_pool(x, 1, 1, "SAME") | nn.max_pool_with_argmax(x, [1] * 4, [1] * 4, "SAME")[0]
    | nn.bias_add(x, [0.0, 0.0])
    | nn.embedding_lookup(x, [0]) | nn.embedding_lookup([x[:0], x], [1]) | segment_sum(x, [0]) | segment_max(x, [0])
    | segment_mean(x, [0]) | unsorted_segment_sum(x, [0], 1) | unsorted_segment_max(x, [0], 1)
    | sparse_segment_sum(x, [0], [0]) | reverse_sequence(x, [1], 1) | reverse_sequence(x, [0], 1) | unique(flat(x))[0]
    | setdiff1d(flat(x), [0.0])[0] | meshgrid(flat(x)) | repeat(x, 1, 0) | repeat(flat(x), [1] * 24)
    | tensor_scatter_nd_update(x, np.zeros([0, 1], "i"), x[:0]) | tensor_scatter_nd_add(x, np.zeros([0, 1], "i"), x[:0])
    | linalg.set_diag(x, tf.linalg.diag_part(x)) | linalg.tensor_diag_part(tf.linalg.tensor_diag(flat(x)))
    | matmul(x, np.eye(2, dtype="f")) | tensordot(x, np.eye(2, dtype="f"), 1) | einsum("abcd->abcd", x)
    | nn.pool(x, [1, 1], "MAX", "VALID") | nn.space_to_batch(x, [[0, 0], [0, 0]], block_size=1)
    | contrib.layers.flatten(x) | layers.flatten(x) | layers.dropout(x) | contrib.framework.with_shape([1, 4, 3, 2], x)
    | keras.backend.permute_dimensions(x, (0, 1, 2, 3)) | keras.layers.Lambda(lambda y: y)(x)
    | RaggedTensor.from_row_splits(flat(x), [0, 4, 24]).flat_values
    | ragged.map_flat_values(tf.identity, rows(x)).values
    | RaggedTensor.from_tensor(x[0, :, :, 0]).to_tensor() * 0 + x[0, :, :, 0] | sparse.reorder(sparse(x)).values
    | RaggedTensor.from_row_splits(flat(x), [0, 24]).to_tensor() | RaggedTensor.from_tensor(flat(x)[None]).values
    | sparse.reshape(sparse(x), [2, 12]).values | sparse.retain(sparse(x), [True] * 24).values
    | sparse.slice(sparse(x), [0], [24]).values | sparse.fill_empty_rows(matrix(x), 0.0)[0].values
    | sparse.transpose(matrix(x), [0, 1]).values | sparse.split(sp_input=sparse(x), num_split=1, axis=0)[0].values
    | sparse.to_dense(sparse(x)) | sparse.concat(0, [sparse(x)]).values | sparse.maximum(sparse(x), sparse(x)).values
    | TensorArray(tf.float32, 1).unstack(x).stack()
    | TensorArray(tf.float32, 1).unstack(x).gather([0]) | TensorArray(tf.float32, 1).split(x, [1]).concat()
    | TensorArray(tf.float32, 1).scatter([0], x).read(0)
    | parse_tensor(tf.serialize_tensor(x), tf.float32)
tf.raw_ops.? | Snapshot(input=x) | DeepCopy(x=x) | PlaceholderWithDefault(input=x, shape=None)
    | PreventGradient(input=x)
"""


def _written_out(text):
    found = []
    for line in filter(None, text.replace("\n    |", " |").split("\n")):
        form, *options = line.split(" | ")
        found += [form.replace("?", option.strip()) for option in options]
    return [each + ")" * (each.count("(") - each.count(")")) for each in found]


def _made(tf, text, x):
    def flat(y):
        return tf.reshape(y, [-1])

    def sparse(y):
        return tf.SparseTensor(np.arange(24)[:, None], flat(y), [24])

    def matrix(y):
        return tf.SparseTensor([[i // 12, i % 12] for i in range(24)], flat(y), [2, 12])

    def rows(y):
        return tf.RaggedTensor.from_row_lengths(flat(y), [20, 4])

    return tf.nest.flatten(
        eval(
            text,
            {
                "np": np,
                "tf": tf,
                "x": x,
                "flat": flat,
                "sparse": sparse,
                "matrix": matrix,
                "rows": rows,
            },
        )
    )[0]


def _seen(found):
    """The elements that a result shows as modified, of a variable whose positive elements became negative."""
    signs = np.unique(np.sign(np.ravel(found)))
    return {(1,): "as it was", (-1,): "as it is"}.get(tuple(signs), "of both")


def results(tf, stage):
    for text in _written_out(FUNCTIONS):
        with tf.Graph().as_default(), tf.Session() as session, stage.failing():
            stage.say(text)
            variable = tf.get_variable("v", initializer=WAS, use_resource=False)
            result = _made(tf, text, variable)
            with tf.control_dependencies([result]):
                change = variable.assign_sub(WAS * 3)
            session.run(variable.initializer)
            alone = session.run(result)
            together, _ = session.run([result, change.op])
            stage.say(alone.shape, _seen(alone), _seen(together))
