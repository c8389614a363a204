"""GPUs through CuPy: what there is, how a session shares it out, and running on it."""
