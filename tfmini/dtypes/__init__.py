"""The element types of tensors: one `DType` object for each, with plain attributes.

TensorFlow numbers its types (the `DataType` enum of its messages); a number above 100 is the reference form of the type
100 below, held by variables. Each type exists once, so `is` compares them, and pickling or copying gives the same
object back. Beside what TensorFlow offers, a `DType` knows `numpy` (the `np.dtype` that arrays of it have in memory)
and `proto_name` (how messages and OpDefs spell it: `float` where Python says `float32`).
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
