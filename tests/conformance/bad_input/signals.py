"""Signals, quantization, bins and sets with arguments out of range."""

import numpy as np

from tests.conformance.bad_input.matrices import fed


def window_of_integers(tf):
    return tf.signal.hann_window(5, dtype=tf.int32)


def window_of_two_lengths(tf):
    return tf.signal.hamming_window([5, 6])


def frame_of_two_lengths(tf):
    return tf.signal.frame(tf.zeros([9]), [3, 4], 2)


def frame_of_a_scalar(tf):
    return tf.signal.frame(1.0, 3, 2)


def frame_of_float_length(tf):
    return tf.signal.frame(tf.zeros([9]), 3.0, 2.0)


def overlap_of_a_vector(tf):
    return tf.signal.overlap_and_add([1.0, 2.0], 2)


def overlap_of_a_float_step(tf):
    return tf.signal.overlap_and_add(tf.zeros([2, 3]), 1.5)


def dct_of_type_four(tf):
    return tf.signal.dct(tf.zeros([4]), type=4)


def dct_of_another_axis(tf):
    return tf.signal.dct(tf.zeros([4]), axis=0)


def dct_of_another_norm(tf):
    return tf.signal.dct(tf.zeros([4]), norm="max")


def dct_of_type_one_orthonormal(tf):
    return tf.signal.dct(tf.zeros([4]), type=1, norm="ortho")


def dct_of_type_one_of_one(tf):
    return tf.signal.dct(tf.zeros([1]), type=1)


def idct_of_no_length(tf):
    return tf.signal.idct(tf.zeros([4]), n=0)


def mel_of_no_bins(tf):
    return tf.signal.linear_to_mel_weight_matrix(0)


def mel_above_half_the_rate(tf):
    return tf.signal.linear_to_mel_weight_matrix(sample_rate=4000)


def mel_of_crossed_edges(tf):
    return tf.signal.linear_to_mel_weight_matrix(lower_edge_hertz=4000.0)


def mel_of_unknown_rate(tf):
    return tf.signal.linear_to_mel_weight_matrix(sample_rate=tf.placeholder(tf.float32))


def mfccs_of_no_bins(tf):
    return tf.signal.mfccs_from_log_mel_spectrograms(tf.zeros([3, 0]))


def fake_quant_of_an_empty_range(tf):
    return tf.fake_quant_with_min_max_args([1.0], min=3.0, max=1.0)


def fake_quant_of_a_bit(tf):
    return tf.fake_quant_with_min_max_args([1.0], num_bits=1)


def fake_quant_of_two_ends(tf):
    return tf.fake_quant_with_min_max_vars([1.0], [1.0], 2.0)


def fake_quant_of_other_channels(tf):
    return tf.fake_quant_with_min_max_vars_per_channel(tf.zeros([2, 3]), [1.0], [2.0])


def fake_quant_of_other_channels_when_run(tf):
    low, high = fed(tf, [1.0]), fed(tf, [2.0])
    return tf.fake_quant_with_min_max_vars_per_channel(tf.zeros([2, 3]), low, high)


def fake_quant_gradient_of_other_shapes(tf):
    return tf.fake_quant_with_min_max_vars_gradient(tf.zeros([2]), tf.zeros([3]), 0.0, 1.0)


def fake_quant_gradient_of_other_shapes_when_run(tf):
    return tf.fake_quant_with_min_max_vars_gradient(fed(tf, [1, 2]), tf.zeros([3]), 0.0, 1.0)


def fake_quant_args_gradient_of_other_shapes(tf):
    return tf.fake_quant_with_min_max_args_gradient(tf.zeros([2]), tf.zeros([3]))


def quantize_to_plain_integers(tf):
    return tf.quantize([1.0], 0.0, 3.0, tf.int8)


def quantize_in_another_mode(tf):
    return tf.quantize([1.0], 0.0, 3.0, tf.qint8, mode="ALL")


def quantize_and_dequantize_of_crossed_ends(tf):
    return tf.quantization.quantize_and_dequantize([1.0], 3.0, 2.0, range_given=True)


def quantize_and_dequantize_of_no_bits(tf):
    return tf.quantization.quantize_and_dequantize([1.0], 0.0, 2.0, num_bits=0)


def histogram_of_three_ends(tf):
    return tf.histogram_fixed_width([1.0], [5.0, 5.0, 6.0], 5)


def histogram_of_no_bins(tf):
    return tf.histogram_fixed_width([1.0], [0.0, 5.0], 0)


def histogram_of_negative_bins_when_run(tf):
    return tf.histogram_fixed_width([1.0], [0.0, 5.0], fed(tf, -1, np.int32))


def buckets_out_of_order(tf):
    return tf.raw_ops.Bucketize(input=[1], boundaries=[0.0, 3.0, 2.0])


def nth_element_beyond(tf):
    return tf.raw_ops.NthElement(input=[[3.0, 1.0]], n=2)


def nth_element_beyond_when_run(tf):
    return tf.raw_ops.NthElement(input=[[3.0, 1.0]], n=fed(tf, 2, np.int32))


def nth_element_below(tf):
    return tf.raw_ops.NthElement(input=[[3.0, 1.0]], n=-1)


def nth_element_of_a_scalar_when_run(tf):
    return tf.raw_ops.NthElement(input=fed(tf, 3.0), n=0)


def confusion_of_negative_labels(tf):
    return tf.confusion_matrix([-1, 2], [0, 0])


def confusion_of_other_lengths(tf):
    return tf.confusion_matrix([1, 1], [0, 1, 2])


def confusion_of_other_weights(tf):
    return tf.confusion_matrix([1, 1], [0, 1], weights=[1.0, 2.0, 3.0])


def sets_of_floats(tf):
    return tf.sets.union([[1.0]], [[2.0]])


def sets_of_other_groups(tf):
    return tf.sets.union([[1], [2]], [[1]])


def sets_of_other_groups_when_run(tf):
    return tf.sets.union(fed(tf, [[1], [2]], np.int32), fed(tf, [[1]], np.int32)).values


def sets_of_a_vector(tf):
    return tf.sets.intersection([1, 2], [2, 3])


def sets_of_a_vector_when_run(tf):
    return tf.sets.intersection(fed(tf, [1], np.int32), fed(tf, [1], np.int32)).values


def sets_of_unsorted_indices(tf):
    return tf.sets.union([[1], [2]], tf.SparseTensor([[1, 0], [0, 0]], [1, 2], [2, 1])).values


def sets_of_repeated_indices(tf):
    return tf.sets.size(tf.SparseTensor([[1, 0], [1, 0]], [1, 2], [2, 1]))


def sets_of_indices_beyond(tf):
    return tf.sets.size(tf.SparseTensor([[0, 0], [2, 0]], [1, 2], [2, 1]))


def size_of_a_dense_set(tf):
    return tf.sets.size([[1]])


def frame_of_a_negative_step(tf):
    return tf.signal.frame(tf.zeros([16]), 4, -2)


def dct_of_a_scalar(tf):
    return tf.signal.dct(1.5)
