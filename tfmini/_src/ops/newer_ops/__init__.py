"""Ops that releases of TensorFlow after 1.15 added, for graphs that those releases wrote.

They are declared as all ops are and loaded when a graph names one; no function of the API builds one, and
`tf.raw_ops` does not show them. They compute and have no gradients. Their signatures are those of TensorFlow 2.21. What
an older op does as well is not here: `graph/graphdef/newer_nodes.py` renames it.
"""
