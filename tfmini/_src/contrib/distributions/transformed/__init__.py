"""Distributions of y = g(x): `TransformedDistribution`, those made with a bijector, and related ones."""
