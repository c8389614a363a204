"""Independent computations: numeric gradients, formulas, TensorFlow itself."""
