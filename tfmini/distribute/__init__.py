"""`tf.distribute`: servers, and resolvers, which find out what a cluster is; strategies are left out."""

from tfmini.distribute import cluster_resolver
from tfmini.distributed.server import Server
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["Server", "cluster_resolver"]

_namespace(globals())
