from tfmini.contrib.tensorboard import plugins as plugins
