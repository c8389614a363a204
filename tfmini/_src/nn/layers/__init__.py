"""`tf.layers`: functions with weights, created at their first call.

`base_layer.py` holds what all layers share, `base.py` the layers of `tf.layers`, whose weights come from
`tf.get_variable` and which open a variable scope and a name scope of their own; the cells of
recurrent networks derive from it. What strings among their arguments stand for is in `activations`,
`constraints`, `initializers` and `regularizers`. It imports ops and variables.
"""
