"""tf.data.experimental: transformations for `Dataset.apply`, readers, options, the types of elements."""
