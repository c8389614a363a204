"""`tf.contrib.predictor`: a SavedModel or an Estimator as a function of NumPy arrays."""
