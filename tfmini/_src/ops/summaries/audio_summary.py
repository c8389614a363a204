"""Audio summaries, stored as WAV files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base import proto
from tfmini._src.base.dtypes import float32
from tfmini._src.base.errors import invalid
from tfmini._src.devices.host.codecs import wav
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.opdef import Attr, op, raw
from tfmini._src.graph.shape_inference import scalar as scalar_shape
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.string.string_elements import array_shape, scalar_string
from tfmini._src.ops.summaries import summary_scope
from tfmini._src.ops.summaries.summary_scope import collect, skip_summary, skipped_summary


@op(
    "AudioSummaryV2",
    "tag: string, tensor: float, sample_rate: float -> summary: string",
    infer=scalar_shape,
    differentiable=False,
    max_outputs=Attr("int", 3, minimum=1),
)
def audio_summary_v2_op(xp, tag, tensor, sample_rate, *, max_outputs):
    if array_shape(tag):
        invalid("Tag must be a scalar")
    return sound_summary(scalar_string(tag), tensor, sample_rate, max_outputs).SerializeToString()


def sound_summary(tag: bytes, tensor: Any, sample_rate: Any, max_outputs: int) -> Any:
    """Returns the Summary of the first clips in a batch, each as a WAV file."""
    sounds, rates = np.asarray(tensor), np.asarray(sample_rate)
    if rates.size != 1:  # TensorFlow aborts here
        invalid(f"sample_rate must be a scalar, got shape {shape_text(rates.shape)}")
    if sounds.ndim not in (2, 3):
        invalid(f"Tensor must be 3-D or 2-D, got: {shape_text(sounds.shape)}")
    rate = float(rates.item())
    if not rate > 0:
        invalid("sample_rate must be > 0")
    message = proto.Summary()
    for index in range(min(max_outputs, len(sounds))):
        sound = sounds[index]
        if not sound.size:
            invalid("audio is null")
        if rate > 2**32 - 1:
            displayed_rate = int(rate) if rate < 2**63 else 2**63
            invalid(f"sample_rate must be in (0, 2^32), got: {displayed_rate}")
        samples = sound.reshape(len(sound), -1)
        suffix = b"/audio/%d" % index if max_outputs > 1 else b"/audio"
        audio = message.value.add(tag=(tag + suffix).decode("utf-8", "replace")).audio
        audio.sample_rate, audio.content_type = rate, "audio/wav"
        audio.length_frames, audio.num_channels = samples.shape
        audio.encoded_audio_string = wav.encode(samples, max(1, round(rate)))
    return message


def audio(
    name: str,
    tensor: TensorLike,
    sample_rate: TensorLike,
    max_outputs: int = 3,
    collections: Sequence[str] | None = None,
    family: str | None = None,
) -> Tensor:
    """Creates an audio summary, which can be played in TensorBoard.

    Args:
      name: the node name; the tags consist of it, "/audio" and, if `max_outputs` is more than 1, "/0", "/1" ...
      tensor: float32 tensor [batch, samples, channels] or [batch, samples], clipped to [-1, 1].
      sample_rate: the number of samples per second, a float32 scalar.
      max_outputs: the maximum number of clips to record, from the start of the batch.
      collections: the collections to add the summary to; by default `tf.GraphKeys.SUMMARIES`.
      family: the tag prefix; TensorBoard groups tags by family.

    Returns:
      A scalar string Tensor: a serialized `tf.Summary` with WAV files, for `FileWriter.add_summary`.

    Raises:
      InvalidArgumentError (when run): if `tensor` has a different rank or no samples, or the rate is not positive.

    Example: `tf.summary.audio("voice", tf.audio.decode_wav(data).audio[None], 16000.0)`
    """
    if skip_summary():
        return skipped_summary()
    with summary_scope.summary_scope(name, family, values=[tensor]) as (tag, scope):
        sample_rate = convert_to_tensor(sample_rate, float32, "sample_rate")
        summary = raw.AudioSummaryV2(tag, tensor, sample_rate, max_outputs=max_outputs, name=scope)
        collect(summary, collections, [GraphKeys.SUMMARIES])
    return summary
