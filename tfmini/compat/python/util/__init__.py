"""`tensorflow.python.util`: what libraries of the time build on."""
