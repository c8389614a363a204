"""Tensor element types: one `DType` object each, with plain attributes.

A DType's number is its value in the `DataType` enum of TensorFlow's messages; numbers above 100 are the reference
types held by variables: the base type plus 100. Each type exists once, also after pickling and copying, so `is`
compares types. In addition to TensorFlow's attributes, a DType has `numpy` (the `np.dtype` of its arrays in memory) and
`proto_name` (its name in messages and OpDefs: `float` for `float32`).
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
