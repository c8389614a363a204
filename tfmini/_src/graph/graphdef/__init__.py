"""Import and export of graphs as protos: GraphDef, MetaGraphDef collections, function libraries."""

from tfmini._src.base.names.late_imports import late_modules

__getattr__ = late_modules(__name__)
