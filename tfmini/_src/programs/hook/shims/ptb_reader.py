"""`tensorflow.models.rnn.ptb.reader`: the Penn Treebank as word ids, as in the tutorial."""

from __future__ import annotations

import collections
import os
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

import tfmini as tf


def ptb_raw_data(data_path: str | None = None) -> tuple[list[int], list[int], list[int], int]:
    """Returns the three texts in a directory as word ids; id 0 is the most frequent word.

    Args:
      data_path: the directory with ptb.train.txt, ptb.valid.txt and ptb.test.txt.

    Returns:
      The word ids of each text, and the vocabulary size. Words missing in the training text are skipped.

    Raises:
      OSError: if a file is missing.
    """
    train, valid, test = (
        os.path.join(data_path or "", f"ptb.{part}.txt") for part in ("train", "valid", "test")
    )
    word_ids = _build_vocab(train)
    texts = [_file_to_word_ids(path, word_ids) for path in (train, valid, test)]
    return texts[0], texts[1], texts[2], len(word_ids)


def ptb_iterator(
    raw_data: Sequence[int], batch_size: int, num_steps: int
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yields pairs of ints [batch_size, num_steps]: words and successors, from `batch_size` parts in parallel."""
    length = len(raw_data) // batch_size
    parts = np.array(raw_data[: length * batch_size], np.int32).reshape(batch_size, length)
    steps = (length - 1) // num_steps
    if steps == 0:
        raise ValueError("epoch_size == 0, decrease batch_size or num_steps")
    for start in range(0, steps * num_steps, num_steps):
        yield parts[:, start : start + num_steps], parts[:, start + 1 : start + num_steps + 1]


def ptb_producer(
    raw_data: Any, batch_size: Any, num_steps: Any, name: str | None = None
) -> tuple[tf.Tensor, tf.Tensor]:
    """Returns the pairs of `ptb_iterator` as tensors that step through the epoch; queue runners must run.

    Args:
      raw_data: word ids.
      batch_size: the number of rows of a batch.
      num_steps: the number of columns of a batch.
      name: the name scope, "PTBProducer" by default.

    Returns:
      Two tensors int32 [batch_size, num_steps].

    Raises:
      InvalidArgumentError: at run time, if the data is too short for one batch.
    """
    with tf.name_scope(name, "PTBProducer", [raw_data, batch_size, num_steps]):
        data = tf.convert_to_tensor(raw_data, name="raw_data", dtype=tf.int32)
        length = tf.size(data) // batch_size
        rows = tf.reshape(data[: batch_size * length], [batch_size, length])
        steps = (length - 1) // num_steps
        size_check = tf.assert_positive(
            steps, message="epoch_size == 0, decrease batch_size or num_steps"
        )
        with tf.control_dependencies([size_check]):
            steps = tf.identity(steps, name="epoch_size")
        step = tf.train.range_input_producer(steps, shuffle=False).dequeue()
        x, y = (
            tf.strided_slice(
                rows,
                [0, step * num_steps + offset],
                [batch_size, (step + 1) * num_steps + offset],
            )
            for offset in (0, 1)
        )
        for words in (x, y):
            words.set_shape([batch_size, num_steps])
        return x, y


def _read_words(filename: str) -> list[str]:
    with open(filename, encoding="utf-8") as file:
        return file.read().replace("\n", "<eos>").split()


def _build_vocab(filename: str) -> dict[str, int]:
    """Returns the id of each word; ids are assigned by descending frequency, then alphabetically."""
    counts = collections.Counter(_read_words(filename))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return {word: word_id for word_id, word in enumerate(words)}


def _file_to_word_ids(filename: str, word_to_id: dict[str, int]) -> list[int]:
    return [word_to_id[word] for word in _read_words(filename) if word in word_to_id]
