"""Programs in eager mode, each a function of `tf`: the values they return are recorded by TensorFlow 1.15.5 itself."""
