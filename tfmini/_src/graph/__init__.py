"""The graph: operations, tensors, names, scopes, collections and op declarations.

`opdef` declares ops, `node_builder` turns an op call into a node of a `Graph`, shape rules use `shape_inference`,
`convert_to_tensor` converts Python values to tensors, `composite_values` defines composite values, and
`function_library` holds a graph's callable functions.
"""
