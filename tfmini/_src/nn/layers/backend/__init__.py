"""`tf.keras.backend` for graphs: arithmetic, values, sessions, learning phases, functions.

Each file is a family; `clear_session` starts afresh, `function` runs steps.
"""
