"""Distributions of y = g(x): `TransformedDistribution`, those that are made with a bijector, and their kin."""
