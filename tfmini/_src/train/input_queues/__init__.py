"""Feeding by queues and threads: coordinators, queue runners, producers of inputs, batches."""
