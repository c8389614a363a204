"""`tf.contrib.factorization`: clusters of points, by k-means and Gaussian mixtures; matrices as products of factors."""

from tfmini.contrib.factorization.mixture_graphs import GmmAlgorithm, gmm
from tfmini.contrib.factorization.mixtures import GMM
from tfmini.contrib.factorization.wals import WALSMatrixFactorization
from tfmini.contrib.factorization.wals_graphs import WALSModel
from tfmini.estimator.clusters.estimator import KMeansClustering
from tfmini.estimator.clusters.first_centers import (
    COSINE_DISTANCE,
    KMEANS_PLUS_PLUS_INIT,
    RANDOM_INIT,
    SQUARED_EUCLIDEAN_DISTANCE,
)
from tfmini.estimator.clusters.means import KMeans
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "COSINE_DISTANCE",
    "GMM",
    "GmmAlgorithm",
    "KMEANS_PLUS_PLUS_INIT",
    "KMeans",
    "KMeansClustering",
    "RANDOM_INIT",
    "SQUARED_EUCLIDEAN_DISTANCE",
    "WALSMatrixFactorization",
    "WALSModel",
    "gmm",
]

_namespace(globals())
