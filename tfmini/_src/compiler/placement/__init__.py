"""Placement of nodes on devices: device names and sets, colocation, TensorFlow's kernels on a GPU."""
