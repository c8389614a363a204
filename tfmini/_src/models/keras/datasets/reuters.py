"""`tf.keras.datasets.reuters`: 11,228 newswires on 46 topics as word indices."""

from __future__ import annotations

from typing import Any

import numpy as _np

from tfmini._src.models.keras.datasets import dataset_files as _reading, word_sequences as _words
from tfmini._src.models.keras.preprocessing.sequence import _remove_long_seq

_HASH = "d6586e694ee56d7a4e65172e12b3e987c03096cb01eab99753921ef915959916"


def load_data(
    path: str = "reuters.npz",
    num_words: int | None = None,
    skip_top: int = 0,
    maxlen: int | None = None,
    test_split: float = 0.2,
    seed: int = 113,
    start_char: int = 1,
    oov_char: int = 2,
    index_from: int = 3,
    **kwargs: Any,
) -> Any:
    """Loads the newswires, split into training and test data.

    Args:
      path: file name in ~/.keras/datasets, or an absolute path.
      test_split: fraction of examples used for testing.
      num_words, skip_top, maxlen, seed, start_char, oov_char, index_from: as in `imdb.load_data`.
      **kwargs: `nb_words`, a deprecated alias of `num_words`.

    Returns:
      (x_train, y_train), (x_test, y_test): arrays of index lists, and topics int64 [newswires].

    Raises:
      OSError: if the file is missing and cannot be downloaded; the message names the expected path.
      TypeError: for other arguments.
    """
    num_words = _words.resolve_num_words(num_words, kwargs)
    x, topics = _reading.arrays(_reading.fetch(path, _HASH, "reuters.npz"), "x", "y")
    _np.random.seed(seed)
    x, topics = _words.shuffle_together(x, topics)
    labels: Any = topics
    texts: Any = _words.shift_indices(x, start_char, index_from)
    if maxlen:
        texts, labels = _remove_long_seq(maxlen, texts, labels)
    texts = _words.limit_indices(texts, num_words, skip_top, oov_char)
    return _words.split_at(texts, labels, int(len(texts) * (1 - test_split)))


def get_word_index(path: str = "reuters_word_index.json") -> dict[str, int]:
    """Returns the word indices by word, without the offset `index_from`.

    Args:
      path: file name in ~/.keras/datasets, or an absolute path.
    """
    return _words.word_index(path, "reuters_word_index.json", "4d44cc38712099c9e383dc6e5f11a921")
