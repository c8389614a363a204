"""`tf.contrib.integrate`: ordinary differential equations, integrated with steps that adapt or that are given."""
