"""Quantization, and float arithmetic that emulates it."""
