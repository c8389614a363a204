"""`tf.keras.datasets.imdb`: 50,000 movie reviews as word indices."""

from __future__ import annotations

from typing import Any

import numpy as _np

from tfmini._src.models.keras.datasets import dataset_files as _reading, word_sequences as _words
from tfmini._src.models.keras.preprocessing.sequence import _remove_long_seq

_HASH = "69664113be75683a8fe16e3ed0ab59fda8886cb3cd7ada244f7d9544e4676b9f"


def load_data(
    path: str = "imdb.npz",
    num_words: int | None = None,
    skip_top: int = 0,
    maxlen: int | None = None,
    seed: int = 113,
    start_char: int = 1,
    oov_char: int = 2,
    index_from: int = 3,
    **kwargs: Any,
) -> Any:
    """Loads 25,000 training and 25,000 test reviews; label 1 is positive, 0 negative.

    Args:
      path: file name in ~/.keras/datasets, or an absolute path.
      num_words: exclusive upper limit of word indices, which are ordered by descending frequency.
      skip_top: lower limit of word indices.
      maxlen: exclusive upper limit of review lengths.
      seed: seed of numpy's generator for shuffling.
      start_char: index at the start of each review, or None.
      oov_char: replacement index of excluded words; None to drop them.
      index_from: offset added to word indices.
      **kwargs: `nb_words`, a deprecated alias of `num_words`.

    Returns:
      (x_train, y_train), (x_test, y_test): arrays of index lists, and labels int64 [reviews].

    Raises:
      OSError: if the file is missing and cannot be downloaded; the message names the expected path.
      ValueError: if no review is shorter than `maxlen`.
      TypeError: for other arguments.
    """
    num_words = _words.resolve_num_words(num_words, kwargs)
    path = _reading.fetch(path, _HASH, "imdb.npz")
    x, y, x_test, y_test = _reading.arrays(path, "x_train", "y_train", "x_test", "y_test")
    _np.random.seed(seed)
    x, y = _words.shuffle_together(x, y)
    x_test, y_test = _words.shuffle_together(x_test, y_test)
    texts = _words.shift_indices([*x, *x_test], start_char, index_from)
    labels: Any = _np.concatenate([y, y_test])
    if maxlen:
        texts, labels = _remove_long_seq(maxlen, texts, labels)
        if not texts:
            raise ValueError(
                f"After filtering for sequences shorter than maxlen={maxlen}, no sequence was kept. Increase maxlen."
            )
    texts = _words.limit_indices(texts, num_words, skip_top, oov_char)
    return _words.split_at(texts, labels, len(x))


def get_word_index(path: str = "imdb_word_index.json") -> dict[str, int]:
    """Returns the word indices by word, without the offset `index_from`.

    Args:
      path: file name in ~/.keras/datasets, or an absolute path.
    """
    return _words.word_index(path, "imdb_word_index.json", "bfafd718b763782e994055a2d397834f")
