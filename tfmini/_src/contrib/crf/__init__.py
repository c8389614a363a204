"""`tf.contrib.crf`: a linear chain of tags (a conditional random field) over the outputs of a network.

A sequence of tags has a score: the sum of the network's score of each tag at its time (unary) and of
the score of each pair of adjacent tags (binary: the transition matrix). `sequence_score.py` holds the scores of
given tags, `log_likelihood.py` the log of the sum over all sequences, which is the forward algorithm, and the
likelihood; `viterbi_decode.py` the best sequence, Viterbi's. Recursions are cells (`cells.py`) of
`tf.nn.dynamic_rnn`. Lafferty, McCallum and Pereira, "Conditional random fields" (ICML 2001); for the
recursions M. Collins, "The forward-backward algorithm".
"""
