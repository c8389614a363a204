"""Configuration file for TensorBoard's embedding projector."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from tfmini._src.base.proto.text import message_text
from tfmini._src.formats.gfile import FileIO

if TYPE_CHECKING:
    from tfmini._src.train.events.file_writer import FileWriter


def visualize_embeddings(summary_writer: FileWriter, config: Any) -> None:
    """Writes a projector config to the log directory of a writer, as `projector_config.pbtxt`.

    Args:
      summary_writer: a `tf.summary.FileWriter`; TensorBoard looks for checkpoints in its directory unless the config
        specifies another one.
      config: a `ProjectorConfig`: for each embedding, the variable name, and the paths of a metadata file (one line
        per row) and a sprite image (one picture per row).

    Raises:
      ValueError: if the writer's directory is unset.

    Example:
      config = projector.ProjectorConfig()
      config.embeddings.add(tensor_name=embeddings.name, metadata_path="words.tsv")
      projector.visualize_embeddings(tf.summary.FileWriter(directory), config)
    """
    directory = summary_writer.get_logdir()
    if directory is None:
        raise ValueError("Summary writer must have a logdir")
    with FileIO(os.path.join(directory, "projector_config.pbtxt"), "w") as file:
        file.write(message_text(config))
