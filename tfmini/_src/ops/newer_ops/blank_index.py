"""CTCGreedyDecoder whose blank is not the last class."""

from tfmini._src.base.dtypes import float32
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.ops.nn.ctc import ctc_decoder
from tfmini._src.ops.type_lists import SINGLE_DOUBLE


@op(
    "_CTCGreedyDecoderBlank",
    "inputs: T, sequence_length: int32 -> decoded_indices: int64, decoded_values: int64, "
    "decoded_shape: int64, log_probability: T",
    differentiable=False,
    merge_repeated=False,
    blank_index=Attr("int"),
    T=Attr("type", float32, allowed=SINGLE_DOUBLE),
)
def decoder_op(xp, inputs, lengths, *, merge_repeated, blank_index):
    return ctc_decoder.best_classes(inputs, lengths, merge_repeated, blank_index)


decoder_op.shape_rule = ctc_decoder.ctc_greedy_decoder_op.shape_rule
