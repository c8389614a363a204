"""Clusters: which tasks there are, and where. It imports messages and errors only; `train` and `estimator` name it."""
