"""Maps documents to rows of word ids, using a vocabulary, or to rows of bytes."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.names.safety import is_safe
from tfmini._src.contrib.learn.preprocessing.categorical_vocabulary import (
    ADVICE,
    CategoricalVocabulary,
)
from tfmini._src.formats.gfile import GFile
from tfmini._src.graph.tensor import TensorLike

# Capitals not followed by a lowercase letter; capitalized words, up to the next capital; letters, digits, ' and
# -.
TOKENIZER_RE = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z][a-z]+(?=[A-Z])|[\'\w\-]+", re.UNICODE)


@deprecated(None, ADVICE)
def tokenizer(iterator: Iterable[str]) -> Iterator[list[str]]:
    """Yields a list of words per document."""
    return (TOKENIZER_RE.findall(document) for document in iterator)


class ByteProcessor:
    """Maps documents to their UTF-8 bytes, in rows of a fixed length.

    Args:
      max_document_length: number of bytes per row: longer documents are truncated, shorter ones padded with 0.
    """

    @deprecated(None, ADVICE)
    def __init__(self, max_document_length: int) -> None:
        self.max_document_length = max_document_length

    def fit(self, x: TensorLike) -> None:
        """Does nothing: bytes need no vocabulary."""

    def fit_transform(self, x: Iterable[str | bytes]) -> Iterator[np.ndarray]:
        """Same as `transform`."""
        return self.transform(x)

    def transform(self, x: Iterable[str | bytes]) -> Iterator[np.ndarray]:
        """Yields a uint8 row of bytes for each document."""
        for document in x:
            data = document.encode("utf-8") if isinstance(document, str) else document
            row = np.frombuffer(data[: self.max_document_length], np.uint8)
            yield np.pad(row, (0, self.max_document_length - len(row)))

    def reverse(self, x: Iterable[np.ndarray]) -> Iterator[str]:
        """Yields the text of each row without trailing zeros, "" for invalid UTF-8."""
        for row in x:
            try:
                yield np.trim_zeros(row.astype(np.int8), trim="b").tobytes().decode("utf-8")
            except UnicodeDecodeError:
                yield ""


class VocabularyProcessor:
    """Maps documents to the ids of their words, in rows of a fixed length.

    Args:
      max_document_length: number of ids per row: longer documents are truncated, shorter ones padded with 0.
      min_frequency: only words seen more often are assigned ids; 0 for all.
      vocabulary: an initial `CategoricalVocabulary`.
      tokenizer_fn: returns lists of words for an iterable of documents; by default, a regular expression finds names,
        words and numbers.

    Attributes:
      vocabulary_: the vocabulary.

    Example:
      processor = tf.contrib.learn.preprocessing.VocabularyProcessor(4)
      x = np.array(list(processor.fit_transform(["a cat", "a dog and a cat"])))  # [[1, 2, 0, 0], [1, 3, 4, 1]]
    """

    @deprecated(None, ADVICE)
    def __init__(
        self,
        max_document_length: int,
        min_frequency: int = 0,
        vocabulary: CategoricalVocabulary | None = None,
        tokenizer_fn: Callable[[Iterable[str]], Iterable[list[str]]] | None = None,
    ) -> None:
        self.max_document_length = max_document_length
        self.min_frequency = min_frequency
        self.vocabulary_ = vocabulary or CategoricalVocabulary()
        self._tokenizer = tokenizer_fn or tokenizer

    def fit(self, raw_documents: Iterable[str], unused_y: object = None) -> VocabularyProcessor:
        """Learns the words of the documents and freezes the vocabulary; returns itself."""
        for words in self._tokenizer(raw_documents):
            for word in words:
                self.vocabulary_.add(word)
        if self.min_frequency > 0:
            self.vocabulary_.trim(self.min_frequency)
        self.vocabulary_.freeze()
        return self

    def fit_transform(
        self, raw_documents: Iterable[str], unused_y: object = None
    ) -> Iterator[np.ndarray]:
        """Learns the words of the documents and returns their rows, in two passes."""
        return self.fit(raw_documents).transform(raw_documents)

    def transform(self, raw_documents: Iterable[str]) -> Iterator[np.ndarray]:
        """Yields a row of int64 ids for each document."""
        for words in self._tokenizer(raw_documents):
            row = np.zeros(self.max_document_length, np.int64)
            shortened_words = words[: self.max_document_length]
            row[: len(shortened_words)] = [self.vocabulary_.get(word) for word in shortened_words]
            yield row

    def reverse(self, documents: Iterable[Iterable[int]]) -> Iterator[str]:
        """Yields the words of each row, joined by spaces; `<UNK>` for 0."""
        for row in documents:
            yield " ".join(self.vocabulary_.reverse(word_id) for word_id in row)

    def save(self, filename: str) -> None:
        """Pickles the processor with its vocabulary to a file."""
        with GFile(filename, "wb") as file:
            file.write(pickle.dumps(self))

    @classmethod
    def restore(cls, filename: str) -> VocabularyProcessor:
        """Loads a processor written by `save`. As it is a pickle, load it only from a trusted source.

        Raises:
          ValueError: if TFMINI_SAFE disallows pickles.
        """
        if is_safe():
            raise ValueError(f"{filename} is a pickle, which TFMINI_SAFE rejects")
        with GFile(filename, "rb") as file:
            return pickle.loads(file.read())
