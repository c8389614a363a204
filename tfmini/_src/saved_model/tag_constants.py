"""`tf.saved_model.tag_constants`: tags that say what a graph of a SavedModel is for."""

SERVING = "serve"
TRAINING = "train"
GPU = "gpu"
TPU = "tpu"
