"""`tf.saved_model.tag_constants`: tags of graphs in SavedModels."""

SERVING = "serve"
TRAINING = "train"
GPU = "gpu"
TPU = "tpu"
