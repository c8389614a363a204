"""Golden programs: recording with TensorFlow, and comparison with the records."""
