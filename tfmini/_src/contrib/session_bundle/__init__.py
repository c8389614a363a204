"""`tensorflow.contrib.session_bundle`: exports in the format used by TensorFlow Serving before SavedModels."""
