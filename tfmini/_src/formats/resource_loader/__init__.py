"""`tf.resource_loader`: files beside a program."""
