"""`tf.contrib.learn.datasets`: small data sets, from local files or downloaded.

`mnist` provides `read_data_sets`, also available as `tensorflow.examples.tutorials.mnist.input_data`. The iris and
housing tables are in `data/`.
"""
