"""`tf.contrib`: the parts of it that programs use."""

from tfmini.contrib import (
    crf,
    distributions,
    framework,
    image,
    layers,
    learn,
    legacy_seq2seq,
    lookup,
    losses,
    metrics,
    nn,
    opt,
    predictor,
    resampler,
    rnn,
    seq2seq,
    slim,
    staging,
    summary,
    tensorboard,
    training,
    util,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "crf",
    "distributions",
    "framework",
    "image",
    "layers",
    "learn",
    "legacy_seq2seq",
    "lookup",
    "losses",
    "metrics",
    "nn",
    "opt",
    "predictor",
    "resampler",
    "rnn",
    "seq2seq",
    "slim",
    "staging",
    "summary",
    "tensorboard",
    "training",
    "util",
]

_namespace(globals())
