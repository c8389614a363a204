"""`tf.resource_loader`: paths of data files next to a program."""
