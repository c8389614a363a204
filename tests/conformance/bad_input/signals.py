"""Signals, quantization, bins and sets with arguments out of range."""

import numpy as np

from tests.conformance.bad_input.matrices import fed


def fake_quant_of_an_empty_range(tf):
    return tf.fake_quant_with_min_max_args([1.0], min=3.0, max=1.0)


def fake_quant_of_other_channels_when_run(tf):
    low, high = fed(tf, [1.0]), fed(tf, [2.0])
    return tf.fake_quant_with_min_max_vars_per_channel(tf.zeros([2, 3]), low, high)


def fake_quant_args_gradient_of_other_shapes(tf):
    return tf.fake_quant_with_min_max_args_gradient(tf.zeros([2]), tf.zeros([3]))


def quantize_and_dequantize_of_crossed_ends(tf):
    return tf.quantization.quantize_and_dequantize([1.0], 3.0, 2.0, range_given=True)


def quantize_and_dequantize_of_no_bits(tf):
    return tf.quantization.quantize_and_dequantize([1.0], 0.0, 2.0, num_bits=0)


def histogram_of_negative_bins_when_run(tf):
    return tf.histogram_fixed_width([1.0], [0.0, 5.0], fed(tf, -1, np.int32))


def nth_element_beyond_when_run(tf):
    return tf.raw_ops.NthElement(input=[[3.0, 1.0]], n=fed(tf, 2, np.int32))


def sets_of_repeated_indices(tf):
    return tf.sets.size(tf.SparseTensor([[1, 0], [1, 0]], [1, 2], [2, 1]))


CASES = {
    "window_of_integers": lambda tf: tf.signal.hann_window(5, dtype=tf.int32),
    "window_of_two_lengths": lambda tf: tf.signal.hamming_window([5, 6]),
    "frame_of_float_length": lambda tf: tf.signal.frame(tf.zeros([9]), 3.0, 2.0),
    "overlap_of_a_float_step": lambda tf: tf.signal.overlap_and_add(tf.zeros([2, 3]), 1.5),
    "dct_of_another_norm": lambda tf: tf.signal.dct(tf.zeros([4]), norm="max"),
    "mfccs_of_no_bins": lambda tf: tf.signal.mfccs_from_log_mel_spectrograms(tf.zeros([3, 0])),
    "fake_quant_of_two_ends": lambda tf: tf.fake_quant_with_min_max_vars([1.0], [1.0], 2.0),
    "fake_quant_of_other_channels": lambda tf: tf.fake_quant_with_min_max_vars_per_channel(
        tf.zeros([2, 3]), [1.0], [2.0]
    ),
    "fake_quant_gradient_of_other_shapes": lambda tf: tf.fake_quant_with_min_max_vars_gradient(
        tf.zeros([2]), tf.zeros([3]), 0.0, 1.0
    ),
    "quantize_to_plain_integers": lambda tf: tf.quantize([1.0], 0.0, 3.0, tf.int8),
    "quantize_in_another_mode": lambda tf: tf.quantize([1.0], 0.0, 3.0, tf.qint8, mode="ALL"),
    "buckets_out_of_order": lambda tf: tf.raw_ops.Bucketize(input=[1], boundaries=[0.0, 3.0, 2.0]),
    "nth_element_beyond": lambda tf: tf.raw_ops.NthElement(input=[[3.0, 1.0]], n=2),
    "nth_element_below": lambda tf: tf.raw_ops.NthElement(input=[[3.0, 1.0]], n=-1),
    "nth_element_of_a_scalar_when_run": lambda tf: tf.raw_ops.NthElement(input=fed(tf, 3.0), n=0),
    "confusion_of_negative_labels": lambda tf: tf.confusion_matrix([-1, 2], [0, 0]),
    "confusion_of_other_lengths": lambda tf: tf.confusion_matrix([1, 1], [0, 1, 2]),
    "confusion_of_other_weights": lambda tf: tf.confusion_matrix(
        [1, 1], [0, 1], weights=[1.0, 2.0, 3.0]
    ),
    "sets_of_floats": lambda tf: tf.sets.union([[1.0]], [[2.0]]),
    "sets_of_other_groups": lambda tf: tf.sets.union([[1], [2]], [[1]]),
    "sets_of_other_groups_when_run": lambda tf: (
        tf.sets.union(fed(tf, [[1], [2]], np.int32), fed(tf, [[1]], np.int32)).values
    ),
    "sets_of_a_vector": lambda tf: tf.sets.intersection([1, 2], [2, 3]),
    "sets_of_a_vector_when_run": lambda tf: (
        tf.sets.intersection(fed(tf, [1], np.int32), fed(tf, [1], np.int32)).values
    ),
    "sets_of_unsorted_indices": lambda tf: (
        tf.sets.union([[1], [2]], tf.SparseTensor([[1, 0], [0, 0]], [1, 2], [2, 1])).values
    ),
    "size_of_a_dense_set": lambda tf: tf.sets.size([[1]]),
    "dct_of_a_scalar": lambda tf: tf.signal.dct(1.5),
}
