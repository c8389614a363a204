from tfmini._src.contrib.slim.create_train_op import add_gradients_summaries as add_gradients_summaries
from tfmini._src.contrib.slim.create_train_op import clip_gradient_norms as clip_gradient_norms
from tfmini._src.contrib.slim.create_train_op import create_train_op as create_train_op
from tfmini._src.contrib.slim.create_train_op import multiply_gradients as multiply_gradients
from tfmini._src.contrib.slim.learning import train as train
from tfmini._src.contrib.slim.learning import train_step as train_step
