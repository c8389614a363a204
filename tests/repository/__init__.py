"""Tests of the tree: layers, types, docstrings, and how tests are written."""
