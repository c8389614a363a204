"""Distributions of y = g(x): `TransformedDistribution`, distributions defined by a bijector, and similar ones."""
