"""The graph: operations, tensors, names, scopes, collections and op declarations.

Everything above builds on these: `opdef` declares ops, `node_builder` turns an op call into a node of a `Graph`,
shape rules use `shape_inference`, `convert_to_tensor` converts Python values to tensors,
`composite_values` defines the composite values; `function_library` is a graph's library of callable
functions.
"""
