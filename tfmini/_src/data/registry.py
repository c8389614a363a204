"""Registry of dataset classes by name, through which base class methods create subclasses without importing them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from tfmini._src.graph.attributes import NameAttrList

_kinds: dict[str, Callable] = {}
Kind = TypeVar("Kind", bound=Callable)


def kind(dataset_class: Kind) -> Kind:
    """Registers a dataset class, or a function that returns one."""
    _kinds[dataset_class.__name__] = dataset_class
    return dataset_class


def create(name: str, *args: Any, **kwargs: Any) -> Any:
    """Creates a dataset of the registered kind `name`."""
    return _kinds[name](*args, **kwargs)


def base() -> Any:
    """Returns the class `tf.data.Dataset`."""
    return _kinds["DatasetV1"]


def function_attr(function: Any) -> NameAttrList:
    """Returns the attr that refers to a function in the library of the graph."""
    return NameAttrList(function.name)
