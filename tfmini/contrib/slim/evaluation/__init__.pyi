from tfmini.train import checkpoints_iterator as checkpoints_iterator
from tfmini._src.contrib.slim.evaluation import evaluate_once as evaluate_once
from tfmini._src.contrib.slim.evaluation import evaluation_loop as evaluation_loop
from tfmini.contrib.training import wait_for_new_checkpoint as wait_for_new_checkpoint
