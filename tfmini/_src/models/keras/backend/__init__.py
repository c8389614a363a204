"""`tf.keras.backend` for graphs: arithmetic, values, sessions, learning phases, functions.

Each file is a family; `clear_session` starts afresh, `function` runs steps. What layers of any kind share of it (names,
phases, the session, settings) lives in `tfmini/_src/nn/layers/`.
"""
