"""`tf.distribute.cluster_resolver`: what tells a process its cluster and its place in it."""

from tfmini.distribute.cluster_resolver.kubernetes_pods import KubernetesClusterResolver
from tfmini.distribute.cluster_resolver.resolvers import (
    ClusterResolver,
    SimpleClusterResolver,
    UnionClusterResolver,
)
from tfmini.distribute.cluster_resolver.slurm import SlurmClusterResolver
from tfmini.distribute.cluster_resolver.tf_config import TFConfigClusterResolver
from tfmini.names.namespaces import namespace as _namespace

UnionResolver = UnionClusterResolver

__all__ = [
    "ClusterResolver",
    "KubernetesClusterResolver",
    "SimpleClusterResolver",
    "SlurmClusterResolver",
    "TFConfigClusterResolver",
    "UnionResolver",
]

_namespace(globals())
