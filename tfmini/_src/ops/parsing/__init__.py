"""Parsing of bytes into tensors: Example and SequenceExample, CSV, serialized tensors."""
