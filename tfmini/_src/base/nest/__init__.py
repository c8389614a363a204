"""Nested structures: lists, tuples, dicts and the like as trees, and functions from tree to tree.

A branch is a list, tuple, named tuple, range or other sequence (strings are leaves), a mapping or a view of one, or an
object of an `attrs` class. Mappings are walked in the order of their sorted keys, so that an OrderedDict and a dict
with the same keys give the same flat list. With `expand_composites`, what consists of several tensors (SparseTensor,
IndexedSlices) and its type specification are branches too; they are known by what they offer: a composite has
`_type_spec` and `_to_components()`, its specification `value_type`, `_component_specs`, `_from_components(components)`
and `most_specific_compatible_type(other)`.

`containers` says what a branch is, `structure` holds what `tf.nest` offers, `shallow` the functions
that stop at the leaves of a shallower tree or tell the paths of leaves.
"""
