"""Ops that TensorFlow releases after 1.15 added, for graphs written by those releases.

They are loaded when a graph names one; no API function builds them, and `tf.raw_ops` omits them. They have kernels but
no gradients; their signatures are from TensorFlow 2.21. Nodes equivalent to an older op are renamed by
`graph/graphdef/newer_nodes.py` instead.
"""
