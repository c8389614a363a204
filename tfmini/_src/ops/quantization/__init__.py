"""Quantized numbers, and float arithmetic that imitates them."""
