"""`tf.contrib.image`: image rotation, translation and warping; connected components; bipartite matching."""
