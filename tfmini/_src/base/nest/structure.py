"""Functions on whole trees: flatten, pack, map, compare."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base.nest.containers import (
    Kind,
    branch_test,
    children,
    is_branch,
    is_composite,
    is_mapping,
    is_namedtuple,
    is_spec,
    node_kind,
    same_namedtuples,
    sequence_like,
    subtrees,
)


def flatten(structure: Any, expand_composites: bool = False) -> list[Any]:
    """Returns the leaves of a tree in order.

    Args:
      structure: any nested structure, or a leaf.
      expand_composites: whether composite tensors are expanded.

    Returns:
      A list: `flatten({"b": 1, "a": (2, [3])})` is `[2, 3, 1]`, `flatten(5)` is `[5]`.

    Raises:
      TypeError: if a mapping's keys cannot be sorted.
    """
    lowest = Kind.LEAF if expand_composites else Kind.SPEC
    if node_kind(structure.__class__) <= lowest:
        return [structure]
    leaves: list[Any] = []
    _collect_leaves(structure, lowest, leaves)
    return leaves


def _collect_leaves(branch: Any, lowest: Kind, leaves: list[Any]) -> None:
    for child in children(branch):
        if node_kind(child.__class__) > lowest:
            _collect_leaves(child, lowest, leaves)
        else:
            leaves.append(child)


def pack_sequence_as(
    structure: object, flat_sequence: Sequence[Any], expand_composites: bool = False
) -> Any:
    """Packs a flat sequence of leaves into a tree with the structure of `structure`.

    Args:
      structure: the nested structure to follow, or a leaf.
      flat_sequence: the same number of leaves, in `flatten` order.
      expand_composites: whether composite tensors are rebuilt from several leaves.

    Returns:
      The tree: `pack_sequence_as({"b": 1, "a": (2, 3)}, [7, 8, 9])` is
      `{"b": 9, "a": (7, 8)}`.

    Raises:
      TypeError: if `flat_sequence` is not a sequence, or a mapping's keys cannot be sorted.
      ValueError: if the numbers of leaves differ.
    """
    if not is_branch(flat_sequence, expand_composites):
        raise TypeError("flat_sequence must be a sequence")
    if not is_branch(structure, expand_composites):
        if len(flat_sequence) != 1:
            count = len(flat_sequence)
            raise ValueError(f"Structure is a scalar but len(flat_sequence) == {count} > 1")
        return flat_sequence[0]
    try:
        used, packed = pack_from(structure, list(flat_sequence), 0, branch_test(expand_composites))
    except IndexError:
        used, packed = -1, []
    if used != len(flat_sequence):
        raise ValueError(  # TensorFlow's message counts a composite tensor once
            f"Could not pack sequence. Structure had {len(flatten(structure))} elements, but "
            f"flat_sequence had {len(flat_sequence)} elements.  Structure: {structure}, "
            f"flat_sequence: {flat_sequence}."
        )
    return sequence_like(structure, packed)


def pack_from(
    structure: Any, flat: Sequence[Any], index: int, is_seq: Callable[[Any], bool]
) -> tuple[int, list[Any]]:
    """Returns the children of a branch with leaves from `flat[index:]`, and the index of the leaf after them."""
    packed = []
    for child in subtrees(structure):
        if is_seq(child):
            index, grandchildren = pack_from(child, flat, index, is_seq)
            packed.append(sequence_like(child, grandchildren))
        else:
            packed.append(flat[index])
            index += 1
    return index, packed


def map_structure(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """Maps `func` over the corresponding leaves of one or more trees.

    Args:
      func: takes one argument per tree.
      *structure: trees of the same structure, or leaves.
      **kwargs: `check_types` (default True), whether the branch classes must also be
        equal, and `expand_composites` (default False), whether composite tensors are expanded.

    Returns:
      A tree with the structure and classes of the first: `map_structure(max, [1, (5,)], [2, (4,)])`
      is `[2, (5,)]`.

    Raises:
      TypeError: if `func` is not callable, or branch classes differ.
      ValueError: if there is no tree, the structures differ, or there is an unknown keyword.
    """
    if not callable(func):
        raise TypeError(f"func must be callable, got: {func}")
    if not structure:
        raise ValueError("Must provide at least one structure")
    check_types = kwargs.pop("check_types", True)
    expand_composites = kwargs.pop("expand_composites", False)
    if kwargs:
        raise ValueError(
            "Only valid keyword arguments are `check_types` and `expand_composites`, "
            f"not: `{'`, `'.join(kwargs)}`"
        )
    for other in structure[1:]:
        assert_same_structure(structure[0], other, check_types, expand_composites)
    flat = [flatten(tree, expand_composites) for tree in structure]
    mapped = [func(*leaves) for leaves in zip(*flat)]
    return pack_sequence_as(structure[0], mapped, expand_composites)


class _Dot:
    """Placeholder for a leaf in a printed tree."""

    def __repr__(self) -> str:
        return "."


def assert_same_structure(
    nest1: object, nest2: object, check_types: bool = True, expand_composites: bool = False
) -> None:
    """Raises unless two trees have the same structure.

    Args:
      nest1: a nested structure or a leaf.
      nest2: another nested structure or a leaf.
      check_types: whether branches must also be of the same class. Two lists, two mappings with the
        same keys, and two named tuples with the same name and fields always match.
      expand_composites: whether composite tensors are expanded.

    Raises:
      ValueError: if element counts, keys or depths differ.
      TypeError: if the classes of two branches differ.
    """
    try:
        _compare(nest1, nest2, check_types, expand_composites)
    except (ValueError, TypeError) as error:
        first, second = (map_structure(lambda _: _Dot(), tree) for tree in (nest1, nest2))
        raise type(error)(
            "The two structures don't have the same nested structure.\n\n"
            f"First structure: {_describe_value(nest1)}\n\nSecond structure: {_describe_value(nest2)}\n\n"
            f"More specifically: {error}\n"
            f"Entire first structure:\n{first}\nEntire second structure:\n{second}"
        ) from None


def _describe_value(value: Any) -> str:
    return f"type={value.__class__.__name__} str={value}"


def _compare(first: Any, second: Any, check_types: bool, expand: bool) -> None:
    """Raises an error describing the first difference between two trees, if any."""
    branches = is_branch(first, expand), is_branch(second, expand)
    if branches[0] != branches[1]:
        branch, leaf = (first, second) if branches[0] else (second, first)
        raise ValueError(
            f'Substructure "{_describe_value(branch)}" is a sequence, while substructure '
            f'"{_describe_value(leaf)}" is not'
        )
    if not branches[0]:
        return
    if check_types:
        _compare_classes(first, second)
    if is_composite(first) or is_composite(second):
        specs = [tree._type_spec if is_composite(tree) else tree for tree in (first, second)]
        try:
            specs[0].most_specific_compatible_type(specs[1])
        except (TypeError, ValueError):
            raise ValueError(
                f"Incompatible CompositeTensor TypeSpecs: {_describe_value(specs[0])} vs. {_describe_value(specs[1])}"
            ) from None
    other_children = list(children(second))
    for count, child in enumerate(children(first)):
        if count >= len(other_children):
            raise _count_error(first, second)
        _compare(child, other_children[count], check_types, expand)
    if len(other_children) > len(list(children(first))):
        raise _count_error(first, second)


def _count_error(first: Any, second: Any) -> ValueError:
    return ValueError(
        "The two structures don't have the same number of elements. "
        f"First structure: {_describe_value(first)}. Second structure: {_describe_value(second)}"
    )


def _compare_classes(first: Any, second: Any) -> None:
    """Raises if two branches have different classes or keys."""
    mappings = is_mapping(first) and is_mapping(second)
    if is_namedtuple(first) and is_namedtuple(second):
        matches = same_namedtuples(first, second)
    else:
        lists = isinstance(first, list) and isinstance(second, list)
        specified = (is_composite(first) and is_spec(second)) or (
            is_spec(first) and is_composite(second)
        )
        matches = first.__class__ is second.__class__ or lists or mappings or specified
    if not matches:
        raise TypeError(
            "The two namedtuples don't have the same sequence type. "
            f"First structure {_describe_value(first)} has type {first.__class__.__name__}, "
            f"while second structure {_describe_value(second)} has type {second.__class__.__name__}"
        )
    if mappings and set(first) != set(second):
        raise ValueError(
            "The two dictionaries don't have the same set of keys. "
            f"First structure has keys {_describe_value(list(first))}, "
            f"while second structure has keys {_describe_value(list(second))}"
        )
