"""Quantization, and floating-point arithmetic that emulates it."""
