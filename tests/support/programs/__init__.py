"""Recording golden programs with TensorFlow, and comparing them with the records."""
