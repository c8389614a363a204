"""`tf.saved_model.tag_constants`: tags for the purpose of a graph in a SavedModel."""

SERVING = "serve"
TRAINING = "train"
GPU = "gpu"
TPU = "tpu"
