"""`tf.contrib.image`: images turned, moved and warped; parts that hang together; pairs by distance."""

from tfmini.contrib.image.matching import bipartite_match, connected_components
from tfmini.contrib.image.splines import interpolate_spline
from tfmini.contrib.image.stereograms import single_image_random_dot_stereograms
from tfmini.contrib.image.transforming import (
    angles_to_projective_transforms,
    compose_transforms,
    rotate,
    transform,
    translate,
    translations_to_projective_transforms,
)
from tfmini.contrib.image.warping import dense_image_warp, sparse_image_warp
from tfmini.names.namespaces import namespace as _namespace
from tfmini.ops.image.projective import flat_transforms_to_matrices, matrices_to_flat_transforms

__all__ = [
    "angles_to_projective_transforms",
    "bipartite_match",
    "compose_transforms",
    "connected_components",
    "dense_image_warp",
    "flat_transforms_to_matrices",
    "interpolate_spline",
    "matrices_to_flat_transforms",
    "rotate",
    "single_image_random_dot_stereograms",
    "sparse_image_warp",
    "transform",
    "translate",
    "translations_to_projective_transforms",
]

_namespace(globals())
