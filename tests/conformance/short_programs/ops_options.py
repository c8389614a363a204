"""Functions of tf itself, tf.image, tf.math, tf.sparse, tf.strings, tf.ragged: an option a program."""

import numpy as np

from tests.conformance.short_programs import rows

MATH = """
tf.?(A(R), 0) | reduce_sum | reduce_mean | reduce_max | reduce_min | reduce_prod | reduce_logsumexp | argmax | argmin
    | cumsum | cumprod | reverse_v2
tf.?(A(R), axis=1, keepdims=True, name="n") | reduce_sum | reduce_mean | reduce_max | reduce_min | reduce_prod
    | reduce_logsumexp
tf.?(A(R), keep_dims=True) | reduce_sum | reduce_mean | reduce_max | reduce_min | reduce_prod | reduce_logsumexp
tf.?(A(R), reduction_indices=[0]) | reduce_sum | reduce_mean | reduce_max | reduce_min | reduce_prod | reduce_logsumexp
tf.?(A(R), axis=0, reduction_indices=[0]) | reduce_sum | reduce_mean | reduce_max | reduce_min | reduce_prod
    | reduce_logsumexp
tf.?(A(R), axis=[]) | reduce_sum | reduce_mean | reduce_max | reduce_min | reduce_prod | reduce_logsumexp
tf.?(A(R), axis=2) | reduce_sum | reduce_mean | reduce_max | reduce_min | reduce_prod | reduce_logsumexp | argmax
    | argmin | cumsum | cumprod | expand_dims | squeeze
tf.?(A(R > 0), axis=1, keepdims=True, name="n") | reduce_all | reduce_any
tf.?(A(R > 0), keep_dims=True) | reduce_all | reduce_any
tf.?(A(R), axis=1, exclusive=True, reverse=True, name="n") | cumsum | cumprod | math.cumulative_logsumexp
tf.?(A(R), axis=1, reverse=True) | cumsum | cumprod
tf.?(A(R), 1, output_type=tf.int32, name="n") | argmax | argmin
tf.?(A(R), dimension=1) | argmax | argmin
tf.?(A(R), axis=1, dimension=1) | argmax | argmin
tf.?(A(R), output_type=tf.float32) | argmax | argmin
tf.matmul(A(R), A(R), ?) | transpose_a=True | transpose_b=True | adjoint_a=True | adjoint_b=True
    | transpose_a=True, a_is_sparse=True | transpose_b=True, b_is_sparse=True | transpose_a=True, name="n"
    | transpose_a=True, adjoint_a=True | transpose_b=True, adjoint_b=True
tf.matmul(A(X3), A(X3), ?) | transpose_b=True | adjoint_b=True | transpose_a=True | transpose_a=True, transpose_b=True
tf.tensordot(A(R), A(R), ?) | 0 | [[0], [0]] | [[0, 1], [0, 1]] | [[0], [0]], "n" | 5 | [[0], [0, 1]] | -1
tf.norm(A(R), ?) | 1 | 2 | "fro" | 1, 0 | 2, axis=1, keepdims=True | np.inf, 1 | 3, 0 | ord="euclidean", axis=[0, 1]
    | 1, axis=[0, 1] | np.inf, axis=[0, 1] | 2, 0, name="n" | 2, 0, keep_dims=True | "some" | -1 | 1, axis=[0, 1, 2]
tf.? | add_n([A(R), A(R)], "n") | add_n([]) | accumulate_n([A(R), A(R)], [2, 3], tf.float32, "n")
    | accumulate_n([A(R), A(R)], [3, 3]) | accumulate_n([A(R)], tensor_dtype=tf.int32) | bincount([1, 1, 3], None, 2)
    | bincount([1, 1, 3], maxlength=2) | bincount([1, 3], [0.5, 2.0], 5, 5) | bincount([1], dtype=tf.int64)
    | histogram_fixed_width([0.1, 0.9], [0.0, 1.0], 2)
    | histogram_fixed_width([0.1], [0.0, 1.0], dtype=tf.int64, name="n")
    | histogram_fixed_width_bins([0.1, 5.0], [0.0, 1.0], 3, name="n") | linspace(0.0, 1.0, 3, "n")
    | linspace(0.0, 1.0, 0) | range(5, delta=2, name="n") | range(1, 5, 2, tf.float32) | range(5, 1, -2)
    | range(1, 5, 0) | range(1, 5, -1) | clip_by_value(A(R), -0.1, 0.1, "n") | clip_by_value(A(R), 0.1, -0.1)
    | clip_by_norm(A(R), 0.5, 0) | clip_by_norm(A(R), 0.5, name="n") | clip_by_average_norm(A(R), 0.01, "n")
    | clip_by_global_norm([A(R), None], 0.5, 2.0, "n") | clip_by_global_norm([A(R)], 0.5)
    | clip_by_global_norm(A(R), 0.5) | global_norm([A(R), None], "n") | global_norm([])
    | confusion_matrix([0, 1], [1, 1], 3, tf.float32, "n", [0.5, 2.0]) | confusion_matrix([0, 1], [1, 3], 2)
    | equal(A(R), A(R), "n") | not_equal(A(R), 1.0, "n") | complex(1.0, 2.0, "n") | complex(1.0, A(2.0, tf.float64))
    | lbeta([1.0, 2.0], "n")
tf.math.? | polyval([A(1.0), A(2.0)], 3.0, "n") | polyval(3, 1.0) | top_k(A(R), 2, False, "n")
    | in_top_k(A(R), [0, 1], 1, "n") | unsorted_segment_sqrt_n(A(R), [0, 1], 3, "n") | zero_fraction(A(R), "n")
    | l2_normalize(A(R), 1, 0.5, "n") | reduce_std(A(R), 0, True, "n") | reduce_variance(A(R), 0, True, "n")
    | reduce_euclidean_norm(A(R), 0, True, "n") | count_nonzero(A(R), 0, True, tf.int32, "n")
    | count_nonzero(A(R), reduction_indices=0) | count_nonzero(A(R), keep_dims=True) | count_nonzero(input=A(R))
    | confusion_matrix([0, 1], [1, 1], num_classes=3) | divide_no_nan(1.0, 0.0, "n") | multiply_no_nan(1.0, 0.0, "n")
    | is_strictly_increasing([1, 1], "n") | is_non_decreasing([1, 1], "n") | softmax(A(R), 0, "n")
    | log_softmax(A(R), 0, "n") | bessel_i0(A(R), "n") | nextafter(1.0, 2.0, "n") | invert_permutation([1, 0], "n")
    | segment_sum(A(R), [0, 0], "n") | segment_sum(A(R), [1, 0]) | segment_sum(A(R), [-1, 0])
    | unsorted_segment_sum(A(R), [0, -1], 2) | unsorted_segment_sum(A(R), [0, 2], 2)
    | argmax(A(R), 0, "n", output_type=tf.int32)
tf.sparse_segment_sum(A(R), [0, 1], [0, 2], ?) | name="n" | num_segments=4 | num_segments=1
tf.sparse_segment_mean(A(R), [0, 1], [0, 2], ?) | name="n" | num_segments=4
tf.sparse_segment_sqrt_n(A(R), [0, 1], [0, 2], ?) | name="n" | num_segments=4
"""
ARRAYS = """
tf.? | transpose(A(R), [1, 0], "n") | transpose(A(R), conjugate=True) | transpose(A(R), [0]) | transpose(A(R), [0, 2])
    | matrix_transpose(A(X3), "n", True) | concat([A(R), A(R)], 1, "n") | concat(A(R), 0) | concat([A(R)], 5)
    | concat([], 0) | stack([A(R), A(R)], 2, "n") | stack([A(R)], 4) | stack([]) | unstack(A(R), 2, 0, "n")
    | unstack(A(R), axis=1) | unstack(A(R), 3) | unstack(A(R), axis=4) | unstack(tf.placeholder(tf.float32))
    | split(A(R), 3, 1, name="n") | split(A(R), [1, 2], 1) | split(A(R), [1, 1], 1) | split(A(R), 2, 1)
    | split(A(R), [1, -1], 1, 2) | split(A(R), tf.placeholder(tf.int32), 1) | tile(A(R), [1, 0], "n") | tile(A(R), [1])
    | tile(A(R), [-1, 1]) | expand_dims(A(R), 1, "n") | expand_dims(A(R), dim=1) | expand_dims(A(R))
    | expand_dims(A(R), 1, dim=1) | squeeze(A(R[:1]), [0], "n") | squeeze(A(R[:1]), squeeze_dims=[0])
    | squeeze(A(R), [0]) | pad(A(R), [[1, 0], [0, 2]], name="n") | pad(A(R), [[1, 0], [0, 2]], constant_values=3.0)
    | pad(A(R), [[1, 0], [0, 2]], "reflect") | pad(A(R), [[1, 0], [0, 2]], "SYMMETRIC") | pad(A(R), [[1, 0]], "some")
    | pad(A(R), [[1, 0]]) | pad(A(R), [[2, 0], [0, 0]], "REFLECT") | pad(A(R), [[-1, 0], [0, 0]])
    | gather(A(R), [0, 1], name="n") | gather(A(R), [2, 0], axis=1) | gather(A(R), [[0]], validate_indices=False)
    | gather(A(R), [5]) | gather(A(R), [-1]) | gather(A(X3), [[0], [1]], axis=1, batch_dims=1)
    | gather(A(R), [0], axis=5) | gather_nd(A(R), [[1, 2]], "n") | gather_nd(A(R), [[1, 5]])
    | gather_nd(A(X3), [[[0]], [[1]]], batch_dims=1) | batch_gather(A(R), [[0], [1]], "n")
    | one_hot([0, 2], 3, name="n") | one_hot([0, 2], 3, 5.0, -1.0) | one_hot([0, 2], 3, axis=0)
    | one_hot([0, 2], 3, dtype=tf.int64) | one_hot([0, 5, -1], 3) | one_hot([0], 3, 1, 2.0) | one_hot([0], 0)
    | one_hot([0], -1) | one_hot([0], 3, axis=3) | one_hot([0], 3, on_value=2, dtype=tf.float32) | eye(2, 3, name="n")
    | eye(2, batch_shape=[2], dtype=tf.int32) | eye(0) | eye(-1) | fill([2], 3, "n") | fill([-1], 3)
    | zeros([2], tf.int32, "n") | ones([2], tf.int32, "n") | zeros_like(A(R), tf.int32, "n", False)
    | ones_like(A(R), tf.int32, "n", False) | zeros_like(tf.placeholder(tf.float32, [2, None]), optimize=True)
    | zeros([2], tf.string) | ones([2], tf.string) | shape(A(R), "n", tf.int64) | size(A(R), "n", tf.int64)
    | rank(A(R), "n") | shape_n([A(R)], tf.int64, "n") | shape(input=A(R)) | slice(A(R), [0, 1], [1, -1], "n")
    | slice(A(R), [0, 1], [5, 1]) | strided_slice(A(R), [0], [2], [1], name="n")
    | strided_slice(A(R), [0, 0], [1, 1], begin_mask=1, end_mask=2)
    | strided_slice(A(R), [0, 0], [1, 1], shrink_axis_mask=1, new_axis_mask=2)
    | strided_slice(A(R), [0, 0], [1, 1], ellipsis_mask=1) | strided_slice(A(R), [0], [1], [0])
    | reverse_sequence(A(R), [1, 2], 1, name="n") | reverse_sequence(A(R), [1, 2, 1], 0, 1)
    | reverse_sequence(A(R), [1, 2], seq_dim=1, batch_dim=0) | reverse_sequence(A(R), [1, 5], 1)
    | sequence_mask([1, 3], 4, tf.int32, "n") | sequence_mask([1, 3]) | sequence_mask([1], maxlen=0)
    | sequence_mask([1], tf.constant([2])) | unique([1, 1, 2], tf.int64, "n")
    | unique_with_counts([1, 1, 2], tf.int64, "n") | where([True, False], name="n")
    | where([True, False], [1, 2], [3, 4], "n") | where([True], [1]) | where([True, False], [1], [3])
    | boolean_mask(A(R), [True, False], "n") | boolean_mask(A(R), [True, False, True], axis=1)
    | boolean_mask(A(R), True) | boolean_mask(A(R), [True]) | meshgrid([1, 2], [3], indexing="ij", name="n")
    | meshgrid([1, 2], [3], indexing="xx") | searchsorted([1, 3, 5], [3], "right", tf.int64, "n")
    | searchsorted([1], [2], "some") | sort([3, 1], -1, "DESCENDING", "n")
    | argsort([3, 1], -1, "DESCENDING", True, "n") | sort([3], direction="SOME") | sort(A(R), 0)
    | repeat([1, 2], [2, 0], 0, "n") | repeat(A(R), 2) | repeat(A(R), [1, 2, 0], axis=1) | roll(A(R), 1, 1, "n")
    | roll(A(R), [1, -1], [0, 1]) | roll(A(R), 1, 5) | edit_distance(SPARSE(), SPARSE(), False, "n")
    | edit_distance(SPARSE(), SPARSE()) | matrix_band_part(A(R), 0, 1, "n") | matrix_band_part(A(R), -2, 1)
    | matrix_band_part(A(R), 5, 1) | matrix_diag(A(R), name="n") | matrix_diag(A(R), k=1) | matrix_diag_part(A(R), "n")
    | matrix_diag_part(A(R), k=1, padding_value=9.0) | matrix_set_diag(A(R), [1.0, 2.0], "n")
    | matrix_set_diag(A(R), [1.0, 2.0], k=1) | diag([1, 2], "n") | diag_part(A(R[:, :2]), "n") | trace(A(R), "n")
    | extract_image_patches(A(X4), [1, 2, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1], "SAME", "n")
    | extract_image_patches(A(X4), sizes=[1, 2, 2, 1], strides=[1, 1, 1, 1], rates=[1, 2, 2, 1], padding="VALID")
    | space_to_batch(A(X4), [[0, 0], [0, 0]], 2, "n")
    | batch_to_space(A(np.tile(X4, (2, 1, 1, 1))), [[0, 0], [0, 0]], 2, "n")
    | space_to_batch_nd(A(X4), [2, 3], [[0, 0], [0, 0]], "n") | space_to_depth(A(X4), 2, "n", "NHWC")
    | depth_to_space(A(X4), 2, "n", "NHWC") | broadcast_to(A(1), [2], "n")
    | broadcast_static_shape(tf.TensorShape([2]), tf.TensorShape([3])) | guarantee_const(A(1), "n")
    | quantize(A(R), -1.0, 1.0, tf.qint8, "SCALED", "HALF_TO_EVEN", "n")[1]
    | quantize_v2(A(R), -1.0, 1.0, tf.quint8, "MIN_FIRST")[1]
    | dequantize(tf.constant([3], tf.quint8) if 0 else tf.cast([3], tf.quint8), 0.0, 1.0, "SCALED", "n")
    | fake_quant_with_min_max_args(A(R), -1, 1, 4, True, "n")
    | fake_quant_with_min_max_vars(A(R), -1.0, 1.0, 4, True, "n")
    | fake_quant_with_min_max_vars_per_channel(A(R), [-1.0] * 3, [1.0] * 3, 4, True, "n")
    | fake_quant_with_min_max_args(A(R), 1, -1) | fake_quant_with_min_max_args(A(R), -1, 1, 1)
    | fake_quant_with_min_max_args(A(R), -1, 1, 17) | bitcast(A(R), tf.int32, "n") | bitcast(A(R), tf.int64)
    | cast(A(R), tf.int32, "n") | saturate_cast(A(300), tf.uint8, "n") | identity(A(R), "n") | identity_n([A(R)], "n")
    | constant([1, 2], tf.float32, [2, 2], "n") | constant([1, 2], shape=[3])
    | constant(1, shape=[2], verify_shape=True) | constant([1, 2], shape=[2, 2], verify_shape=True)
    | convert_to_tensor([1], tf.float32, "n") | convert_to_tensor([1], preferred_dtype=tf.float32)
    | convert_to_tensor(["a"], dtype_hint=tf.float32) | convert_to_tensor_or_indexed_slices([1], tf.float32, "n")
    | convert_to_tensor_or_sparse_tensor(tf.SparseTensorValue([[0]], [1], [2]), tf.int32, "n")
    | convert_to_tensor_or_sparse_tensor(SPARSE(), tf.float32) | placeholder_with_default([1], [None], "n")
    | placeholder(tf.float32, [2], "n") | unravel_index([3], [2, 2], "n") | scatter_nd([[1]], [2], [3], "n")
    | scatter_nd([[5]], [2], [3]) | tensor_scatter_nd_update(A(R), [[0, 0]], [9.0], "n")
    | tensor_scatter_nd_add(A(R), [[0, 0]], [9.0], "n") | tensor_scatter_nd_sub(A(R), [[0, 0]], [9.0], "n")
    | dynamic_partition(A(R), [0, 1], 2, "n") | dynamic_partition(A(R), [0, 2], 2)
    | dynamic_stitch([[0], [1]], [[5], [6]], "n") | parallel_stack([A(1), A(2)], "n")
    | setdiff1d([1, 2], [2], tf.int64, "n") | required_space_to_batch_paddings([3], [2], [[0, 0]], "n")
    | ensure_shape(A(R), [2, None], "n") | ensure_shape(A(R), [3, 3]) | no_op("n") | stop_gradient(A(R), "n")
    | check_numerics(A(R), "m", "n") | check_numerics(A(np.array(np.nan, "f")), "m")
A(R)[?] | 0 | :, 1 | ..., 0 | tf.newaxis, 0 | 0:1, ::2 | ::-1 | 5 | -1 | -3 | 1:0 | A(1) | A(0):A(1) | 0, 0, 0 | "a"
    | 1.5 | None | :: 0 | A(R > 0)
"""
TEXTS = """
tf.decode_raw(["ab"], ?) | tf.uint8 | tf.uint16, False | tf.int16, True, "n" | tf.float32 | tf.string
tf.decode_raw(?) | input_bytes=["ab"], out_type=tf.uint8 | bytes=["ab"], out_type=tf.uint8 | out_type=tf.uint8
tf.strings.? | join(["a", ["b", "c"]], "-", "n") | join([]) | length(["aé"], "n", "UTF8_CHAR")
    | length(["a"], unit="SOME") | substr(["aéb"], 1, 1, "n", "UTF8_CHAR") | substr("ab", 3, 1) | substr("ab", -1, 1)
    | substr("ab", -3, 1) | substr("ab", 0, -1) | regex_replace("aab", "a", "c", False, "n")
    | regex_replace("a", "(", "") | regex_full_match("a", "a.", "n") | reduce_join([["a", "b"]], 1, True, "-", "n")
    | reduce_join([["a", "b"]], 0) | reduce_join(["a"], 5) | reduce_join([["a", "b"]], keep_dims=True, axis=1)
    | reduce_join([["a"]], reduction_indices=[0]) | split(["a b"], sep=" ", result_type="RaggedTensor")
    | split(["a b c"], maxsplit=1) | split(["a,b"], ",") | split(input=["a b"], name="n")
    | split(["a"], result_type="Some") | strip([" a "], "n") | lower(["Aé"], name="n") | upper(["aé"], "utf-8", "n")
    | lower(["A"], encoding="some") | to_hash_bucket(["a"], 5, "n") | to_hash_bucket_fast(["a"], 5, "n")
    | to_hash_bucket_strong(["a"], 5, [1, 2], "n") | to_hash_bucket_fast(["a"], 0)
    | to_hash_bucket_strong(["a"], 5, [1]) | to_number(["1.5"], tf.float64, "n") | to_number(["x"])
    | to_number(["1.5"], tf.int32) | to_number(["1"], tf.string) | as_string([1.5], precision=2, name="n")
    | as_string([1.5], scientific=True) | as_string([1.5], shortest=True) | as_string([1], width=5)
    | as_string([1], width=5, fill="0") | as_string([True], width=3) | as_string([1], precision=2)
    | as_string([1.5], scientific=True, shortest=True) | as_string([1.5], fill="ab") | as_string([1], fill="0")
    | format("{}", [A(R)], "{}", 1, "n") | format("a{}b{}", [1, 2]) | format("{}", [1, 2]) | format("%%", [1], "%%")
    | ngrams([["a", "b", "c"]], 2, "-", name="n") | ngrams([["a", "b"]], [1, 2]) | ngrams([["a"]], 3, pad_values="x")
    | ngrams([["a"]], 3, pad_values=("l", "r"), padding_width=1) | ngrams([["a"]], 3, preserve_short_sequences=True)
    | ngrams([["a"]], 0) | ngrams([["a"]], 2, padding_width=1)
    | unicode_decode(["aé"], "UTF-8", "ignore", 5, True, "n") | unicode_decode([b"a\\xff"], "UTF-8", "strict")
    | unicode_decode([b"a\\xff"], "UTF-8", replacement_char=63) | unicode_decode(["a"], "SOME")
    | unicode_decode(["a"], "UTF-8", "some") | unicode_decode_with_offsets(["aé"], "UTF-8", "replace", 63, True, "n")
    | unicode_encode([97, 55555], "UTF-16-BE", "replace", 63, "n") | unicode_encode([97], "SOME")
    | unicode_encode([55555], "UTF-8", "strict") | unicode_split(["aé"], "UTF-8", "ignore", 5, "n")
    | unicode_split_with_offsets(["aé"], "UTF-8", "ignore", 5, "n")
    | unicode_transcode([b"a\\xff"], "UTF-8", "UTF-16-BE", "replace", 63, True, "n")
    | unicode_transcode(["a\\n"], "UTF-8", "UTF-8", replace_control_characters=True) | unicode_script([97], "n")
    | bytes_split(["ab"], "n")
tf.? | string_to_number(["1"], tf.int64, "n") | string_to_number(string_tensor=["1"]) | string_to_number(input=["1"])
    | string_split(["a b"], " ", False, None, "SparseTensor", "n") | string_split(["a  b"], skip_empty=False)
    | string_split(["a b"], delimiter=" ", result_type="RaggedTensor") | string_split(source=["a,b"], sep=",")
    | string_split(["a"], sep=",", delimiter=",") | string_split(["ab"], "")
    | string_join(["a", "b"], separator="-", name="n") | substr("abc", 1, 1, "n")
    | reduce_join(["a", "b"], 0, False, "-", "n") | string_strip([" a"], name="n")
    | string_to_hash_bucket(["a"], 5, "n") | string_to_hash_bucket(input=["a"], num_buckets=5)
    | string_to_hash_bucket(string_tensor=["a"], num_buckets=5) | as_string([1.5], 3, False, False, -1, "", "n")
    | encode_base64("a", True, "n") | decode_base64("YQ", "n") | decode_base64("?", "n")
    | decode_json_example(["{}"], "n") | decode_compressed(["a"], "", "n") | decode_compressed(["a"], "GZIP")
    | decode_compressed(["a"], "SOME") | decode_csv(["1,,3"], [[1], [2], [3]]) | decode_csv(["1;2"], [[1], [2]], ";")
    | decode_csv(['"1",2'], [[1], [2]], use_quote_delim=False) | decode_csv(["1,NA"], [[1], [7]], na_value="NA")
    | decode_csv(["1,2,3"], [[0], [0]], select_cols=[0, 2]) | decode_csv(["1"], [[1]], name="n")
    | decode_csv(["a"], [[1]]) | decode_csv(["1,2"], [[1]]) | decode_csv([","], [[1], []])
    | decode_csv(["1"], [[1]], select_cols=[1, 0]) | decode_csv(["1"], [[1]], ",,") | serialize_tensor(A(1), "n")
    | parse_tensor(tf.serialize_tensor(A(1)), tf.int32, "n") | parse_tensor("", tf.int32)
    | parse_tensor(tf.serialize_tensor(A(1)), tf.float32)
"""
SPARSES = """
built(tf.?) | sparse_placeholder(tf.float32, [2, 3], "n").dense_shape | sparse_placeholder(tf.float32).values
    | sparse.placeholder(tf.int32, [2], "n").indices
tf.sparse.? | eye(2, name="n") | eye(2, num_columns=3, dtype=tf.int32) | eye(0)
    | split(sp_input=SPARSE(), num_split=2, axis=1) | split(SPARSE(), 2, 0, "n")
    | split(sp_input=SPARSE(), num_split=5, axis=1) | concat(0, [SPARSE(), SPARSE()], "n")
    | concat(1, [SPARSE()], expand_nonconcat_dim=True) | concat(0, []) | add(SPARSE(), SPARSE())
    | add(SPARSE(), SPARSE(), 2) | add(SPARSE(), SPARSE(), thresh=2) | add(3, SPARSE()) | reorder(SPARSE(), "n")
    | reshape(SPARSE(), [4], "n") | reshape(SPARSE(), [3]) | reshape(SPARSE(), [-1, -1])
    | reduce_sum(SPARSE(), 0, True) | reduce_max(SPARSE(), 1) | reduce_sum(SPARSE(), 5)
    | reduce_sum(SPARSE(), reduction_axes=[0]) | reduce_sum(SPARSE(), keep_dims=True)
    | reduce_sum_sparse(SPARSE(), 0, True) | reduce_max_sparse(SPARSE(), 1) | to_dense(SPARSE(), 7, False, "n")
    | to_indicator(SPARSE(), 5, "n") | to_indicator(SPARSE(), 1) | reset_shape(SPARSE(), [3, 3])
    | reset_shape(SPARSE(), [1, 1]) | reset_shape(SPARSE(), [3]) | retain(SPARSE(), [True, False])
    | retain(SPARSE(), [True]) | fill_empty_rows(SPARSE(), 7, "n") | slice(SPARSE(), [0, 0], [1, 2], "n")
    | transpose(SPARSE(), [1, 0], "n") | transpose(SPARSE()) | mask(tf.IndexedSlices(A(R), A([0, 1])), [0], "n")
    | merge(SPARSE(), SPARSE(), 5, "n", True) | merge(SPARSE(), SPARSE(), [5])
    | matmul(FLOATS(), A(R[:, :2]), True, True, "n") | matmul(FLOATS(), A(R), adjoint_a=True)
    | matmul(FLOATS(), A(R[:, :2]), adjoint_b=True) | softmax(FLOATS(), "n") | maximum(SPARSE(), SPARSE(), "n")
    | minimum(SPARSE(), SPARSE(), "n") | cross([SPARSE(), A([[1, 2], [3, 4]])], "n")
    | cross_hashed([SPARSE(), SPARSE()], 5, 3, "n") | expand_dims(SPARSE(), 1, "n") | expand_dims(SPARSE(), 5)
    | from_dense([[0, 1]], "n") | segment_sum(A(R), [0, 1], [0, 0], "n", 3) | sparse_dense_matmul(FLOATS(), A(R))
tf.? | sparse_split(keyword_required=3, sp_input=SPARSE(), num_split=2, axis=1)
    | sparse_split(sp_input=SPARSE(), num_split=2, split_dim=1, name="n")
    | sparse_split(sp_input=SPARSE(), num_split=2) | sparse_merge(SPARSE(), SPARSE(), 5, already_sorted=True)
    | sparse_merge(SPARSE(), FLOATS(), 5, "n") | sparse_concat(0, [SPARSE()], concat_dim=0)
    | sparse_concat(0, [SPARSE(), SPARSE()], None, True) | sparse_to_dense([[0]], [2], 5, 7, False, "n")
    | sparse_to_dense([[1], [0]], [2], [5, 6]) | sparse_to_dense([[5]], [2], 5)
    | sparse_tensor_to_dense(SPARSE(), 7, True, "n") | sparse_reduce_sum(SPARSE(), 0, True)
    | sparse_reduce_sum_sparse(SPARSE(), [0]) | sparse_matmul(A(R), A(R), transpose_b=True)
    | sparse_matmul(A(R), A(R), True, False, True, True, "n") | serialize_sparse(SPARSE(), "n")
    | serialize_sparse(SPARSE(), out_type=tf.variant) | serialize_many_sparse(SPARSE(), "n")
    | deserialize_many_sparse(tf.serialize_many_sparse(SPARSE()), tf.int32, 2, "n")
    | sparse_add(SPARSE(), SPARSE(), thresh=1) | SparseTensor([[0]], [1], [2, 2]) | SparseTensor([[0]], [1, 2], [2])
    | IndexedSlices(A(R), A([0]), A([2, 3])).dense_shape | sparse_mask(tf.IndexedSlices(A(R), A([0, 1])), [1])
tf.ragged.? | range([3, 1], [5, 4], [1, 2], name="n") | range([3], deltas=2) | range([3], dtype=tf.float32)
    | range([3], row_splits_dtype=tf.int32).row_splits | range(3, 1, -1) | range(3, 5, 0)
    | constant([[1], []], tf.float32, 1, None, "n") | constant([[[1, 2]]], inner_shape=(2,))
    | constant([[[1, 2]]], ragged_rank=1) | constant([[1]], row_splits_dtype=tf.int32).row_splits | constant([[1], 2])
    | constant([[1]], ragged_rank=5) | constant_value([[1], []], np.float32, 1) and 0
    | str(constant_value([[[1, 2]]], inner_shape=(2,)))
    | str(tf.ragged.constant_value([[1]], row_splits_dtype="int32")) | placeholder(tf.int32, 1, [2], "n")
    | stack([[1], [2]], 1, "n") | stack([[1], [2]]) | boolean_mask([[1, 2]], [[True, False]], "n")
    | map_flat_values(tf.add, tf.ragged.constant([[1], []]), 1)
tf.RaggedTensor.? | from_row_splits([1, 2], [0, 1, 2], "n") | from_row_splits([1, 2], [0, 3])
    | from_row_splits([1, 2], [1, 2]) | from_row_splits([1, 2], [0, 1, 2], validate=False)
    | from_row_lengths([1, 2], [2, 0], "n") | from_row_lengths([1, 2], [3]) | from_row_lengths([1, 2], [-1, 3])
    | from_row_starts([1, 2], [0, 1], "n") | from_row_starts([1, 2], [1]) | from_row_limits([1, 2], [1, 2], "n")
    | from_row_limits([1, 2], [1]) | from_value_rowids([1, 2], [0, 2], 4, "n") | from_value_rowids([1, 2], [2, 0])
    | from_value_rowids([1, 2], [0, 3], 2) | from_nested_row_splits([1, 2], [[0, 1], [0, 2]], "n")
    | from_nested_row_lengths([1, 2], [[1], [2]], "n") | from_nested_value_rowids([1, 2], [[0], [0, 0]], [3, 1], "n")
    | from_nested_value_rowids([1, 2], [[0], [0, 0]], nested_nrows=[3]) | from_tensor([[1, 0]], [1], name="n")
    | from_tensor([[1, 0]], padding=0) | from_tensor([[[1, 0]]], ragged_rank=2) | from_tensor([[1, 0]], [1], 0)
    | from_tensor([1]) | from_tensor([[1, 0]], row_splits_dtype=tf.int32).row_splits | from_sparse(SPARSE(), "n")
    | from_sparse(SPARSE(), row_splits_dtype=tf.int32).row_splits
RAGGED().? | to_tensor(7, "n") | to_tensor("a") | to_sparse("n") | row_lengths(1, "n") | row_lengths(2)
    | nested_row_lengths("n") | nrows(tf.int32, "n") | row_starts("n") | row_limits("n") | value_rowids("n")
    | bounding_shape(1, "n") | bounding_shape(out_type=tf.int32) | bounding_shape([0, 1]) | with_values([1, 2, 3])
    | with_values([1]) | with_flat_values([1, 2, 3]) | with_row_splits_dtype(tf.int32).row_splits | consumers()
    | shape.as_list()
tf.linalg.LinearOperatorZeros(?).to_dense() | 2 | 2, num_columns=3 | 2, batch_shape=[2] | 2, dtype=tf.float64
    | 2, is_square=False, num_columns=2 | -1 | 2, num_columns=3, is_square=True | 2, assert_proper_shapes=True
    | 2, is_non_singular=True | 2, name="n"
tf.linalg.LinearOperatorIdentity(?).to_dense() | 2 | 2, [2] | 2, dtype=tf.float64
    | 2, assert_proper_shapes=True, name="n" | -1 | 2, is_non_singular=False | 2, is_self_adjoint=False
tf.linalg.LinearOperatorScaledIdentity(?).to_dense() | 2, 3.0 | 2, [1.0, 2.0]
    | 2, 3.0, assert_proper_shapes=True, name="n" | 2, 3
tf.linalg.LinearOperatorDiag(?).to_dense() | [1.0, 2.0] | [1.0, 2.0], name="n" | [1.0, 2.0], is_self_adjoint=False
    | 1.0
tf.linalg.? | cholesky_solve([[2.0]], [[3.0]], "n")
    | triangular_solve([[2.0, 0.0], [1.0, 3.0]], [[1.0], [2.0]], True, True, "n")
    | triangular_solve([[2.0, 0.0], [1.0, 3.0]], [[1.0], [2.0]], lower=False)
    | triangular_solve([[2.0, 1.0], [1.0, 3.0]], [[1.0], [2.0]], adjoint=True)
    | lstsq([[1.0], [2.0]], [[3.0], [4.0]], 0.5) | lstsq([[1.0], [2.0]], [[3.0], [4.0]], fast=False, name="n")
    | solve([[2.0, 1.0], [0.0, 1.0]], [[1.0], [2.0]], True, "n") | inv([[2.0, 1.0], [0.0, 1.0]], True, "n")
    | svd([[2.0, 0.0], [0.0, 1.0]], compute_uv=False, name="n") | svd([[2.0, 0.0, 1.0]], True, compute_uv=False)
    | qr([[2.0], [1.0]], True, "n")[1].shape | einsum("ij->ji", A(R), name="n") | einsum("ij,jk", A(R), A(R.T))
    | einsum("ij,ij", A(R)) | einsum("i", A(R)) | einsum("ij->k", A(R)) | tensor_diag([1, 2], "n")
    | matvec(A(R), A(R[0]), name="n") | matvec(A(R), A(R[:, 0]), True) | matvec(A(R), A(R[:, 0]), adjoint_a=True)
    | matvec(A(R), A(R[0]), a_is_sparse=True) | matvec(A(R), A(R[0]), b_is_sparse=True) | expm([[0.0]], "n")
    | band_part(A(R), 1, 0) | diag([1, 2], name="n") | set_diag(A(R), [1.0, 2.0], "n")
    | cross([[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]], "n") | lu([[2.0, 1.0], [1.0, 3.0]], tf.int64, "n")
    | tridiagonal_solve([[0.0, 1.0], [2.0, 3.0], [1.0, 0.0]], [1.0, 2.0], "compact", False, False, "n")
    | tridiagonal_solve(([1.0, 0.0], [2.0, 3.0], [0.0, 1.0]), [1.0, 2.0], "sequence")
    | tridiagonal_solve([[2.0, 1.0], [1.0, 3.0]], [1.0, 2.0], "matrix")
    | tridiagonal_solve([[0.0, 1.0], [2.0, 3.0], [1.0, 0.0]], [[1.0, 2.0]], transpose_rhs=True)
    | tridiagonal_solve([[0.0, 1.0], [2.0, 3.0], [1.0, 0.0]], [1.0, 2.0], "some")
    | tridiagonal_matmul([[0.0, 1.0], [2.0, 3.0], [1.0, 0.0]], [[1.0], [2.0]], "compact", "n")
    | global_norm([A(R)], "n") | logdet([[2.0]], "n") | slogdet([[-2.0]], "n") | norm(A(R), 1, 0, "n")
    | transpose(A(R), "n") | adjoint(A(R), "n") | eigh([[2.0]], "n") | eigvalsh([[2.0]], "n") | sqrtm([[4.0]], "n")
    | trace(A(R), "n")
"""
IMAGES = """
I.encode_jpeg(PICTURE, ?) | quality=5 | optimize_size=True | x_density=10, y_density=20 | format="grayscale"
    | progressive=True | chroma_downsampling=False | density_unit="cm" | density_unit="some" | xmp_metadata="x"
    | name="n" | quality=101 | quality=-1 | format="some"
I.encode_png(PICTURE, ?) | compression=10 | -2
I.decode_jpeg(I.encode_jpeg(PICTURE), ?) | 4 | 2 | ratio=2 | ratio=3 | dct_method="INTEGER_ACCURATE"
I.decode_and_crop_jpeg(I.encode_jpeg(PICTURE), [0, 1, 3, 2], ?) | ratio=2
built(I.encode_png(PICTURE, ?)) | 0 | compression=9 | name="n"
built(I.decode_jpeg(I.encode_jpeg(PICTURE), ?)) | 1 | 3 | fancy_upscaling=False | try_recover_truncated=True
    | acceptable_fraction=0.5 | dct_method="INTEGER_FAST" | name="n"
built(I.decode_and_crop_jpeg(I.encode_jpeg(PICTURE), [0, 1, 3, 2], ?)) | 1 | 3 | fancy_upscaling=False
    | try_recover_truncated=True | acceptable_fraction=0.5 | dct_method="INTEGER_FAST" | name="n"
built(I.extract_glimpse(A(F4), [2, 2], [[0.0, 0.5]], ?)) | False | uniform_noise=False
I.decode_png(I.encode_png(PICTURE), ?) | 1 | 3 | 4 | 2 | dtype=tf.uint16 | dtype=tf.float32 | name="n"
I.decode_image(I.encode_png(PICTURE), ?) | 1 | 3 | dtype=tf.float32 | dtype=tf.uint16 | name="n"
    | expand_animations=False | 2
I.? | decode_png("a") | decode_jpeg("a") | decode_gif("a") | decode_bmp("a") | decode_bmp("BM", 3)
    | extract_jpeg_shape(I.encode_jpeg(PICTURE), tf.int64, "n") | is_jpeg(I.encode_jpeg(PICTURE), "n")
    | rgb_to_grayscale(PICTURE, "n") | grayscale_to_rgb(PICTURE[..., :1], "n") | grayscale_to_rgb(PICTURE)
    | rgb_to_hsv(A(F4), "n") | hsv_to_rgb(A(F4), "n") | rgb_to_yiq(A(F4)) | adjust_brightness(PICTURE, 0.1)
    | adjust_contrast(PICTURE, 2.0) | adjust_hue(PICTURE, 0.1, "n") | adjust_saturation(PICTURE, 2.0, "n")
    | adjust_gamma(A(F4), 2, 3) | adjust_gamma(A(F4), -1.0) | random_brightness(PICTURE, 0.2, 1)
    | random_contrast(PICTURE, 0.2, 0.5, 1) | random_hue(PICTURE, 0.2, 1) | random_saturation(PICTURE, 0.2, 0.5, 1)
    | random_flip_left_right(PICTURE, 1) | random_flip_up_down(PICTURE, 1) | random_crop(PICTURE, [2, 2, 3], 1, "n")
    | random_brightness(PICTURE, -0.2) | random_contrast(PICTURE, 0.5, 0.2) | random_hue(PICTURE, 0.7)
    | random_saturation(PICTURE, 0.5, 0.2) | random_jpeg_quality(PICTURE, 20, 10)
    | random_jpeg_quality(PICTURE, -1, 10) | rot90(PICTURE, 3, "n") | transpose(PICTURE, "n") | flip_up_down(PICTURE)
    | central_crop(PICTURE, 0.5) | central_crop(PICTURE, 0.0) | central_crop(PICTURE, 1.0)
    | crop_to_bounding_box(PICTURE, 1, 1, 2, 2) | crop_to_bounding_box(PICTURE, -1, 1, 2, 2)
    | crop_to_bounding_box(PICTURE, 3, 1, 2, 2) | crop_to_bounding_box(PICTURE, 1, 1, 0, 2)
    | pad_to_bounding_box(PICTURE, 1, 1, 9, 9) | pad_to_bounding_box(PICTURE, 1, 1, 2, 9)
    | pad_to_bounding_box(PICTURE, -1, 1, 9, 9) | resize_image_with_crop_or_pad(PICTURE, 2, 9)
    | resize_image_with_crop_or_pad(PICTURE, 0, 9) | resize_image_with_pad(PICTURE, 3, 9)
    | resize_image_with_pad(PICTURE, 3, 9, 1, True) | resize_image_with_pad(PICTURE, 0, 9)
    | per_image_standardization(PICTURE) | total_variation(A(F4), "n") | psnr(A(F4), A(F4 / 2), 1.0, "n")
    | ssim(A(BIG), A(BIG / 2), 1.0) | ssim(A(BIG), A(BIG / 2), 1.0, 5) | ssim(A(BIG), A(BIG / 2), 1.0, 5, 0.5)
    | ssim(A(BIG), A(BIG / 2), 1.0, 5, k1=0.1) | ssim(A(BIG), A(BIG / 2), 1.0, 5, k2=0.1)
    | ssim_multiscale(A(BIG), A(BIG / 2), 1.0, power_factors=(0.5, 0.5), filter_size=3)
    | ssim_multiscale(A(BIG), A(BIG / 2), 1.0, [1.0], 5, 0.5, 0.1, 0.1) | ssim_multiscale(A(BIG), A(BIG / 2), 1.0)
    | image_gradients(A(F4)) | sobel_edges(A(F4)) | convert_image_dtype(PICTURE, tf.float32, name="n")
    | convert_image_dtype(A(F4), tf.uint8, True) | convert_image_dtype(A(F4), tf.uint8)
    | extract_glimpse(A(F4), [2, 2], [[0.0, 0.5]], name="n")
    | extract_glimpse(A(F4), [2, 2], [[0.0, 0.5]], normalized=False)
    | draw_bounding_boxes(A(F4), [[[0.1, 0.1, 0.5, 0.5]]], "n")
    | draw_bounding_boxes(A(F4), [[[0.1, 0.1, 0.5, 0.5]]], colors=[[0.5, 0.5, 0.5]])
    | crop_and_resize(A(F4), [[0.0, 0.0, 1.0, 0.5]], [0], [2, 2])
    | crop_and_resize(A(F4), [[0.0, 0.0, 1.0, 0.5]], box_ind=[0], crop_size=[2, 2])
    | crop_and_resize(A(F4), [[0.0, 0.0, 2.0, 0.5]], [0], [3, 3], extrapolation_value=9.0)
    | crop_and_resize(A(F4), [[0.0, 0.0, 1.0, 0.5]], [0], [2, 2], "nearest", name="n")
    | crop_and_resize(A(F4), [[0.0, 0.0, 1.0, 0.5]], [1], [2, 2])
    | crop_and_resize(A(F4), [[0.0, 0.0, 1.0, 0.5]], [0], [0, 2])
    | crop_and_resize(A(F4), [[0.0, 0.0, 1.0, 0.5]], [0], [2, 2], "some")
    | sample_distorted_bounding_box([4, 4, 3], [[[0.0, 0.0, 1.0, 1.0]]], 1, 2, min_object_covered=0.2)
    | sample_distorted_bounding_box([4, 4, 3], [[[0.0, 0.0, 1.0, 1.0]]], 1, 2, 0.1, [0.5, 0.6], [0.1, 0.2], 5)
    | sample_distorted_bounding_box([4, 4, 3], np.zeros([1, 0, 4], "f"), 1, 2, use_image_if_no_bounding_boxes=True)
    | sample_distorted_bounding_box([4, 4, 3], np.zeros([1, 0, 4], "f"), 1, 2)
    | combined_non_max_suppression([[[[0.0, 0.0, 1.0, 1.0]]]], [[[0.5]]], 1, 1, 0.5, 0.1, True, False, "n")
I.resize_images(A(F4), [3, 2], ?) | 1 | 2 | 3 | 0, True | preserve_aspect_ratio=True | method=7 | name="n"
    | method="bilinear"
I.resize_bilinear(A(F4), [3, 2], ?) | True | half_pixel_centers=True | name="n" | True, half_pixel_centers=True
I.resize_bicubic(A(F4), [3, 2], ?) | True | half_pixel_centers=True | name="n"
I.resize_nearest_neighbor(A(F4), [3, 2], ?) | True | half_pixel_centers=True | name="n"
I.resize_area(A(F4), [3, 2], ?) | True | name="n"
I.resize(A(F4), [3, 2], ?) | antialias=True | method="lanczos3" | method="some" | preserve_aspect_ratio=True
I.non_max_suppression(BOXES, [0.9, 0.8, 0.7], ?) | 2 | 2, 0.1 | 3, 0.9 | 3, score_threshold=0.75 | 0 | -1 | 3, 1.5
    | 2, name="n"
I.non_max_suppression_overlaps([[1.0, 0.7, 0.2], [0.7, 1.0, 0.3], [0.2, 0.3, 1.0]], [0.9, 0.8, 0.7], ?) | 3
    | 3, overlap_threshold=0.25 | 3, score_threshold=0.75 | 2, name="n"
I.non_max_suppression_padded(BOXES, [0.9, 0.8, 0.7], ?) | 5, pad_to_max_output_size=True | 2, 0.1, 0.75, False, "n"
I.non_max_suppression_with_scores(BOXES, [0.9, 0.8, 0.7], ?) | 3, soft_nms_sigma=0.5 | 3, 0.1, 0.75, 0.0, "n"
tf.random.? | uniform([3], 1, 5, tf.int32, 3, "n") | uniform([3], 1.0, 2.0, seed=3)
    | uniform([3], maxval=None, dtype=tf.int32) | normal([3], 1.0, 2.0, tf.float64, 3, "n")
    | truncated_normal([3], 1.0, 2.0, tf.float64, 3, "n") | shuffle([1, 2, 3], 3, "n")
    | gamma([3], 1.0, 2.0, tf.float64, 3, "n") | poisson(2.0, [3], tf.float64, 3, "n")
    | multinomial([[0.1, 0.9]], 3, 3, "n", tf.int32) | categorical([[0.1, 0.9]], 3, tf.int32, 3, "n")
    | stateless_uniform([3], [1, 2], 1, 5, tf.int32, "n") | stateless_normal([3], [1, 2], 1.0, 2.0, tf.float64, "n")
    | stateless_truncated_normal([3], [1, 2], 1.0, 2.0, tf.float64, "n")
    | stateless_categorical([[0.1, 0.9]], 3, [1, 2], tf.int32, "n")
    | stateless_multinomial([[0.1, 0.9]], 3, [1, 2], tf.int32, "n") | uniform([3], 5, 1, tf.int32)
    | all_candidate_sampler([[0]], 1, 2, True, 3, "n")
tf.signal.? | frame(A(BIG[0, 0, :, 0]), 4, 3, True, 7.0, 0, "n") | frame(A(BIG[0, 0, :, 0]), 4, 3, pad_end=True)
    | frame(A(BIG[0, 0, :, 0]), 4, 0) | stft(A(BIG[0, 0, :, 0]), 8, 4, 16, None, True, "n")
    | stft(A(BIG[0, 0, :, 0]), 8, 4, window_fn=None)
    | inverse_stft(tf.signal.stft(A(BIG[0, 0, :, 0]), 8, 4), 8, 4, 8, None, "n")
    | inverse_stft_window_fn(2)(4, tf.float32)
    | inverse_stft_window_fn(2, forward_window_fn=tf.signal.hamming_window, name="n")(4, tf.float32)
    | hann_window(5, False, tf.float64, "n") | hamming_window(5, False, tf.float64, "n") | hann_window(0)
    | overlap_and_add(A(R), 2, "n") | linear_to_mel_weight_matrix(3, 5, 8000, 100.0, 3000.0, tf.float64, "n")
    | linear_to_mel_weight_matrix(3, 5, 8000, 3000.0, 100.0) | linear_to_mel_weight_matrix(0)
    | mfccs_from_log_mel_spectrograms(A(R), "n") | dct(A(R), 2, None, -1, "ortho", "n") | dct(A(R), 3)
    | dct(A(R), 2, 2) | dct(A(R), 9) | idct(A(R), 2, None, -1, "ortho", "n") | idct(A(R), 3) | rfft(A(R), [4], "n")
    | irfft(tf.signal.rfft(A(R)), [2], "n") | rfft2d(A(R), [2, 2]) | fftshift(A(R), 1, "n") | ifftshift(A(R), [0], "n")
    | fftshift(A(R))
tf.? | import_graph_def(tf.GraphDef(), op_dict={}) | import_graph_def(GRAPH(), name="n")
    | import_graph_def(GRAPH(), {"Const:0": tf.constant(2)}, ["Const:0"], "n")
    | import_graph_def(GRAPH(), producer_op_list=3) | import_graph_def(GRAPH(), {"none:0": tf.constant(2)})
    | graph_util.remove_training_nodes(GRAPH(), protected_nodes=["Identity"]).node[:]
    | graph_util.remove_training_nodes(GRAPH()).node[:] | graph_util.extract_sub_graph(GRAPH(), ["Identity"]).node[:]
    | graph_util.extract_sub_graph(GRAPH(), "Identity") | graph_util.extract_sub_graph(GRAPH(), ["none"])
    | graph_util.must_run_on_cpu(tf.constant("a").op, True)
    | print("a", R.tolist(), sep="-", end=".", output_stream="file://o", summarize=2, name="n").op.type
    | py_func(lambda x: x * 2, [A(R)], tf.float32, False, "n") | py_function(lambda x: x * 2, [A(R)], tf.float32, "n")
    | numpy_function(lambda x: x * 2, [A(R)], tf.float32, "n") | Print(A(R), [A(R)], "m", 1, 2, "n")
    | Assert(True, ["a"], 1, "n") | assert_equal(1, 2, ["d"], 1, "m", "n")
    | assert_less(A(R), 9.0, message="m", name="n") | assert_rank(A(R), 3, message="m")
    | assert_rank(A(R), 2, name="n") | assert_rank_in(A(R), [3, 4], message="m")
    | assert_rank_at_least(A(R), 3, message="m") | assert_type(A(R), tf.int32, "m", "n") | assert_integer(A(R), "m")
    | assert_scalar(A(R), "n", "m") | assert_near(A(R), A(R + 1), 0.1, 0.2, message="m")
    | assert_near(1.0, 1.1, rtol=0.2) | assert_near(1.0, 1.1, atol=0.2) | assert_proper_iterable(A(R))
    | assert_same_float_dtype([A(R)], tf.float64) | assert_none_equal(1, 1, message="m")
    | assert_positive(-1, message="m") | assert_negative(1, ["d"], 3, "m") | assert_non_negative(-1)
    | assert_non_positive(1) | assert_greater(1, 2, message="m") | assert_greater_equal(1, 2) | assert_less_equal(2, 1)
    | is_numeric_tensor(3) | is_strictly_increasing([1, 2], "n")
    | map_fn(lambda x: x, A(R), parallel_iterations=2, back_prop=False, swap_memory=True, name="n")
    | map_fn(lambda x: x, A(R), infer_shape=False).shape
    | scan(lambda a, x: a + x, A(R), None, 2, False, True, False, True, "n")
    | foldl(lambda a, x: a + x, A(R), None, 2, False, True, "n")
    | foldr(lambda a, x: a + x, A(R), None, 2, False, True, "n") | load_op_library("none")
    | load_file_system_library("none") | load_library("none") | device("/cpu:1").__enter__() | get_seed(3)
    | as_dtype("float")
    | register_tensor_conversion_function(int, lambda v, dtype=None, name=None, as_ref=False: None, -1)
tf.get_variable("v", ?) | [2], tf.int32 | [2], initializer=ONES | [2], regularizer=tf.nn.l2_loss | [2], trainable=False
    | [2], collections=["c"] | [2], caching_device="/cpu:0" | [2], partitioner=tf.fixed_size_partitioner(2)
    | initializer=3.0, validate_shape=False | initializer=[1.0], use_resource=True
    | [2], custom_getter=lambda g, *a, **k: g(*a, **k) * 2 | [2], constraint=lambda v: v
    | [2], synchronization=tf.VariableSynchronization.ON_READ | [2], aggregation=tf.VariableAggregation.SUM
    | [2], synchronization=tf.VariableSynchronization.ON_READ, trainable=True | [2], initializer=[1.0, 2.0] | [2, None]
    | [2], initializer=3
tf.Variable(?) | 1.0, False | 1.0, collections=["c"] | 1.0, validate_shape=False | 1.0, caching_device="/cpu:0"
    | 1.0, name="n" | 1, dtype=tf.float32 | 1.0, expected_shape=[2] | [1.0], shape=[None], validate_shape=False
    | 1.0, import_scope="s" | 1.0, constraint=lambda v: v | 1.0, use_resource=True
    | 1.0, synchronization=tf.VariableSynchronization.ON_READ | 1.0, aggregation=tf.VariableAggregation.MEAN | None
    | 1.0, constraint=3 | 1.0, collections="c" | lambda: 1.0
scoped(?) | "s", "d" | None, "d" | "s", values=[A(R)] | "s", initializer=ONES | "s", regularizer=tf.nn.l2_loss
    | "s", caching_device="/cpu:0" | "s", partitioner=tf.fixed_size_partitioner(1)
    | "s", custom_getter=lambda g, *a, **k: g(*a, **k) * 2 | "s", reuse=True | "s", dtype=tf.float64
    | "s", use_resource=True | "s", constraint=lambda v: v | "s", auxiliary_name_scope=False | None, None | 3
    | "s", reuse=3 | ""
"""


