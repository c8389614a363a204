"""Storage of queue elements, by dequeue order."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

from tfmini._src.base.fresh_seeds import fresh_if_zero
from tfmini._src.devices.numpy.philox_words import Words

# One element: an array for each component.
Element = tuple[Any, ...]


class Fifo:
    """Elements in first-in, first-out order."""

    keeps_order = True

    def __init__(self) -> None:
        self._elements: deque[Element] = deque()

    def __len__(self) -> int:
        return len(self._elements)

    def push(self, element: Element) -> None:
        self._elements.append(element)

    def push_many(self, elements: Iterable[Element]) -> None:
        self._elements.extend(elements)

    def pop(self) -> Element:
        return self._elements.popleft()

    def pop_many(self, count: int) -> list[Element]:
        elements = self._elements
        if count < len(elements):
            pop = elements.popleft
            return [pop() for _ in range(count)]
        result = [*elements]
        elements.clear()
        return result

    def restore(self, elements: Sequence[Element]) -> None:
        """Puts popped elements back in order."""
        self._elements.extendleft(reversed(elements))


class ShuffledStorage:
    """Elements in random order, drawn from TensorFlow's random stream with one word per element."""

    keeps_order = False

    def __init__(self, seed: int, seed2: int):
        self._words = Words(fresh_if_zero(seed, seed2))
        self._elements: list[Element] = []

    def __len__(self) -> int:
        return len(self._elements)

    def push(self, element: Element) -> None:
        self._elements.append(element)

    def push_many(self, elements: Iterable[Element]) -> None:
        self._elements.extend(elements)

    def pop(self) -> Element:
        return self.pop_many(1)[0]

    def pop_many(self, count: int) -> list[Element]:
        elements = self._elements
        result: list[Element] = []
        append, size = result.append, len(elements)
        while len(result) < count:
            for word in self._words.several(count - len(result)):
                index = word % size
                size -= 1
                append(elements[index])
                elements[index] = elements[size]
        del elements[size:]
        return result

    def restore(self, elements: Sequence[Element]) -> None:
        self._elements.extend(elements)


class MinHeap:
    """Elements in ascending order of their first component, with ties ordered as in C++'s heap and TensorFlow."""

    keeps_order = False

    def __init__(self) -> None:
        self._heap: list[tuple[int, Element]] = []

    def __len__(self) -> int:
        return len(self._heap)

    def push(self, element: Element) -> None:
        self._heap.append((int(element[0]), element))
        self._sift_up(len(self._heap) - 1, self._heap[-1])

    def push_many(self, elements: Iterable[Element]) -> None:
        for element in elements:
            self.push(element)

    def pop(self) -> Element:
        heap = self._heap
        first, last = heap[0], heap.pop()
        if heap:
            parent, child = 0, 2
            while child < len(heap):
                if heap[child][0] > heap[child - 1][0]:
                    child -= 1
                heap[parent], parent = heap[child], child
                child = 2 * (parent + 1)
            if child == len(heap):
                heap[parent], parent = heap[child - 1], child - 1
            self._sift_up(parent, last)
        return first[1]

    def pop_many(self, count: int) -> list[Element]:
        return [self.pop() for _ in range(count)]

    def restore(self, elements: Sequence[Element]) -> None:
        self.push_many(elements)

    def _sift_up(self, child: int, item: tuple[int, Element]) -> None:
        heap = self._heap
        while child and heap[(child - 1) // 2][0] > item[0]:
            heap[child], child = heap[(child - 1) // 2], (child - 1) // 2
        heap[child] = item
