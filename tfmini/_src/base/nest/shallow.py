"""Functions on trees up to the leaves of a shallower one, and leaf paths."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tfmini._src.base.nest.containers import (
    branch_test,
    is_branch,
    is_composite,
    is_mapping,
    is_namedtuple,
    is_sequence,
    is_spec,
    items,
    same_namedtuples,
    sequence_like,
)
from tfmini._src.base.nest.structure import flatten, pack_sequence_as

_DIFFERENT_TYPES = (
    "The two structures don't have the same sequence type. Input structure has type {}, "
    "while shallow structure has type {}."
)


def assert_shallow_structure(
    shallow_tree: Any,
    input_tree: Any,
    check_types: bool = True,
    expand_composites: bool = False,
    check_subtrees_length: bool = True,
) -> None:
    """Raises unless `input_tree` is `shallow_tree` with its leaves replaced by subtrees.

    Args:
      shallow_tree: the shallow tree.
      input_tree: the tree to check.
      check_types: whether branches must also be of the same class.
      expand_composites: whether composite tensors are expanded.
      check_subtrees_length: whether branches must have the same number of elements; if not, `input_tree`'s
        may have more.

    Raises:
      ValueError: if a branch has missing or excess elements or keys.
      TypeError: if there is a leaf in place of a branch of the shallow tree, or classes differ.
    """
    if not is_branch(shallow_tree, expand_composites):
        return
    if not is_branch(input_tree, expand_composites):
        raise TypeError(
            "If shallow structure is a sequence, input must also be a sequence. "
            f"Input has type: {type(input_tree)}."
        )
    composite = is_composite(shallow_tree) or is_composite(input_tree)
    if check_types and not isinstance(input_tree, type(shallow_tree)):
        if is_namedtuple(shallow_tree) and is_namedtuple(input_tree):
            matches = same_namedtuples(shallow_tree, input_tree)
        else:
            specified = composite and (is_spec(shallow_tree) or is_spec(input_tree))
            matches = specified or (is_mapping(shallow_tree) and is_mapping(input_tree))
        if not matches:
            raise TypeError(_DIFFERENT_TYPES.format(type(input_tree), type(shallow_tree)))
    if composite:
        _assert_compatible_specs(shallow_tree, input_tree)
    elif is_spec(shallow_tree):
        if not is_spec(input_tree):
            raise TypeError(
                "If shallow structure is a TypeSpec, input must also be a TypeSpec.  "
                f"Input has type: {type(input_tree)}."
            )
    else:
        _assert_long_enough(shallow_tree, input_tree, check_subtrees_length)
    if is_mapping(shallow_tree):
        missing_keys = set(shallow_tree) - set(input_tree)
        if missing_keys:
            raise ValueError(
                "The shallow_tree's keys are not a subset of the input_tree's keys. The "
                "shallow_tree has the following keys that are not in the input_tree: "
                f"{sorted(missing_keys)}."
            )
    for (_, shallow), (_, deep) in zip(items(shallow_tree), items(input_tree)):
        assert_shallow_structure(
            shallow, deep, check_types, expand_composites, check_subtrees_length
        )


def _assert_compatible_specs(shallow: Any, deep: Any) -> None:
    if not all(is_composite(tree) or is_spec(tree) for tree in (shallow, deep)):
        raise TypeError(_DIFFERENT_TYPES.format(type(deep), type(shallow)))
    first, second = (tree._type_spec if is_composite(tree) else tree for tree in (shallow, deep))
    try:
        first.most_specific_compatible_type(second)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"Incompatible CompositeTensor TypeSpecs: {first} vs. {second} -- {error}"
        ) from None


def _assert_long_enough(shallow: Any, deep: Any, requires_equal_length: bool) -> None:
    if requires_equal_length and len(deep) != len(shallow):
        raise ValueError(
            "The two structures don't have the same sequence length. Input structure has length "
            f"{len(deep)}, while shallow structure has length {len(shallow)}."
        )
    if len(deep) < len(shallow):
        raise ValueError(
            "The input_tree has fewer elements than the shallow_tree. Input structure has length "
            f"{len(deep)}, while shallow structure has length {len(shallow)}."
        )


def walk_up_to(
    shallow_tree: Any, input_tree: Any, is_seq: Callable[[Any], bool], path: tuple[Any, ...] = ()
) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yields the (path, subtree) pairs of a tree at the leaves of a shallow one."""
    if not is_seq(shallow_tree):
        yield path, input_tree
        return
    subtrees = dict(items(input_tree))
    for key, child in items(shallow_tree):
        yield from walk_up_to(child, subtrees[key], is_seq, (*path, key))


