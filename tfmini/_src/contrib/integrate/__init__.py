"""`tf.contrib.integrate`: ordinary differential equations, integrated with adaptive or given steps."""
