"""Notebook display of graph objects: HTML for `_repr_html_`, from modules loaded on first use."""

from tfmini._src.base.names.lazy_imports import lazy_modules

__getattr__ = lazy_modules(__name__)
