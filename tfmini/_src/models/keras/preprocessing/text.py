"""`tf.keras.preprocessing.text`: text as word indices."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

_FILTERS = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n'


def text_to_word_sequence(
    text: str, filters: str = _FILTERS, lower: bool = True, split: str = " "
) -> list[str]:
    """Splits a text into words.

    Args:
      text: the text.
      filters: characters treated as separators.
      lower: whether to convert to lower case.
      split: word separator.

    Example:
      text_to_word_sequence("Hello, world!")  # ["hello", "world"]
    """
    text = text.lower() if lower else text
    parted = text.translate({ord(c): split for c in filters})
    return [word for word in parted.split(split) if word]


def one_hot(
    text: str, n: int, filters: str = _FILTERS, lower: bool = True, split: str = " "
) -> list[int]:
    """Hashes words to indices in [1, n) using Python's `hash`, which differs between processes.

    Args:
      text: the text.
      n: number of indices.
      filters, lower, split: as in `text_to_word_sequence`.
    """
    return hashing_trick(text, n, hash, filters, lower, split)


def _md5(word: str) -> int:
    return int(hashlib.md5(word.encode(), usedforsecurity=False).hexdigest(), 16)


def hashing_trick(
    text: str,
    n: int,
    hash_function: Any = None,
    filters: str = _FILTERS,
    lower: bool = True,
    split: str = " ",
) -> list[int]:
    """Hashes words to indices in [1, n); words may collide.

    Args:
      text: the text.
      n: number of indices.
      hash_function: function from word to integer, "md5", or None for Python's `hash`.
      filters, lower, split: as in `text_to_word_sequence`.
    """
    function = {None: hash, "md5": _md5}.get(hash_function, hash_function)
    words = text_to_word_sequence(text, filters, lower, split)
    return [function(word) % (n - 1) + 1 for word in words]


class Tokenizer:
    """Ranks words by frequency, starting at 1, and converts texts to index lists or matrix rows.

    Args:
      num_words: exclusive upper limit of indices.
      filters, lower, split: as in `text_to_word_sequence`.
      char_level: whether to index characters instead of words.
      oov_token: token for unknown words, with index 1.
      document_count: number of texts already counted.

    Raises:
      TypeError: for other arguments.

    Example:
      tokenizer = tf.keras.preprocessing.text.Tokenizer()
      tokenizer.fit_on_texts(["the cat", "the dog"])
      tokenizer.texts_to_sequences(["the dog"])  # [[1, 3]]
    """

    def __init__(
        self,
        num_words: int | None = None,
        filters: str = _FILTERS,
        lower: bool = True,
        split: str = " ",
        char_level: bool = False,
        oov_token: str | None = None,
        document_count: int = 0,
        **kwargs: Any,
    ):
        if "nb_words" in kwargs:
            warnings.warn(
                "The `nb_words` argument in `Tokenizer` has been renamed `num_words`.", stacklevel=2
            )
            num_words = kwargs.pop("nb_words")
        if kwargs:
            raise TypeError("Unrecognized keyword arguments: " + str(kwargs))
        self.word_counts: Any = OrderedDict()
        self.word_docs: Any = defaultdict(int)
        self.filters = filters
        self.split = split
        self.lower = lower
        self.num_words = num_words
        self.document_count = document_count
        self.char_level = char_level
        self.oov_token = oov_token
        self.index_docs: Any = defaultdict(int)
        self.word_index: dict[Any, int] = {}
        self.index_word: dict[int, Any] = {}

    def _split_text(self, text: Any) -> Any:
        if not self.char_level and not isinstance(text, list):
            return text_to_word_sequence(text, self.filters, self.lower, self.split)
        if not self.lower:
            return text
        return [word.lower() for word in text] if isinstance(text, list) else text.lower()

    def fit_on_texts(self, texts: Iterable[Any]) -> None:
        """Counts words and assigns indices; can be called repeatedly.

        Args:
          texts: strings, or lists of words.
        """
        for text in texts:
            self.document_count += 1
            words = self._split_text(text)
            for word in words:
                self.word_counts[word] = self.word_counts.get(word, 0) + 1
            for word in set(words):
                self.word_docs[word] = self.word_docs.get(word, 0) + 1
        common = sorted(self.word_counts, key=self.word_counts.get, reverse=True)
        first = [] if self.oov_token is None else [self.oov_token]
        self.word_index = {word: i for i, word in enumerate(first + common, 1)}
        self.index_word = {i: word for word, i in self.word_index.items()}
        for word, count in self.word_docs.items():
            self.index_docs[self.word_index[word]] = count

    def fit_on_sequences(self, sequences: Any) -> None:
        """Counts the sequences that contain each index, for `sequences_to_matrix` without texts."""
        self.document_count += len(sequences)
        for sequence in sequences:
            for index in set(sequence):
                self.index_docs[index] = self.index_docs.get(index, 0) + 1

    def texts_to_sequences(self, texts: Iterable[Any]) -> list[list[int]]:
        """Converts texts to lists of word indices."""
        return list(self.texts_to_sequences_generator(texts))

    def texts_to_sequences_generator(self, texts: Iterable[Any]) -> Iterator[list[int]]:
        """Yields texts as lists of word indices; unknown words are dropped or become `oov_token`."""
        other = self.word_index.get(self.oov_token)
        for text in texts:
            indices = []
            for word in self._split_text(text):
                index = self.word_index.get(word)
                if index is None or (self.num_words and index >= self.num_words):
                    index = other
                if index is not None:
                    indices.append(index)
            yield indices

    def sequences_to_texts(self, sequences: Iterable[Any]) -> list[str]:
        """Converts lists of word indices to texts."""
        return list(self.sequences_to_texts_generator(sequences))

    def sequences_to_texts_generator(self, sequences: Iterable[Any]) -> Iterator[str]:
        """Yields lists of word indices as texts with words separated by spaces."""
        number_of_other = self.word_index.get(self.oov_token)
        other = None if number_of_other is None else self.index_word[number_of_other]
        for sequence in sequences:
            words = []
            for index in sequence:
                word = self.index_word.get(index)
                if word is None or (self.num_words and index >= self.num_words):
                    word = other
                if word is not None:
                    words.append(word)
            yield " ".join(words)

    def texts_to_matrix(self, texts: Iterable[Any], mode: str = "binary") -> np.ndarray:
        """Converts texts to rows of a matrix; `mode` is as in `sequences_to_matrix`."""
        return self.sequences_to_matrix(self.texts_to_sequences(texts), mode=mode)

    def sequences_to_matrix(self, sequences: Any, mode: str = "binary") -> np.ndarray:
        """Converts lists of word indices to rows of a matrix with one column per index.

        Args:
          sequences: the lists.
          mode: "binary" (presence), "count", "freq" (relative frequency), or "tfidf".

        Returns:
          Floats [len(sequences), indices].

        Raises:
          ValueError: for another mode, or an unknown number of indices.
        """
        columns = self.num_words or (len(self.word_index) + 1 if self.word_index else None)
        if not columns:
            raise ValueError(
                "Specify a dimension (`num_words` argument), or fit on some text data first."
            )
        if mode == "tfidf" and not self.document_count:
            raise ValueError("Fit the Tokenizer on some data before using tfidf mode.")
        matrix = np.zeros((len(sequences), columns))
        for row, sequence in zip(matrix, sequences):
            for index, count in Counter(n for n in sequence if n < columns).items():
                row[index] = self._weight(mode, index, count, len(sequence))
        return matrix

    def _weight(self, mode: str, index: int, count: int, length: int) -> float:
        if mode == "count":
            return count
        if mode == "freq":
            return count / length
        if mode == "binary":
            return 1
        if mode == "tfidf":
            documents = 1 + self.index_docs.get(index, 0)
            return (1 + np.log(count)) * np.log(1 + self.document_count / documents)
        raise ValueError("Unknown vectorization mode:", mode)

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, together with counts and indices as JSON."""
        return {
            "num_words": self.num_words,
            "filters": self.filters,
            "lower": self.lower,
            "split": self.split,
            "char_level": self.char_level,
            "oov_token": self.oov_token,
            "document_count": self.document_count,
            "word_counts": json.dumps(self.word_counts),
            "word_docs": json.dumps(self.word_docs),
            "index_docs": json.dumps(self.index_docs),
            "index_word": json.dumps(self.index_word),
            "word_index": json.dumps(self.word_index),
        }

    def to_json(self, **kwargs: Any) -> str:
        """Returns the class and config as JSON; `kwargs` is passed to `json.dumps`."""
        return json.dumps(
            {"class_name": type(self).__name__, "config": self.get_config()}, **kwargs
        )
