"""Notebook display of graph objects: HTML for `_repr_html_`, from modules loaded on first use."""

from tfmini._src.base.names.late_imports import late_modules

__getattr__ = late_modules(__name__)
