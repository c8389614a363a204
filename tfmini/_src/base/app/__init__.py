"""`tf.app`: a program's `main`, run with its flags parsed."""
