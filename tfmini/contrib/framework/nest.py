"""`tf.contrib.framework.nest`: nested structures, with all functions on them."""

from tfmini.names.namespaces import namespace as _namespace
from tfmini.nest.branches import (
    is_nested,
    is_sequence,
    is_sequence_or_composite,
)
from tfmini.nest.shallow import (
    assert_shallow_structure,
    flatten_dict_items,
    flatten_up_to,
    flatten_with_joined_string_paths,
    flatten_with_tuple_paths,
    flatten_with_tuple_paths_up_to,
    get_traverse_shallow_structure,
    map_structure_up_to,
    map_structure_with_paths,
    map_structure_with_tuple_paths,
    map_structure_with_tuple_paths_up_to,
    yield_flat_paths,
)
from tfmini.nest.structure import (
    assert_same_structure,
    flatten,
    map_structure,
    pack_sequence_as,
)

__all__ = [
    "assert_same_structure",
    "assert_shallow_structure",
    "flatten",
    "flatten_dict_items",
    "flatten_up_to",
    "flatten_with_joined_string_paths",
    "flatten_with_tuple_paths",
    "flatten_with_tuple_paths_up_to",
    "get_traverse_shallow_structure",
    "is_nested",
    "is_sequence",
    "is_sequence_or_composite",
    "map_structure",
    "map_structure_up_to",
    "map_structure_with_paths",
    "map_structure_with_tuple_paths",
    "map_structure_with_tuple_paths_up_to",
    "pack_sequence_as",
    "yield_flat_paths",
]

_namespace(globals())
