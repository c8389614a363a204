"""`tf.contrib.crf`: a linear chain of tags (a conditional random field) over the outputs of a network.

A sequence of tags has a score: the sum of what the network gives each tag at its time (unary) and of
what each pair of tags in a row adds (binary: the matrix of transitions). `scores.py` holds the scores of
given tags, `norms.py` the log of the sum over all sequences, which is the forward algorithm, and the
likelihood; `decoding.py` the best sequence, Viterbi's. Recursions are cells (`cells.py`) of
`tf.nn.dynamic_rnn`. Lafferty, McCallum and Pereira, "Conditional random fields" (ICML 2001); for the
recursions M. Collins, "The forward-backward algorithm".
"""

from tfmini.contrib.crf.cells import (
    CrfDecodeBackwardRnnCell,
    CrfDecodeForwardRnnCell,
    CrfForwardRnnCell,
)
from tfmini.contrib.crf.decoding import crf_decode, viterbi_decode
from tfmini.contrib.crf.norms import (
    crf_log_likelihood,
    crf_log_norm,
    crf_multitag_sequence_score,
)
from tfmini.contrib.crf.scores import crf_binary_score, crf_sequence_score, crf_unary_score
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "CrfDecodeBackwardRnnCell",
    "CrfDecodeForwardRnnCell",
    "CrfForwardRnnCell",
    "crf_binary_score",
    "crf_decode",
    "crf_log_likelihood",
    "crf_log_norm",
    "crf_multitag_sequence_score",
    "crf_sequence_score",
    "crf_unary_score",
    "viterbi_decode",
]

_namespace(globals())
