"""Nested structures of dataset elements: tuples, named tuples and dicts. A list is a leaf, converted to a
tensor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any


def is_sequence(value: Any) -> bool:
    """Whether a structure is nested rather than a leaf."""
    return isinstance(value, Mapping) or (isinstance(value, tuple) and not _is_sparse(value))


def _is_sparse(value: tuple) -> bool:
    return getattr(value, "_fields", None) == ("indices", "values", "dense_shape")


def _keys(mapping: Mapping) -> list:
    return sorted(mapping)


def _children(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        return [value[key] for key in _keys(value)]
    return list(value)


def _structure_like(value: Any, parts: Sequence[Any]) -> Any:
    """Returns a structure of the type of `value` with the given parts."""
    if isinstance(value, Mapping):
        parts_by_key = dict(zip(_keys(value), parts))
        return type(value)((key, parts_by_key[key]) for key in value)  # type: ignore[call-arg]
    if hasattr(value, "_fields"):
        return type(value)(*parts)
    return type(value)(parts)


def flatten(structure: Any) -> list[Any]:
    """Returns the leaves in order; leaves of dicts are sorted by key."""
    if not is_sequence(structure):
        return [structure]
    return [leaf for part in _children(structure) for leaf in flatten(part)]


def pack_sequence_as(structure: Any, flat: Sequence[Any]) -> Any:
    """Returns the leaves `flat` in the form of `structure`."""
    if not isinstance(flat, list | tuple | Mapping):
        raise TypeError("flat_sequence must be a sequence")
    if not is_sequence(structure):
        if len(flat) != 1:
            raise ValueError(f"Structure is a scalar but len(flat_sequence) == {len(flat)} > 1")
        return flat[0]
    count = len(flatten(structure))
    if count != len(flat):
        raise ValueError(
            f"Could not pack sequence. Structure had {count} elements, but flat_sequence had {len(flat)} elements.  "
            f"Structure: {structure}, flat_sequence: {flat}."
        )
    return _pack_leaves(structure, iter(flat))


def _pack_leaves(structure: Any, leaves: Iterator[Any]) -> Any:
    if not is_sequence(structure):
        return next(leaves)
    return _structure_like(structure, [_pack_leaves(part, leaves) for part in _children(structure)])


def map_structure(function: Callable, *structures: Any, **check_types: bool) -> Any:
    """Applies `function` to corresponding leaves; the result has the structure of the first argument."""
    if not callable(function):
        raise TypeError(f"func must be callable, got: {function}")
    if not structures:
        raise ValueError("Must provide at least one structure")
    if check_types and set(check_types) != {"check_types"}:
        raise ValueError("Only valid keyword argument is check_types")
    for other in structures[1:]:
        assert_same_structure(structures[0], other, **check_types)
    flat = zip(*map(flatten, structures))
    return pack_sequence_as(structures[0], [function(*leaves) for leaves in flat])


def assert_same_structure(first: Any, second: Any, check_types: bool = True) -> None:
    """Raises ValueError for different structures and, with `check_types`, TypeError for different sequence types."""
    difference = _difference(first, second, check_types)
    if difference is not None:
        error_class, reason = difference
        raise error_class(
            f"The two structures don't have the same nested structure.\n\nFirst structure: {_describe(first)}\n\n"
            f"Second structure: {_describe(second)}\n\nMore specifically: {reason}"
        )


def _difference(first: Any, second: Any, check_types: bool) -> tuple[type[Exception], str] | None:
    """Returns the error type and message for the first difference of two structures; None if they match."""
    if is_sequence(first) != is_sequence(second):
        sequence, other = (first, second) if is_sequence(first) else (second, first)
        return (
            ValueError,
            f'Substructure "{_describe(sequence)}" is a sequence, while substructure "{_describe(other)}" is not',
        )
    if not is_sequence(first):
        return None
    is_of_kind = type(first) is type(second) or not check_types
    if not is_of_kind and not (isinstance(first, Mapping) and isinstance(second, Mapping)):
        return (
            TypeError,
            "The two namedtuples don't have the same sequence type. First structure has type "
            f"{type(first).__name__}, while second structure has type {type(second).__name__}",
        )
    if isinstance(first, Mapping) and check_types and set(first) != set(second):
        return (
            ValueError,
            "The two dictionaries don't have the same set of keys. First structure has keys "
            f"{_describe(list(first))}, while second structure has keys {_describe(list(second))}",
        )
    for a, b in zip(_children(first), _children(second)):
        difference = _difference(a, b, check_types)
        if difference is not None:
            return difference
    if len(first) != len(second):
        return (
            ValueError,
            f"The two structures don't have the same number of elements. First structure: {_describe(first)}. Second "
            f"structure: {_describe(second)}",
        )
    return None


def _describe(structure: Any) -> str:
    return f"type={type(structure).__name__} str={structure}"


def assert_shallow_structure(shallow: Any, structure: Any, check_types: bool = True) -> None:
    """Raises TypeError or ValueError unless `shallow` is a prefix of `structure`, by default with the same types."""
    if not is_sequence(shallow):
        return
    if not is_sequence(structure):
        raise TypeError(
            f"If shallow structure is a sequence, input must also be a sequence. Input has type: {type(structure)}."
        )
    if check_types and not isinstance(structure, type(shallow)):
        raise TypeError(
            "The two structures don't have the same sequence type. Input structure has type "
            f"{type(structure)}, while shallow structure has type {type(shallow)}."
        )
    if len(structure) != len(shallow):
        raise ValueError(
            "The two structures don't have the same sequence length. Input structure has length "
            f"{len(structure)}, while shallow structure has length {len(shallow)}."
        )
    if check_types and isinstance(shallow, Mapping) and set(structure) != set(shallow):
        raise ValueError(
            "The two structures don't have the same keys. Input structure has keys "
            f"{list(structure)}, while shallow structure has keys {list(shallow)}."
        )
    for a, b in zip(_children(shallow), _children(structure)):
        assert_shallow_structure(a, b, check_types)


def flatten_up_to(shallow: Any, structure: Any) -> list[Any]:
    """Returns the parts of `structure` at the leaves of `shallow`."""
    assert_shallow_structure(shallow, structure)
    return _flat_up_to(shallow, structure)


def _flat_up_to(shallow: Any, structure: Any) -> list[Any]:
    if not is_sequence(shallow):
        return [structure]
    pairs = zip(_children(shallow), _children(structure))
    return [leaf for a, b in pairs for leaf in _flat_up_to(a, b)]


def map_structure_up_to(shallow: Any, function: Callable, *structures: Any) -> Any:
    """Applies `function` to the parts at the leaves of `shallow`; the result has the structure of `shallow`."""
    if not structures:
        raise ValueError("Cannot map over no sequences")
    flat = [flatten_up_to(shallow, structure) for structure in structures]
    return pack_sequence_as(shallow, [function(*leaves) for leaves in zip(*flat)])
