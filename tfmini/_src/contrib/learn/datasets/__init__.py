"""`tf.contrib.learn.datasets`: small data sets, from files that are there or from their home on the web.

`mnist` has `read_data_sets`, which `tensorflow.examples.tutorials.mnist.input_data` offers too. The tables of irises
and of houses lie in `data/`.
"""
