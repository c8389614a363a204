from tfmini.contrib.learn import evaluate as evaluate
from tfmini.contrib.learn import infer as infer
from tfmini.contrib.learn import run_feeds as run_feeds
from tfmini.contrib.learn import run_n as run_n
from tfmini.contrib.learn import train as train
