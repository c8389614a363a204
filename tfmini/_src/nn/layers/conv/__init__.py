"""Layers whose windows move over their inputs: convolutions of all kinds, pools."""
