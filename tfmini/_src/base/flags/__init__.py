"""`tf.flags`: the flags of a program's command line, by absl-py as in TensorFlow 1.15.

What programs of 1.x add to it is here: `FLAGS` reads the command line when it is first asked for a value
(`flag_values`), and the definitions of the four oldest kinds take their arguments by older names too (`definitions`).
"""
