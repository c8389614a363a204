"""Shifts, limits and splits the word indices of text datasets."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from tfmini._src.base import logs
from tfmini._src.models.keras.datasets import dataset_files


def resolve_num_words(num_words: Any, kwargs: dict[str, Any]) -> Any:
    """Returns `num_words`, or the value of its deprecated alias; raises TypeError for other arguments."""
    if "nb_words" in kwargs:
        logs.warning("The `nb_words` argument in `load_data` has been renamed `num_words`.")
        num_words = kwargs.pop("nb_words")
    if kwargs:
        raise TypeError("Unrecognized keyword arguments: " + str(kwargs))
    return num_words


def shuffle_together(*arrays: np.ndarray) -> list[np.ndarray]:
    """Shuffles arrays in the same order."""
    order = np.arange(len(arrays[0]))
    np.random.shuffle(order)
    return [array[order] for array in arrays]


def shift_indices(texts: Any, start_char: Any, index_from: int) -> list[list[int]]:
    """Shifts word indices by `index_from` and prepends `start_char` if given."""
    if start_char is not None:
        return [[start_char, *(word + index_from for word in text)] for text in texts]
    return [[word + index_from for word in text] for text in texts] if index_from else list(texts)


def limit_indices(texts: list, num_words: Any, skip_top: int, oov_char: Any) -> list[list[int]]:
    """Replaces word indices outside [skip_top, num_words) by `oov_char`, or drops them if `oov_char` is None."""
    end = num_words or max(max(text) for text in texts)
    if oov_char is None:
        return [[word for word in text if skip_top <= word < end] for text in texts]
    return [[word if skip_top <= word < end else oov_char for word in text] for text in texts]


def split_at(texts: list, labels: Any, count: int) -> Any:
    """Splits texts and labels into the first `count` examples and the rest."""
    return (
        (_lists(texts[:count]), np.array(labels[:count])),
        (_lists(texts[count:]), np.array(labels[count:])),
    )


def _lists(texts: list) -> np.ndarray:
    """Returns an object array of lists, or a numeric array if all lists have equal length."""
    if len({len(text) for text in texts}) <= 1:
        return np.array(texts)
    lists = np.empty(len(texts), object)
    lists[:] = texts
    return lists


def word_index(path: str, name: str, file_hash: str) -> dict[str, int]:
    """Returns the word indices by word, from a JSON file."""
    with open(dataset_files.fetch(path, file_hash, name), encoding="utf-8") as file:
        return json.load(file)
