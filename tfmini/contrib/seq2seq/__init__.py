"""`tf.contrib.seq2seq`: sequences made one element after the other, each from those before.

`dynamic_decode` (`decoder.py`) runs a Decoder in a loop. A BasicDecoder (`basic_decoder.py`) puts a cell, an
optional layer behind it and a Helper together; the Helper says what the next input is: the given one
(`training_helper.py`), now and then the cell's own output (`scheduled_helpers.py`), or always
(`inference_helpers.py`). A BeamSearchDecoder (`beam_search.py`; its step is in `beam_steps.py`) follows several
sequences at once. AttentionWrapper (`attention_wrapper.py`) gives a cell what it needs of a memory, which an
attention mechanism (`attention.py`, `mechanisms.py`, `monotonic.py`) chooses.
"""

from tfmini.contrib.seq2seq.attention import AttentionMechanism, hardmax
from tfmini.contrib.seq2seq.attention_state import AttentionWrapperState
from tfmini.contrib.seq2seq.attention_wrapper import AttentionWrapper
from tfmini.contrib.seq2seq.basic_decoder import BasicDecoder, BasicDecoderOutput
from tfmini.contrib.seq2seq.beam_search import BeamSearchDecoder, FinalBeamSearchDecoderOutput
from tfmini.contrib.seq2seq.beam_steps import BeamSearchDecoderOutput, BeamSearchDecoderState
from tfmini.contrib.seq2seq.beams import gather_tree, tile_batch
from tfmini.contrib.seq2seq.decoder import Decoder, dynamic_decode
from tfmini.contrib.seq2seq.helper import CustomHelper, Helper
from tfmini.contrib.seq2seq.inference_helpers import (
    GreedyEmbeddingHelper,
    InferenceHelper,
    SampleEmbeddingHelper,
)
from tfmini.contrib.seq2seq.mechanisms import BahdanauAttention, LuongAttention
from tfmini.contrib.seq2seq.monotonic import (
    BahdanauMonotonicAttention,
    LuongMonotonicAttention,
    monotonic_attention,
    safe_cumprod,
)
from tfmini.contrib.seq2seq.scheduled_helpers import (
    ScheduledEmbeddingTrainingHelper,
    ScheduledOutputTrainingHelper,
)
from tfmini.contrib.seq2seq.sequence_losses import sequence_loss
from tfmini.contrib.seq2seq.training_helper import TrainingHelper
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "AttentionMechanism",
    "AttentionWrapper",
    "AttentionWrapperState",
    "BahdanauAttention",
    "BahdanauMonotonicAttention",
    "BasicDecoder",
    "BasicDecoderOutput",
    "BeamSearchDecoder",
    "BeamSearchDecoderOutput",
    "BeamSearchDecoderState",
    "CustomHelper",
    "Decoder",
    "FinalBeamSearchDecoderOutput",
    "GreedyEmbeddingHelper",
    "Helper",
    "InferenceHelper",
    "LuongAttention",
    "LuongMonotonicAttention",
    "SampleEmbeddingHelper",
    "ScheduledEmbeddingTrainingHelper",
    "ScheduledOutputTrainingHelper",
    "TrainingHelper",
    "dynamic_decode",
    "gather_tree",
    "hardmax",
    "monotonic_attention",
    "safe_cumprod",
    "sequence_loss",
    "tile_batch",
]

_namespace(globals())
