"""Queue-based input pipelines: coordinators, queue runners, input producers, batches."""
