"""`tensorflow.python.util`: internals on which libraries of that era are based."""
