"""Which device each node runs on: device names and sets, colocation, the kernels that TensorFlow has on a GPU."""
