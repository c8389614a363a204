"""Layers whose state `adapt` computes from data before training."""
