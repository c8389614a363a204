"""cupy.cuda.nccl over the fake's memory: one process, several devices."""

NCCL = {}
