"""Serialization of layers as plain data, with classes by name and values as JSON."""
