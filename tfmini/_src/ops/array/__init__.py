"""Ops without arithmetic: constants, shapes, reshaping, slices, gathers, padding, space and depth, patches.

Views share memory with their input; which they are is said where they are declared.
"""
