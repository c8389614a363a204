"""Strings: joining, splitting, patterns, numbers, hashes, encodings, edit distances."""
