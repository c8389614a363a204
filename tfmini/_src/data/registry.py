"""Registry of dataset classes by name, through which base class methods create subclasses without importing them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from tfmini._src.graph.attributes import NameAttrList

_dataset_classes: dict[str, Callable] = {}
Kind = TypeVar("Kind", bound=Callable)


def register_dataset(dataset_class: Kind) -> Kind:
    """Registers a dataset class, or a function that returns one."""
    _dataset_classes[dataset_class.__name__] = dataset_class
    return dataset_class


def create(name: str, *args: Any, **kwargs: Any) -> Any:
    """Creates a dataset of the registered kind `name`."""
    return _dataset_classes[name](*args, **kwargs)


def base() -> Any:
    """Returns the class `tf.data.Dataset`."""
    return _dataset_classes["DatasetV1"]


def function_attr(function: Any) -> NameAttrList:
    """Returns the attr that refers to a function in the library of the graph."""
    return NameAttrList(function.name)
