"""`tensorflow.python.util`: internals that libraries of that era build on."""
