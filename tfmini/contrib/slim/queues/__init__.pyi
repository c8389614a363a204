from tfmini._src.contrib.slim.queue_runners import NestedQueueRunnerError as NestedQueueRunnerError
from tfmini._src.contrib.slim.queue_runners import QueueRunners as QueueRunners
