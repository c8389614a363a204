from tfmini._src.base.proto import EmbeddingInfo as EmbeddingInfo
from tfmini._src.base.proto import ProjectorConfig as ProjectorConfig
from tfmini._src.base.proto import SpriteMetadata as SpriteMetadata
from tfmini._src.contrib.tensorboard.projector import visualize_embeddings as visualize_embeddings
