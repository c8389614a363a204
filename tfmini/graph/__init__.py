"""The graph: operations, tensors, names, scopes, collections, and the declarations of ops.

Everything above builds on these: `opdef` declares ops, `applying` turns a call of one into a node of a `Graph`,
`inference` is what shape rules use, `conversion` makes tensors of Python values, `values` holds the composite ones;
`functions` is the library of functions that a graph may call.
"""
