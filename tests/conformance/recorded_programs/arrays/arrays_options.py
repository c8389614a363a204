"""Rarely used options of array, check, image and update functions: older names, masks, locks, strings."""

import numpy as np


def build(tf):
    random = np.random.RandomState(6)

    def floats(*shape):
        return tf.constant(random.randn(*shape).astype("f"))

    x, square = floats(3, 4), floats(3, 3)
    whole = tf.constant([[1, -2, 3], [4, 5, -6]])
    sparse = tf.SparseTensor([[0, 1], [1, 0], [1, 2]], [1.0, -0.5, 2.0], [2, 3])
    other = tf.SparseTensor([[0, 1], [1, 1]], [-0.9, 1.0], [2, 3])
    truths = tf.constant([[True, False], [True, True]])
    images = tf.constant(random.randint(0, 255, [2, 8, 6, 3]).astype("f") / 255)
    bytes_of = tf.constant(random.randint(0, 255, [8, 12, 3]).astype("u1"))
    ten = tf.constant(10)
    said = {"data": [x[0, 0], "said"], "summarize": 2, "message": "why"}
    jpeg = tf.image.encode_jpeg(bytes_of, quality=80)
    older = {"axis": None, "keep_dims": True, "reduction_indices": [1]}
    makers = {
        "accumulate": lambda: tf.accumulate_n([x, x], shape=[3, 4], tensor_dtype=tf.float32),
        "arg_max": lambda: tf.arg_max(x, 1, tf.int32),
        "arg_min": lambda: tf.arg_min(x, 0, output_type=tf.int32),
        "argmax": lambda: tf.argmax(x, dimension=1, output_type=tf.int32),
        "all": lambda: tf.reduce_all(truths, **older),
        "any": lambda: tf.reduce_any(truths, **older),
        "sum": lambda: tf.reduce_sum(x, **older),
        "mean": lambda: tf.reduce_mean(x, **older),
        "min": lambda: tf.reduce_min(x, **older),
        "max": lambda: tf.reduce_max(x, **older),
        "prod": lambda: tf.reduce_prod(x, **older),
        "logsumexp": lambda: tf.reduce_logsumexp(x, **older),
        "both names": lambda: tf.reduce_sum(x, axis=0, reduction_indices=1),
        "nonzero": lambda: tf.count_nonzero(input=whole, axis=1, keepdims=True, dtype=tf.int32),
        "nonzero, before": lambda: tf.count_nonzero(whole, None, True, tf.int64, None, [0]),
        "sparse sum": lambda: tf.sparse_reduce_sum(sparse, keep_dims=True, reduction_axes=[1]),
        "sparse max": lambda: tf.sparse_reduce_max(sparse, None, None, [0], True),
        "sparse sums": lambda: tf.sparse_reduce_sum_sparse(sparse, keepdims=True, axis=1).values,
        "sparse maxima": lambda: tf.sparse_reduce_max_sparse(sparse, reduction_axes=1).values,
        "sparse add": lambda: tf.sparse_add(sparse, other, thresh=0.2).values,
        "threshold": lambda: tf.sparse_add(sparse, other, threshold=0.05).indices,
        "sparse concat": lambda: (
            tf.sparse_concat(
                0, [sparse, tf.sparse_slice(other, [0, 0], [2, 2])], expand_nonconcat_dims=True
            ).dense_shape
        ),
        "sparse concat, before": lambda: (
            tf.sparse_concat(
                axis=None, sp_inputs=[sparse, other], concat_dim=1, expand_nonconcat_dim=True
            ).indices
        ),
        "sparse split": lambda: (
            tf.sparse_split(sp_input=sparse, num_split=3, split_dim=1)[2].values
        ),
        "sparse_to_dense": lambda: tf.sparse_to_dense(
            [[1], [0]], [3], [5.0, 6.0], default_value=-1.0, validate_indices=False
        ),
        "sparse_matmul": lambda: tf.sparse_matmul(
            x, square, transpose_a=True, transpose_b=True, a_is_sparse=True, b_is_sparse=True
        ),
        "matmul": lambda: tf.matmul(x, square, adjoint_a=True, transpose_b=True, a_is_sparse=True),
        "transpose": lambda: tf.matrix_transpose(tf.complex(square, square), conjugate=True),
        "solve": lambda: tf.matrix_solve(square, x, adjoint=True),
        "band": lambda: tf.matrix_band_part(x, 1, -1),
        "diag": lambda: tf.matrix_diag(x, k=1, num_rows=5, num_cols=6, padding_value=7.0),
        "diag_part": lambda: tf.matrix_diag_part(x, k=(-1, 1), padding_value=9.0),
        "strided": lambda: tf.strided_slice(
            x, [1, 0], [0, 3], [1, 2], begin_mask=1, end_mask=1, shrink_axis_mask=2
        ),
        "new axes": lambda: tf.strided_slice(x, [0, 0, 0], [2, 1, 3], new_axis_mask=2),
        "ellipsis": lambda: tf.strided_slice(x, [0, 1], [0, 3], ellipsis_mask=1),
        "one_hot": lambda: tf.one_hot([1, 2], 3, 5.0, -1.0, axis=0),
        "squeeze": lambda: tf.squeeze(x[:1], squeeze_dims=[0]),
        "expand": lambda: tf.expand_dims(x, dim=1),
        "norm": lambda: tf.norm(x, ord=1, axis=None, keep_dims=True),
        "unique": lambda: tf.unique_with_counts([3, 1, 3], out_idx=tf.int64).idx,
        "patches": lambda: tf.extract_image_patches(
            images, sizes=[1, 2, 2, 1], strides=[1, 2, 2, 1], rates=[1, 2, 1, 1], padding="SAME"
        ),
        "space": lambda: tf.space_to_batch(images, [[0, 0], [0, 0]], block_shape=[2, 2]),
        "batch": lambda: tf.batch_to_space(tf.tile(images, [2, 1, 1, 1]), [[1, 0], [0, 1]], 2),
        "substr": lambda: tf.substr(["h\u00e9llo"], 1, 2, unit="UTF8_CHAR"),
        "hash": lambda: tf.string_to_hash_bucket(string_tensor=["a", "b"], num_buckets=9),
        "base64": lambda: tf.encode_base64(["a", "ab"], pad=True),
        "raw": lambda: tf.decode_raw(["\x01\x02\x03\x04"], tf.int16, little_endian=False),
        "numbers": lambda: tf.string_to_number(["1", "-2"], out_type=tf.int64),
        "texts": lambda: tf.as_string([1.5, -2.0], 2, True, False, 12, "0"),
        "gradient of args": lambda: tf.fake_quant_with_min_max_args_gradient(
            x, x * 2.0, min=-1, max=1, num_bits=4, narrow_range=True
        ),
        "gradient of vars": lambda: tf.fake_quant_with_min_max_vars_gradient(
            x, x * 2.0, -1.0, 1.0, num_bits=4, narrow_range=True
        )[0],
        "by channel": lambda: tf.fake_quant_with_min_max_vars_per_channel(
            x, [-1.0] * 4, [0.5, 1.0, 1.5, 2.0], num_bits=5, narrow_range=True
        ),
        "quantized": lambda: tf.quantize_v2(x, -2.0, 2.0, tf.quint8, "MIN_FIRST")[1],
        "greater": lambda: tf.assert_greater(ten, 3, **said),
        "greater_equal": lambda: tf.assert_greater_equal(ten, 10, **said),
        "less_equal": lambda: tf.assert_less_equal(ten, 10, **said),
        "near": lambda: tf.assert_near(1.0, 1.05, rtol=0.1, **said),
        "negative": lambda: tf.assert_negative(-ten, **said),
        "non_negative": lambda: tf.assert_non_negative(ten, **said),
        "non_positive": lambda: tf.assert_non_positive(-ten, **said),
        "none_equal": lambda: tf.assert_none_equal(ten, 3, **said),
        "rank_at_least": lambda: tf.assert_rank_at_least(x, 1, **said),
        "rank_in": lambda: tf.assert_rank_in(x, [1, 2], **said),
        "wrong, of constants": lambda: tf.assert_none_equal(3, 3, **said),
        "wrong rank": lambda: tf.assert_rank_in(x, [1, 3], **said),
        "jpeg": lambda: tf.image.decode_jpeg(
            jpeg, 1, 2, False, True, 0.5, dct_method="INTEGER_ACCURATE"
        ),
        "cropped": lambda: tf.image.decode_and_crop_jpeg(
            jpeg, [1, 2, 4, 5], channels=3, acceptable_fraction=0.5, dct_method="INTEGER_ACCURATE"
        ),
        "shape": lambda: tf.image.extract_jpeg_shape(jpeg, tf.int64),
        "glimpse": lambda: tf.image.extract_glimpse(
            images, [3, 3], [[3.0, 2.0], [4.0, 3.0]], centered=False, normalized=False
        ),
        "suppressed": lambda: tf.image.non_max_suppression_padded(
            [[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 0.9], [2.0, 2.0, 3.0, 3.0]],
            [0.9, 0.8, 0.3],
            3,
            iou_threshold=0.95,
            score_threshold=0.5,
            pad_to_max_output_size=True,
        ),
        "area": lambda: tf.image.resize_area(images, [5, 7], align_corners=True),
        "bicubic": lambda: tf.image.resize_bicubic(images, [5, 7], align_corners=True),
        "nearest": lambda: tf.image.resize_nearest_neighbor(images, [5, 7], align_corners=True),
        "corners": lambda: tf.image.resize(images, [5, 7], 1, align_corners=True),
        "ratio": lambda: tf.image.resize(images, [5, 7], 2, preserve_aspect_ratio=True),
        "ssim": lambda: tf.image.ssim(images[0], images[1], 2.0, 5, 0.75, k1=0.02, k2=0.05),
        "seeds": lambda: [
            tf.image.random_brightness(images, 0.2, seed=1),
            tf.image.random_contrast(images, 0.2, 0.5, seed=2),
            tf.image.random_flip_left_right(images[0], seed=3),
            tf.image.random_saturation(images[0], 0.2, 0.5, seed=4),
        ],
        "partitions": lambda: tf.min_max_variable_partitioner(3, 1, 8, 4)(
            shape=tf.TensorShape([4, 6]), dtype=tf.string
        ),
        "sizes": lambda: tf.variable_axis_size_partitioner(64, 1, 8, 3)(
            shape=tf.TensorShape([4, 6]), dtype=tf.string
        ),
    }
    made, facts, checks = [], {}, []
    for name, make in sorted(makers.items()):
        try:
            value = make()
        except (TypeError, ValueError, tf.errors.InvalidArgumentError) as error:
            facts[name] = [type(error).__name__, str(error)]
            continue
        if isinstance(value, tf.Operation):
            checks.append(value)
        elif value is None or (isinstance(value, list) and isinstance(value[0], int)):
            facts[name] = value
        else:
            made += [value]
    updates = []
    for resource in (False, True):
        for locked in (False, True):
            names = (
                "add",
                "sub",
                "mul",
                "div",
                "max",
                "min",
                "update",
                "nd_add",
                "nd_sub",
                "nd_update",
            )
            for name in names:
                v = tf.get_variable(
                    f"v_{name}_{resource}_{locked}",
                    initializer=[1.0, 2.0, 3.0],
                    use_resource=resource,
                )
                indices = [[0], [2]] if name.startswith("nd_") else [0, 2]
                scatter = getattr(tf, f"scatter_{name}")
                updates.append(scatter(v, indices, [4.0, 0.5], use_locking=locked))
    return {
        "facts": facts,
        "steps": [
            ("made", made),
            ("checks", checks),
            ("start", tf.global_variables_initializer()),
            ("updates", updates),
        ],
    }
