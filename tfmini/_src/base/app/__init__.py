"""`tf.app`: runs a program's `main` with parsed flags."""
