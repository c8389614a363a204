"""Selects segments of a plan, captures them as CUDA graphs, and replays them."""

from tfmini._src.base.names.lazy_imports import lazy_modules

__getattr__ = lazy_modules(__name__)
