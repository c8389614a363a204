"""`tf.contrib.rnn`: recurrent cells, and functions that unroll them over time."""
