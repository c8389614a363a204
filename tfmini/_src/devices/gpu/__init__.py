"""GPUs through CuPy: discovery, sharing among a session's devices, and running on them."""
