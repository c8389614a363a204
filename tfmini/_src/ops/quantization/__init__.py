"""Quantized numbers, and float arithmetic that emulates them."""
