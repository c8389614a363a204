"""Ops of gradient boosted trees: ensembles, their training and prediction, and quantiles of features."""
