from tfmini.contrib.tensorboard.plugins import projector as projector
