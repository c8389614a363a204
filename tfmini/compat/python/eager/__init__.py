"""`tensorflow.python.eager`: there is no eager execution; what asks about it is answered."""
