"""`tf.contrib.rnn`: recurrent cells, and functions that apply them along time."""
