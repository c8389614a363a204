from tfmini._src.contrib.slim.data.prefetch_queue import prefetch_queue as prefetch_queue
