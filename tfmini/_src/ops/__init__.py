"""Ops, one directory per family: signature, kernel, shape rule and gradient of each op, and the public functions.

Files access each other's ops through the namespaces `raw` and `ops` when rules run, so the import order does not
matter; higher layers import these namespaces from here. A file is loaded when one of its ops or functions is requested
(`op_modules`); the files imported here have side effects: they register Tensor operators and tensor conversions.
"""

from tfmini._src.graph import raw
from tfmini._src.ops import operators
from tfmini._src.ops.array import (
    constant,
    indexed_slices_to_tensor,
    stack,
    tensor_indexing,
)
from tfmini._src.ops.op_modules import declare_later

declare_later()
