"""Training: optimizers, checkpoints, sessions with hooks, input queues, event files, profiling."""
