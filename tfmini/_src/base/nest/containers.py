"""Tree branches: classification, traversal, and construction of a similar branch."""

import array
import enum
import functools
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, MappingView, Sequence
from typing import Any

Kind = enum.IntEnum("Kind", "LEAF COMPOSITE SPEC SEQUENCE NAMED MAPPING VIEW ATTRS")


@functools.lru_cache(maxsize=1024)
def node_kind(cls: type) -> Kind:
    """Returns the kind of tree node of a class's instances."""
    if issubclass(cls, Mapping):
        return Kind.MAPPING
    if issubclass(cls, MappingView):
        return Kind.VIEW
    if hasattr(cls, "__attrs_attrs__"):
        return Kind.ATTRS
    if issubclass(cls, Sequence) and not issubclass(cls, (str, bytes, array.array)):
        fields = getattr(cls, "_fields", None)
        is_named = issubclass(cls, tuple) and isinstance(fields, Sequence)
        named = is_named and all(isinstance(field, str) for field in fields or ())
        return Kind.NAMED if named else Kind.SEQUENCE
    if hasattr(cls, "_to_components") and hasattr(cls, "_type_spec"):
        return Kind.COMPOSITE
    if hasattr(cls, "_from_components") and hasattr(cls, "_component_specs"):
        return Kind.SPEC
    return Kind.LEAF


def is_branch(value: Any, expand_composites: bool) -> bool:
    """Whether a value is traversed as a branch."""
    return node_kind(value.__class__) > (Kind.LEAF if expand_composites else Kind.SPEC)


def is_composite(value: Any) -> bool:
    return node_kind(value.__class__) is Kind.COMPOSITE


def is_spec(value: Any) -> bool:
    return node_kind(value.__class__) is Kind.SPEC


def is_mapping(value: Any) -> bool:
    return node_kind(value.__class__) is Kind.MAPPING


def is_attrs(value: Any) -> bool:
    return node_kind(value.__class__) is Kind.ATTRS


def is_namedtuple(instance: Any, strict: bool = False) -> bool:
    cls = instance.__class__
    return node_kind(cls) is Kind.NAMED and (not strict or cls.__base__ is tuple)


def same_namedtuples(first: Any, second: Any) -> bool:
    a, b = first.__class__, second.__class__
    return a.__name__ == b.__name__ and a._fields == b._fields


def is_sequence(o: Any) -> bool:
    """Whether a value is a branch: a non-string sequence, a mapping, or an `attrs` instance."""
    return node_kind(o.__class__) > Kind.SPEC


def is_sequence_or_composite(o: Any) -> bool:
    """Whether a value is a branch, including composite tensors and their type specs."""
    return node_kind(o.__class__) > Kind.LEAF


def branch_test(expand_composites: bool) -> Callable[[Any], bool]:
    return is_sequence_or_composite if expand_composites else is_sequence


def is_nested(seq: Any) -> bool:
    """Whether a value is a branch: a non-string sequence, a mapping, or an `attrs` instance."""
    return node_kind(seq.__class__) > Kind.SPEC


def items(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Yields the (key, subtree) pairs of a branch in traversal order."""
    kind = node_kind(tree.__class__)
    if kind is Kind.MAPPING:
        for key in _sorted_keys(tree):
            yield key, tree[key]
    elif kind is Kind.ATTRS:
        for attribute in tree.__class__.__attrs_attrs__:
            yield attribute.name, getattr(tree, attribute.name)
    elif kind is Kind.NAMED:
        for field in tree._fields:
            yield field, getattr(tree, field)
    elif kind is Kind.COMPOSITE:
        yield tree.__class__.__name__, tree._to_components()
    elif kind is Kind.SPEC:
        yield tree.value_type.__name__, tree._component_specs
    else:
        yield from enumerate(tree)


def _sorted_keys(mapping: Any) -> list[Any]:
    try:
        return sorted(mapping)
    except TypeError:
        raise TypeError("nest only supports dicts with sortable keys.") from None


def subtrees(tree: Any) -> Iterator[Any]:
    """Yields the subtrees of a branch in traversal order."""
    for _, subtree in items(tree):
        yield subtree


def children(tree: Any) -> Any:
    """Returns the subtrees of a branch, in order."""
    kind = node_kind(tree.__class__)
    if kind is Kind.SEQUENCE or kind is Kind.NAMED or kind is Kind.VIEW:
        return tree
    if kind is Kind.MAPPING:
        return [tree[key] for key in sorted(tree)]
    return list(subtrees(tree))


def sequence_like(instance: Any, args: Any) -> Any:
    """Creates a branch of the same kind and class as `instance` with other subtrees."""
    cls = instance.__class__
    kind = node_kind(cls)
    if kind is Kind.MAPPING:
        values = dict(zip(_sorted_keys(instance), args))
        pairs = [(key, values[key]) for key in instance]
        return defaultdict(instance.default_factory, pairs) if cls is defaultdict else cls(pairs)
    if kind is Kind.NAMED or kind is Kind.ATTRS:
        return cls(*args)
    if kind is Kind.COMPOSITE:
        return instance._type_spec._from_components(*args)
    if kind is Kind.SPEC:
        return instance._from_components(*args)
    return list(args) if kind is Kind.VIEW or cls is range else cls(args)
