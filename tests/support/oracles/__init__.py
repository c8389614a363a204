"""Independent references: numeric gradients, formulas, and TensorFlow itself."""
