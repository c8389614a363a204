"""`tf.keras.preprocessing.sequence`: padding, skip-grams, time series windows."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np

from tfmini._src.models.keras.utils.sequence_enqueuer import Sequence

_EULER = 0.577  # Euler-Mascheroni constant, to the digits customary here


def pad_sequences(
    sequences: Any,
    maxlen: int | None = None,
    dtype: np.dtype[Any] | type | str = "int32",
    padding: str = "pre",
    truncating: str = "pre",
    value: float | str = 0.0,
) -> np.ndarray:
    """Pads or truncates sequences to the rows of an array.

    Args:
      sequences: a list of sequences.
      maxlen: row length, by default the length of the longest sequence.
      dtype: array dtype.
      padding: "pre" or "post": side of the padding.
      truncating: "pre" or "post": side of the truncation.
      value: padding value.

    Returns:
      An array [len(sequences), maxlen, ...].

    Raises:
      ValueError: for non-sequence elements, different element shapes, or another mode.

    Example:
      pad_sequences([[1], [2, 3]])  # [[0, 1], [2, 3]]
    """
    if not hasattr(sequences, "__len__"):
        raise ValueError("`sequences` must be iterable.")
    lengths = []
    for row in sequences:
        if not hasattr(row, "__len__"):
            raise ValueError(f"`sequences` must be a list of iterables. Found non-iterable: {row}")
        lengths.append(len(row))
    first = next((row for row in sequences if len(row)), ())
    inner = np.asarray(first).shape[1:]
    if maxlen is None:
        maxlen = int(np.max(lengths))
    is_text = any(np.issubdtype(dtype, text_type) for text_type in (np.object_, np.str_))
    if isinstance(value, str) and not is_text:
        raise ValueError(
            f"`dtype` {dtype} is not compatible with `value`'s type: {type(value)}\n"
            "You should set `dtype=object` for variable length strings."
        )
    padded = np.full((len(sequences), maxlen, *inner), value, dtype=dtype)
    for index, row in enumerate(sequences):
        if not len(row):
            continue
        if truncating not in ("pre", "post"):
            raise ValueError(f'Truncating type "{truncating}" not understood')
        array = np.asarray(row[-maxlen:] if truncating == "pre" else row[:maxlen], dtype=dtype)
        if array.shape[1:] != inner:
            raise ValueError(
                f"Shape of sample {array.shape[1:]} of sequence at position {index} is different from expected shape "
                f"{inner}"
            )
        if padding not in ("pre", "post"):
            raise ValueError(f'Padding type "{padding}" not understood')
        if padding == "post":
            padded[index, : len(array)] = array
        else:
            padded[index, -len(array) :] = array
    return padded


def make_sampling_table(size: int, sampling_factor: float = 1e-5) -> np.ndarray:
    """Returns the sampling probabilities of the `size` most common words, decreasing with frequency.

    Frequencies follow Zipf's law; the probability is min(1, sqrt(sampling_factor / frequency)).

    Args:
      size: number of words.
      sampling_factor: sampling factor of word2vec.

    Returns:
      Floats [size].
    """
    rank = np.arange(size)
    rank[0] = 1
    inverse = rank * (np.log(rank) + _EULER) + 0.5 - 1.0 / (12.0 * rank)
    scaled = sampling_factor * inverse
    return np.minimum(1.0, scaled / np.sqrt(scaled))


def skipgrams(
    sequence: Any,
    vocabulary_size: int,
    window_size: int = 4,
    negative_samples: float = 1.0,
    shuffle: bool = True,
    categorical: bool = False,
    sampling_table: Any = None,
    seed: int | None = None,
) -> tuple[list[Any], list[Any]]:
    """Returns skip-grams: pairs of a word with a neighbor (label 1) or a random word (label 0).

    Args:
      sequence: word indices; 0 for no word.
      vocabulary_size: largest index plus one.
      window_size: maximum distance of neighbors.
      negative_samples: number of pairs with label 0 per pair with label 1.
      shuffle: whether to shuffle pairs.
      categorical: whether labels are [0, 1] and [1, 0].
      sampling_table: sampling probability by word index.
      seed: seed of Python's generator, for shuffling.

    Returns:
      A list of pairs and a list of labels.
    """
    yes: Any = [0, 1] if categorical else 1
    negative_label: Any = [1, 0] if categorical else 0
    pairs = []
    for position, word in enumerate(sequence):
        if not word or (sampling_table is not None and sampling_table[word] < random.random()):
            continue
        start, end = max(0, position - window_size), min(len(sequence), position + window_size + 1)
        context_words = (sequence[other] for other in range(start, end) if other != position)
        pairs += [[word, other] for other in context_words if other]
    labels = [yes] * len(pairs)
    if negative_samples > 0:
        count = int(len(pairs) * negative_samples)
        words = [pair[0] for pair in pairs]
        random.shuffle(words)
        pairs += [
            [words[i % len(words)], random.randint(1, vocabulary_size - 1)] for i in range(count)
        ]
        labels += [negative_label] * count
    if shuffle:
        seed = random.randint(0, 10_000_000) if seed is None else seed
        for shuffled in (pairs, labels):
            random.seed(seed)
            random.shuffle(shuffled)
    return pairs, labels


def _remove_long_seq(maxlen: int, seq: Any, label: Any) -> tuple[list, list]:
    """Returns the sequences shorter than `maxlen`, and their labels."""
    selected = [(x, y) for x, y in zip(seq, label) if len(x) < maxlen]
    return [x for x, _ in selected], [y for _, y in selected]


class TimeseriesGenerator(Sequence):
    """Batches of time series windows with the targets that follow them.

    Args:
      data: the series, an array or a list.
      targets: targets, of the same length.
      length: number of elements spanned by a window.
      sampling_rate: sampling interval within a window.
      stride: distance between successive windows.
      start_index: start of the first window.
      end_index: index of the last target.
      shuffle: whether to draw windows at random.
      reverse: whether to reverse windows.
      batch_size: number of windows per batch.

    Raises:
      ValueError: if the number of targets differs, or there are no windows.

    Example:
      TimeseriesGenerator(data, data, length=10, sampling_rate=2, batch_size=2)[0]
    """

    def __init__(
        self,
        data: Any,
        targets: Any,
        length: int,
        sampling_rate: int = 1,
        stride: int = 1,
        start_index: int = 0,
        end_index: int | None = None,
        shuffle: bool = False,
        reverse: bool = False,
        batch_size: int = 128,
    ):
        if len(data) != len(targets):
            raise ValueError(
                f"Data and targets have to be of same length. Data length is {len(data)} while target length is "
                f"{len(targets)}"
            )
        self.data = data
        self.targets = targets
        self.length = length
        self.sampling_rate = sampling_rate
        self.stride = stride
        self.start_index = start_index + length
        self.end_index = len(data) - 1 if end_index is None else end_index
        self.shuffle = shuffle
        self.reverse = reverse
        self.batch_size = batch_size
        if self.start_index > self.end_index:
            raise ValueError(
                f"`start_index+length={self.start_index} > end_index={self.end_index}` is disallowed, as no part of "
                "the sequence would be left to be used as current step."
            )

    def __len__(self) -> int:
        span = self.batch_size * self.stride
        return (self.end_index - self.start_index + span) // span

    def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
        """Returns the batch at `index`: windows [batch, steps, ...] and targets [batch, ...]."""
        if self.shuffle:
            ends = np.random.randint(self.start_index, self.end_index + 1, size=self.batch_size)
        else:
            span = self.batch_size * self.stride
            first = self.start_index + span * index
            ends = np.arange(first, min(first + span, self.end_index + 1), self.stride)
        windows = np.array(
            [self.data[end - self.length : end : self.sampling_rate] for end in ends]
        )
        targets = np.array([self.targets[end] for end in ends])
        return (windows[:, ::-1, ...] if self.reverse else windows), targets

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, with data and targets as JSON and `start_index` increased by the length.

        Raises:
          TypeError: if data or targets are not representable in JSON.
        """

        def to_json(value: Any, name: str) -> str:
            try:
                return json.dumps(value.tolist() if isinstance(value, np.ndarray) else value)
            except TypeError:
                raise TypeError(f"{name} not JSON Serializable:", value) from None

        return {
            "data": to_json(self.data, "Data"),
            "targets": to_json(self.targets, "Targets"),
            "length": self.length,
            "sampling_rate": self.sampling_rate,
            "stride": self.stride,
            "start_index": self.start_index,
            "end_index": self.end_index,
            "shuffle": self.shuffle,
            "reverse": self.reverse,
            "batch_size": self.batch_size,
        }

    def to_json(self, **kwargs: Any) -> str:
        """Returns the class and arguments as JSON; `kwargs` is passed to `json.dumps`."""
        config = {"class_name": type(self).__name__, "config": self.get_config()}
        return json.dumps(config, **kwargs)
