"""The graph: operations, tensors, names, scopes, collections, and the declarations of ops.

Everything above builds on these: `opdef` declares ops, `applying` turns a call of one into a node of a `Graph`,
`shape_inference` is what shape rules use, `convert_to_tensor` makes tensors of Python values,
`indexed_slices_and_sparse_tensor` holds the composite ones; `function_library` is the library of functions that a
graph may call.
"""
