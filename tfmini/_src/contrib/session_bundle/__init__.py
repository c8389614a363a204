"""`tensorflow.contrib.session_bundle`: exports in the format of TensorFlow Serving before SavedModels."""
