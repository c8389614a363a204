"""`tf.contrib.integrate`: integration of ordinary differential equations with adaptive or fixed steps."""
