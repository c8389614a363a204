"""`tensorflow.python.eager`: answers queries about eager execution, which tfmini lacks."""
