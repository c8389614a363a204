"""Ops added by TensorFlow releases after 1.15, for graphs written by those releases.

They are loaded when a graph names one; no API function builds them, and `tf.raw_ops` omits them. They have kernels but
no gradients; their signatures equal TensorFlow 2.21's. Nodes equivalent to an older op are renamed by
`graph/graphdef/newer_nodes.py` instead.
"""
