"""`tf.data.experimental`: transformations for `Dataset.apply`, readers, options, element types."""
