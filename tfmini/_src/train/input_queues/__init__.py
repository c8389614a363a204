"""Input pipelines of queues and threads: coordinators, queue runners, input producers, batches."""
