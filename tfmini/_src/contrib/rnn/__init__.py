"""`tf.contrib.rnn`: cells of recurrent networks, and functions that apply them along time."""
