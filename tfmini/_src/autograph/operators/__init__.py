"""The operators of converted code: they add nodes if given tensors, and otherwise do what Python does."""
