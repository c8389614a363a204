"""Layers whose state is computed from data by `adapt`, before training."""
