"""`tf.contrib.crf`: linear-chain conditional random fields (CRFs) over the outputs of a network.

The score of a tag sequence is the sum of the network's (unary) scores of the tags and the (binary) scores of adjacent
pairs in the transition matrix. `sequence_score.py` computes scores of tags, `log_likelihood.py` the log of the sum
over all sequences, by the forward algorithm, and the likelihood, `viterbi_decode.py` the best sequence, by Viterbi's
algorithm. Recursions are cells (`cells.py`) run by `tf.nn.dynamic_rnn`. Lafferty, McCallum and Pereira, "Conditional
random fields" (ICML 2001); M. Collins, "The forward-backward algorithm".
"""