def programs(tf):
    random = np.random.RandomState(1)

    def graph():
        with tf.Graph().as_default() as made:
            tf.identity(tf.identity(tf.constant(1)))
        return made.as_graph_def()

    def scoped(*args, **options):
        with tf.variable_scope(*args, **options):
            return [tf.get_variable("v", [2]), tf.constant(1)]

    def sparse(values=(1, 2)):
        return tf.SparseTensor([[0, 0], [1, 1]], list(values), [2, 2])

    return rows(
        MATH + ARRAYS + TEXTS + SPARSES + IMAGES,
        tf=tf, np=np, A=tf.constant, I=tf.image, R=random.randn(2, 3).astype("f"), X3=random.randn(2, 2, 2).astype("f"),
        X4=random.randn(2, 6, 6, 4).astype("f"), F4=random.rand(1, 4, 4, 3).astype("f"),
        BIG=random.rand(1, 24, 24, 1).astype("f"),
        PICTURE=(np.arange(48) * 5).reshape(4, 4, 3).astype("u1"), SPARSE=sparse, FLOATS=lambda: sparse([1.5, 2.5]),
        RAGGED=lambda: tf.ragged.constant([[1, 2], [3]]), GRAPH=graph, scoped=scoped, ONES=tf.ones_initializer(),
        BOXES=np.array([[0, 0, 1, 1], [0, 0, 1, 0.9], [0, 0.8, 1, 2]], "f"),
    )  # fmt: skip
