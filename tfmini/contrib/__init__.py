"""`tf.contrib`: the parts of it that programs use."""

from tfmini.contrib import (
    crf,
    distributions,
    framework,
    layers,
    legacy_seq2seq,
    lookup,
    predictor,
    rnn,
    seq2seq,
    util,
)
from tfmini.hints import no_attributes as _no_attributes

__all__ = [
    "crf",
    "distributions",
    "framework",
    "layers",
    "legacy_seq2seq",
    "lookup",
    "predictor",
    "rnn",
    "seq2seq",
    "util",
]

__getattr__ = _no_attributes(__name__, globals())
