"""Code for removed functions without a present equivalent: images of scipy, splits of scikit-learn.

A module here imports the library it stands for, so that each is loaded when a program asks for one of its names.
"""
