from tfmini.train import QueueRunner as QueueRunner
from tfmini.train import add_queue_runner as add_queue_runner
from tfmini.train import start_queue_runners as start_queue_runners
