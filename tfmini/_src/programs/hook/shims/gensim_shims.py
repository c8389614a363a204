"""Word vectors of gensim before version 4: their vocabulary and names, words looked up in a model, old arguments."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any

from gensim import models

_RENAMED_ARGUMENTS = {"size": "vector_size", "iter": "epochs"}
_VECTOR_ATTRIBUTES = ("index2entity", "index2word", "syn0", "vocab")
_VECTOR_METHODS = (
    *("__contains__", "__getitem__", "doesnt_match", "most_similar", "n_similarity"),
    *("similar_by_vector", "similar_by_word", "similarity", "wmdistance"),
)


def restore_version_3() -> None:
    """Adds the removed attributes, methods and arguments to gensim's classes."""
    vectors = models.KeyedVectors
    vectors.index2entity = vectors.index2word = property(lambda self: self.index_to_key)
    vectors.syn0 = property(lambda self: self.vectors)
    vectors.vocab = property(Vocabulary)
    vectors.wv = property(lambda self: self)
    for model in (models.Word2Vec, models.FastText, models.Doc2Vec):
        model.__init__ = _with_old_arguments(model.__init__)
        for name in _VECTOR_ATTRIBUTES:
            setattr(model, name, property(functools.partial(_vector_attribute, name)))
        for name in _VECTOR_METHODS:
            if not hasattr(model, name):
                setattr(model, name, _vector_method(name))


class Vocabulary(Mapping):
    """The words of vectors; a word's value has its `index` and its `count` in the corpus."""

    def __init__(self, vectors: Any) -> None:
        self._vectors = vectors

    def __getitem__(self, word: str) -> SimpleNamespace:
        index = self._vectors.key_to_index[word]
        return SimpleNamespace(index=index, count=self._vectors.get_vecattr(word, "count"))

    def __contains__(self, word: object) -> bool:
        return word in self._vectors.key_to_index

    def __iter__(self) -> Iterator[str]:
        return iter(self._vectors.key_to_index)

    def __len__(self) -> int:
        return len(self._vectors.key_to_index)


def _vector_attribute(name: str, model: Any) -> Any:
    return getattr(model.wv, name)


def _vector_method(name: str) -> Callable:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(self.wv, name)(*args, **kwargs)

    return method


def _with_old_arguments(initialize: Callable) -> Callable:
    @functools.wraps(initialize)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        renamed = {_RENAMED_ARGUMENTS.get(name, name): value for name, value in kwargs.items()}
        initialize(self, *args, **renamed)

    return __init__
