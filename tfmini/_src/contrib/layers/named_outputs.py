"""Collections of tensors under aliases."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from tfmini._src.graph.collections import add_to_collections, get_collection
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.tensor import TensorLike


class NamedOutputs(NamedTuple):
    """Outputs with an alias."""

    name: str
    outputs: Any


def collect_named_outputs(collections: Sequence[str], alias: str, outputs: Any) -> Any:
    """Adds `outputs` to collections under the name `alias`, and returns them.

    Args:
      collections: a key or keys of collections, or None.
      alias: a name; a trailing slash is dropped.
      outputs: a tensor.

    Example:
      slim.utils.collect_named_outputs("end_points", "vgg/conv1", net)
    """
    if collections:
        append_tensor_alias(outputs, alias)
        add_to_collections(collections, outputs)
    return outputs


def append_tensor_alias(tensor: Any, alias: str) -> Any:
    """Appends `alias` to the tensor's list `aliases`; returns the tensor."""
    tensor.aliases = [*getattr(tensor, "aliases", []), alias.removesuffix("/")]
    return tensor


def gather_tensors_aliases(tensors: Iterable[TensorLike]) -> list[str]:
    """Returns the aliases of all the tensors, in one list."""
    return [alias for tensor in tensors for alias in get_tensor_aliases(tensor)]


def get_tensor_aliases(tensor: Any) -> list[str]:
    """Returns a tensor's `aliases`; else its name, without ":0"."""
    if hasattr(tensor, "aliases"):
        return tensor.aliases
    return [tensor.name.removesuffix(":0")]


def convert_collection_to_dict(collection: str, clear_collection: bool = False) -> OrderedDict:
    """Returns the tensors of a collection by alias, in insertion order.

    Args:
      collection: collection key.
      clear_collection: whether to empty it.
    """
    tensors = get_collection(collection)
    result = OrderedDict((alias, x) for x in tensors for alias in get_tensor_aliases(x))
    if clear_collection:
        get_default_graph().clear_collection(collection)
    return result


def get_variable_collections(variables_collections: str | Sequence[str] | None, name: str) -> Any:
    """Returns the collections of a variable: its entry in a dict, or the whole list."""
    if isinstance(variables_collections, dict):
        return variables_collections.get(name, None)
    return variables_collections