def flatten_with_tuple_paths_up_to(
    shallow_tree: object,
    input_tree: object,
    check_types: bool = True,
    expand_composites: bool = False,
    check_subtrees_length: bool = True,
) -> list[Any]:
    """Returns the (path, subtree) pairs of a tree at the leaves of a shallow one.

    A path is a tuple of indices, keys and field names. See `assert_shallow_structure` for arguments and errors.
    """
    assert_shallow_structure(
        shallow_tree, input_tree, check_types, expand_composites, check_subtrees_length
    )
    return list(walk_up_to(shallow_tree, input_tree, branch_test(expand_composites)))


def flatten_up_to(
    shallow_tree: object,
    input_tree: object,
    check_types: bool = True,
    expand_composites: bool = False,
    check_subtrees_length: bool = True,
) -> list[Any]:
    """Returns the subtrees of a tree at the leaves of a shallow one.

    `flatten_up_to([0, 0], [1, (2, 3)])` is `[1, (2, 3)]`. See `assert_shallow_structure` for arguments and errors.
    """
    pairs = flatten_with_tuple_paths_up_to(
        shallow_tree, input_tree, check_types, expand_composites, check_subtrees_length
    )
    return [subtree for _, subtree in pairs]


def map_structure_with_tuple_paths_up_to(
    shallow_tree: object, func: Callable[..., Any], *inputs: Any, **kwargs: Any
) -> Any:
    """Maps `func(path, *subtrees)` over the leaves of `shallow_tree`; returns a tree of its structure.

    Args:
      shallow_tree: the shallow tree.
      func: takes a path (a tuple of indices, keys and field names) and the subtrees of the inputs.
      *inputs: trees that share the structure of `shallow_tree` up to its leaves.
      **kwargs: `check_types`, `expand_composites` and `check_subtrees_length` as in
        `assert_shallow_structure`; others are passed to `func`.
    """
    if not inputs:
        raise ValueError("Cannot map over no sequences")
    check_types = kwargs.pop("check_types", True)
    expand_composites = kwargs.pop("expand_composites", False)
    check_subtrees_length = kwargs.pop("check_subtrees_length", True)
    flat = [
        flatten_with_tuple_paths_up_to(
            shallow_tree, tree, check_types, expand_composites, check_subtrees_length
        )
        for tree in inputs
    ]
    mapped = [
        func(pairs[0][0], *(subtree for _, subtree in pairs), **kwargs) for pairs in zip(*flat)
    ]
    return pack_sequence_as(shallow_tree, mapped, expand_composites)


def map_structure_up_to(
    shallow_tree: object, func: Callable[..., Any], *inputs: Any, **kwargs: Any
) -> Any:
    """Maps `func(*subtrees)` over the leaves of `shallow_tree`; returns a tree of its structure.

    The same arguments as `map_structure_with_tuple_paths_up_to`, except the path.
    """

    def without_path(_: Any, *subtrees: Any, **kwargs: Any) -> Any:
        return func(*subtrees, **kwargs)

    return map_structure_with_tuple_paths_up_to(shallow_tree, without_path, *inputs, **kwargs)


