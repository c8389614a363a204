"""Private functions of RNNs, attention and beam search that programs use; hand-computed values."""

import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("tensorflow")


def values(*fetches):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(fetches)


def test_attention_and_beam_search_parts():
    from tensorflow.contrib.seq2seq.python.ops import attention_wrapper, beam_search_decoder

    class LastAttention(attention_wrapper._BaseAttentionMechanism):
        def __call__(self, query, state):
            scores = attention_wrapper._luong_score(query, self.keys, scale=False)
            alignments = self._probability_fn(scores, state)
            return alignments, alignments

    memory = np.array([[[1.0, 0.0], [0.0, 2.0], [5.0, 5.0]]], np.float32)
    mechanism = LastAttention(
        query_layer=None,
        memory_layer=tf.layers.Dense(2, use_bias=False, kernel_initializer=tf.initializers.ones()),
        memory=memory,
        memory_sequence_length=[2],
        probability_fn=lambda scores, _: scores / tf.reduce_sum(scores[:, :2]),
        score_mask_value=0.0,
    )
    attention, alignments, _ = attention_wrapper._compute_attention(
        mechanism, tf.constant([[1.0, 1.0]]), None, None
    )
    # The keys are [1, 1] and [2, 2]: the scores 2 and 4.
    result = values(attention, alignments)
    np.testing.assert_allclose(result[1], [[1 / 3, 2 / 3, 0.0]], rtol=1e-6)
    np.testing.assert_allclose(result[0], [[1 / 3, 4 / 3]], rtol=1e-6)

    log_probs = tf.log([[[0.5, 0.25, 0.25], [0.1, 0.1, 0.8]]])
    finished = tf.constant([[False, True]])
    masked = beam_search_decoder._mask_probs(log_probs, 1, finished)
    scores = beam_search_decoder._get_scores(
        log_probs=log_probs,
        sequence_lengths=tf.constant([[[1, 7, 1], [1, 1, 1]]]),
        length_penalty_weight=1.0,
        coverage_penalty_weight=0.0,
        finished=finished,
        accumulated_attention_probs=None,
    )
    masked, scores = values(masked, scores)
    lowest = np.finfo(np.float32).min
    expected = [[np.log([0.5, 0.25, 0.25]), [lowest, 0.0, lowest]]]
    np.testing.assert_allclose(masked, expected, rtol=1e-6)
    np.testing.assert_allclose(scores[0, 0], np.log([0.5, 0.25, 0.25]) / [1, 2, 1], rtol=1e-6)


def test_static_shapes():
    from tensorflow.python.ops import rnn

    assert rnn._maybe_tensor_shape_from_tensor(tf.constant([2, 3])) == [2, 3]
    assert rnn._maybe_tensor_shape_from_tensor([4]) == [4]
    state = (tf.zeros([1]), tf.zeros([1]))
    assert rnn._infer_state_dtype(None, state) == tf.float32
    with pytest.raises(ValueError, match="State has tensors of different inferred_dtypes"):
        rnn._infer_state_dtype(None, (tf.zeros([1]), tf.zeros([1], tf.int32)))
