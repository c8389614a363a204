"""`tf.saved_model.tag_constants`: tags of SavedModel graphs."""

SERVING = "serve"
TRAINING = "train"
GPU = "gpu"
TPU = "tpu"
