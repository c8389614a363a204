"""Serialization of layers as plain data: classes by name, values as JSON."""
