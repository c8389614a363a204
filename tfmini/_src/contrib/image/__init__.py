"""`tf.contrib.image`: rotation, translation and warping of images; connected components; bipartite matching."""
