"""Shuffling and repeating in readers of several files."""

from __future__ import annotations

from typing import Any

from tfmini._src.data.experimental.shuffle_and_repeat import _ShuffleAndRepeat


def shuffle_and_repeat_dataset(
    dataset: Any, epochs: Any, shuffle: bool, size: Any, seed: Any
) -> Any:
    """Returns the dataset repeated `epochs` times, optionally shuffled with one buffer across epochs."""
    if epochs != 1 and shuffle:
        return dataset.apply(lambda source: _ShuffleAndRepeat(source, size, epochs, seed))
    if shuffle:
        return dataset.shuffle(size, seed)
    if epochs != 1:
        return dataset.repeat(epochs)
    return dataset
