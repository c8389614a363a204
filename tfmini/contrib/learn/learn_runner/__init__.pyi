from tfmini._src.contrib.learn.learn_runner import run as run
from tfmini._src.contrib.learn.learn_runner import tune as tune
