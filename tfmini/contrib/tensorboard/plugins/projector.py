"""tf.contrib.tensorboard.plugins.projector: how TensorBoard's projector shows embeddings."""

import typing as _typing
from functools import partial as _partial

from tfmini import proto as _proto
from tfmini.contrib.tensorboard.embeddings import visualize_embeddings
from tfmini.names.namespaces import namespace as _namespace

if _typing.TYPE_CHECKING:  # what loads at its first use, shown to editors
    from tfmini.proto import EmbeddingInfo, ProjectorConfig, SpriteMetadata

__all__ = [
    "EmbeddingInfo",
    "ProjectorConfig",
    "SpriteMetadata",
    "visualize_embeddings",
]

_namespace(globals(), _partial(getattr, _proto))
