"""`tf.contrib.legacy_seq2seq`: sequences to sequences, unrolled step by step in the graph.

`models.py` reads with one cell and says with another, `attention.py` lets the second look at what the
first read, `decoders.py` holds the saying alone, `feeding.py` where its inputs come from, `losses.py` the
losses and models for several lengths.
"""

from tfmini.contrib.legacy_seq2seq.attention import (
    attention_decoder,
    embedding_attention_decoder,
    embedding_attention_seq2seq,
)
from tfmini.contrib.legacy_seq2seq.decoders import embedding_rnn_decoder, rnn_decoder
from tfmini.contrib.legacy_seq2seq.losses import (
    model_with_buckets,
    sequence_loss,
    sequence_loss_by_example,
)
from tfmini.contrib.legacy_seq2seq.models import (
    basic_rnn_seq2seq,
    embedding_rnn_seq2seq,
    embedding_tied_rnn_seq2seq,
    one2many_rnn_seq2seq,
    tied_rnn_seq2seq,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "attention_decoder",
    "basic_rnn_seq2seq",
    "embedding_attention_decoder",
    "embedding_attention_seq2seq",
    "embedding_rnn_decoder",
    "embedding_rnn_seq2seq",
    "embedding_tied_rnn_seq2seq",
    "model_with_buckets",
    "one2many_rnn_seq2seq",
    "rnn_decoder",
    "sequence_loss",
    "sequence_loss_by_example",
    "tied_rnn_seq2seq",
]

_namespace(globals())
