"""Functions on nested structures: trees of lists, tuples, dicts and similar containers.

A branch is a list, tuple, named tuple, range or other sequence (strings are leaves), a mapping or a view of one, or an
object of an `attrs` class. Mappings are traversed in the order of their sorted keys, so an OrderedDict and a dict
with the same keys have the same flat list. With `expand_composites`, objects that consist of several tensors
(SparseTensor, IndexedSlices) and their type specifications are branches too. A composite is any object with
`_type_spec` and `_to_components()`; its specification has `value_type`, `_component_specs`,
`_from_components(components)` and `most_specific_compatible_type(other)`.
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
