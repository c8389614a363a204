"""CUDA C++ sources of tfmini, installed as the package `tfmini.kernels`.

The folder stands beside `tfmini/` because it holds another language; the package around it exists
so that `importlib.resources` finds the `.cu` files wherever tfmini is installed. There is no
Python here, and nothing is loaded before a GPU is used.
"""
