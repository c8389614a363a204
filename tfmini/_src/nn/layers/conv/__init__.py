"""Layers that slide windows over their inputs: convolutions of all kinds, pooling."""
