"""What Keras 2.3 and libraries of its time take of `tf.keras.backend`.

`settings` is what is set while libraries are imported; `sessions` has uids, the learning phase and the session of each
graph; `values` makes variables and placeholders and sets them; `functions` runs steps; `recurrence` applies a step
along time; `formulas` has losses and random numbers; `reachable` walks the graph.
"""
