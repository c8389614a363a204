"""Pooling: the largest or the mean of windows, over one, two and three axes."""
