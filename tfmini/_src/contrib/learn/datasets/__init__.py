"""`tf.contrib.learn.datasets`: small data sets, from local files or downloaded.

`mnist` has `read_data_sets`, which `tensorflow.examples.tutorials.mnist.input_data` offers too. The tables of irises
and of houses are in `data/`.
"""
