"""Code for removed functions without a current equivalent: scipy's image functions, scikit-learn's splits.

Each module here imports the library it serves, and is loaded when a program uses one of its names.
"""
