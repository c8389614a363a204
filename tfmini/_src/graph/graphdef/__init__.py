"""Import and export of graphs as protos: GraphDef, MetaGraphDef collections, function libraries."""

from tfmini._src.base.names.lazy_imports import lazy_modules

__getattr__ = lazy_modules(__name__)
