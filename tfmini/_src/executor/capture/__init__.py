"""On GPUs: which segments of a plan are captured as CUDA graphs, capturing, replaying."""
