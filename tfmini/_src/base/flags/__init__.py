"""`tf.flags`: command-line flags, based on absl-py as in TensorFlow 1.15.

This package adds compatibility with 1.x programs: `FLAGS` parses the command line on first access
(`flag_values`), and the four oldest kinds of definitions also accept their former argument names (`definitions`).
"""
