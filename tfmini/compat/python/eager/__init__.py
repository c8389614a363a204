"""`tensorflow.python.eager`: eager execution, tapes and functions, under their internal names."""
