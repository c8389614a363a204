"""A vocabulary that grows on lookup until it is frozen."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.deprecation import deprecated

ADVICE = "Please use tensorflow/transform or tf.data."


class CategoricalVocabulary:
    """Assigns ids to words, or any hashable keys, in order of first use; 0 is for unknown ones.

    Args:
      unknown_token: word for id 0.
      support_reverse: whether to support `reverse`.
    """

    @deprecated(None, ADVICE)
    def __init__(self, unknown_token: str = "<UNK>", support_reverse: bool = True) -> None:
        self._support_reverse = support_reverse
        self._unknown_token = unknown_token
        self._freq: dict[Any, int] = {}
        self._freeze = False
        self._assign_ids([])

    def _assign_ids(self, categories: list[Any]) -> None:
        """Assigns ids to the categories, starting at 1."""
        self._reverse_mapping = [self._unknown_token, *categories]
        self._mapping = {
            category: category_id for category_id, category in enumerate(self._reverse_mapping)
        }

    def __len__(self) -> int:
        """Returns the number of categories, including the unknown one."""
        return len(self._mapping)

    def freeze(self, freeze: bool = True) -> None:
        """Freezes the vocabulary, so that new words are unknown, or unfreezes it."""
        self._freeze = freeze

    def get(self, category: Any) -> int:
        """Returns the id of a word; an unseen word gets a new id, or 0 if the vocabulary is frozen."""
        if category not in self._mapping and not self._freeze:
            self._mapping[category] = len(self._mapping)
            self._reverse_mapping.append(category)
        return self._mapping.get(category, 0)

    def add(self, category: Any, count: int = 1) -> None:
        """Adds `count` to a word's frequency."""
        if self.get(category) > 0:
            self._freq[category] = self._freq.get(category, 0) + count

    def trim(self, min_frequency: int, max_frequency: int = -1) -> None:
        """Keeps the words seen more than `min_frequency` times, renumbered by frequency.

        Args:
          min_frequency: words with this count or less are dropped.
          max_frequency: words with this count or more are dropped, if it is above 0.
        """
        by_name = sorted(self._freq.items(), key=lambda item: (isinstance(item[0], str), item[0]))
        sorted_items = sorted(by_name, key=lambda item: item[1], reverse=True)
        selected = [
            category
            for category, count in sorted_items
            if count > min_frequency and not 0 < max_frequency <= count
        ]
        self._assign_ids(selected)
        self._freq = dict(sorted_items[: len(selected)])

    def reverse(self, class_id: int) -> Any:
        """Returns the word with a given id.

        Raises:
          ValueError: if the vocabulary was created with `support_reverse=False`.
          IndexError: if no word has this id.
        """
        if not self._support_reverse:
            raise ValueError(
                "This vocabulary wasn't initialized with support_reverse to support reverse() function."
            )
        return self._reverse_mapping[class_id]
