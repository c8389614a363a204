"""`tf.keras.backend` in graph mode: arithmetic, values, sessions, learning phases, functions.

One file per family of functions; `clear_session` resets the global state, `function` runs steps.
"""
