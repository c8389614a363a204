"""`tf.resource_loader`: files next to a program."""
