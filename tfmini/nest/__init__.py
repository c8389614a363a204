"""Nested structures: lists, tuples, dicts and the like as trees, and functions from tree to tree.

A branch is a list, tuple, named tuple, range or other sequence (strings are leaves), a mapping or
a view of one, or an object of an `attrs` class. Mappings are walked in the order of their sorted
keys, so that an OrderedDict and a dict with the same keys give the same flat list. With
`expand_composites`, what consists of several tensors (SparseTensor, IndexedSlices) and its type
specification are branches too; they are known by what they offer: a composite has `_type_spec` and
`_to_components()`, its specification `value_type`, `_component_specs`,
`_from_components(components)` and `most_specific_compatible_type(other)`.

`branches` says what a branch is, `structure` holds what `tf.nest` offers, `shallow` the functions
that stop at the leaves of a shallower tree or tell the paths of leaves.
"""

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

# What `tf.nest` offers; `tf.contrib.framework.nest` has all of it.
__all__ = [
    "assert_same_structure",
    "flatten",
    "is_nested",
    "map_structure",
    "pack_sequence_as",
]

_namespace(globals())