def map_structure_with_tuple_paths(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """Same as `map_structure`, but passes the leaf path, a tuple, as the first argument of `func`."""
    return map_structure_with_tuple_paths_up_to(structure[0], func, *structure, **kwargs)


def map_structure_with_paths(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """Same as `map_structure`, but passes the leaf path, such as `"a/0"`, as the first argument of `func`."""

    def call_with_path(path: tuple[Any, ...], *leaves: Any, **kwargs: Any) -> Any:
        return func("/".join(str(part) for part in path), *leaves, **kwargs)

    return map_structure_with_tuple_paths_up_to(structure[0], call_with_path, *structure, **kwargs)


def yield_flat_paths(nest: object, expand_composites: bool = False) -> Iterator[tuple[Any, ...]]:
    """Yields the leaf paths in `flatten` order: tuples of indices, keys and field names."""
    for path, _ in walk_up_to(nest, nest, branch_test(expand_composites)):
        yield path


def flatten_with_tuple_paths(structure: object, expand_composites: bool = False) -> list[Any]:
    """Returns the (path, leaf) pairs of a tree; a path is a tuple of indices, keys and field names."""
    return list(walk_up_to(structure, structure, branch_test(expand_composites)))


def flatten_with_joined_string_paths(
    structure: object, separator: str = "/", expand_composites: bool = False
) -> list[tuple[str, Any]]:
    """Returns the (path, leaf) pairs of a tree; a path is a string such as `"a/0"`."""
    pairs = walk_up_to(structure, structure, branch_test(expand_composites))
    return [(separator.join(str(part) for part in path), leaf) for path, leaf in pairs]


def flatten_dict_items(dictionary: Mapping[Any, Any]) -> dict[Any, Any]:
    """Flattens the keys and values of a dict whose keys and values may be trees.

    `flatten_dict_items({(1, (2, 3)): ("a", ("b", "c"))})` is `{1: "a", 2: "b", 3: "c"}`.

    Raises:
      TypeError: if the argument is not a mapping.
      ValueError: if a key and its value have different numbers of leaves, or a leaf occurs twice among the keys.
    """
    if not isinstance(dictionary, Mapping):
        raise TypeError("input must be a dictionary")
    flat: dict[Any, Any] = {}
    for key, value in dictionary.items():
        keys, values = [key], [value]
        if is_sequence(key):
            keys, values = flatten(key), flatten(value)
            if len(keys) != len(values):
                raise ValueError(
                    f"Could not flatten dictionary. Key had {len(keys)} elements, but value had "
                    f"{len(values)} elements. Key: {keys}, value: {values}."
                )
        for leaf, leaf_value in zip(keys, values):
            if leaf in flat:
                raise ValueError(f"Could not flatten dictionary: key {leaf} is not unique.")
            flat[leaf] = leaf_value
    return flat


def get_traverse_shallow_structure(
    traverse_fn: Callable[[Any], Any], structure: object, expand_composites: bool = False
) -> Any:
    """Returns a shallow tree of bools with the structure of the part of a tree that `traverse_fn` enters.

    Args:
      traverse_fn: returns whether to enter a subtree: True, False, or a depth-1 tree
        with a bool per child.
      structure: the tree.
      expand_composites: whether composite tensors are expanded.

    Returns:
      A shallow tree for `flatten_up_to` and `map_structure_up_to`.

    Raises:
      TypeError: if `traverse_fn` returns another type.
    """
    answer = traverse_fn(structure)
    if not is_branch(structure, expand_composites):
        if not isinstance(answer, bool):
            raise TypeError(
                f"traverse_fn returned structure: {answer} for non-structure: {structure}"
            )
        return answer
    if isinstance(answer, bool):
        if not answer:
            return False
        mapped_leaves = [
            get_traverse_shallow_structure(traverse_fn, child, expand_composites)
            for _, child in items(structure)
        ]
        return sequence_like(structure, mapped_leaves)
    if not is_branch(answer, expand_composites):
        raise TypeError(f"traverse_fn returned a non-bool scalar: {answer} for input: {structure}")
    assert_shallow_structure(answer, structure, expand_composites=expand_composites)
    mapped_leaves = []
    for (_, enter), (_, child) in zip(items(answer), items(structure)):
        if not isinstance(enter, bool):
            raise TypeError(
                f"traverse_fn didn't return a depth=1 structure of bools.  saw: {answer} "
                f" for structure: {structure}"
            )
        mapped_leaves.append(get_traverse_shallow_structure(traverse_fn, child) if enter else False)
    return sequence_like(structure, mapped_leaves)
