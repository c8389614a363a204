"""Graphs as messages: GraphDef, MetaGraphDef's collections, function libraries; import and export."""

from tfmini._src.base.names.late_imports import late_modules

__getattr__ = late_modules(__name__)
