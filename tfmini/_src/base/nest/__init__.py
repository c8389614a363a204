"""Nested structures: trees of lists, tuples, dicts and similar containers, and tree functions.

A branch is a list, tuple, named tuple, range or other sequence (strings are leaves), a mapping or mapping view, or an
instance of an `attrs` class. Mappings are traversed in sorted key order, so that an OrderedDict and a dict
with the same keys flatten identically. With `expand_composites`, composite tensors (SparseTensor,
IndexedSlices) and their type specs are branches too, identified by duck typing: a composite has
`_type_spec` and `_to_components()`, its spec `value_type`, `_component_specs`, `_from_components(components)`
and `most_specific_compatible_type(other)`.

`containers` defines branches, `structure` the functions of `tf.nest`, `shallow` the functions that stop at the leaves
of a shallower tree or return leaf paths.
"""
