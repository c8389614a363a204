"""Golden programs, in families: each file's `build(tf)` runs unchanged under TensorFlow 1.15.5 and tfmini."""
