"""Layers whose state is computed from data before training, by `adapt`."""
