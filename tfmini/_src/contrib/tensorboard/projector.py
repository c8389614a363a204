"""The file that lists embedding variables for TensorBoard's projector."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from tfmini._src.base.proto.text import message_text
from tfmini._src.formats.gfile import FileIO

if TYPE_CHECKING:
    from tfmini._src.train.events.file_writer import FileWriter


def visualize_embeddings(summary_writer: FileWriter, config: Any) -> None:
    """Writes a projector's config into the log folder of a writer, as `projector_config.pbtxt`.

    Args:
      summary_writer: a `tf.summary.FileWriter`; TensorBoard looks for checkpoints in its folder unless the config
        names one.
      config: a `ProjectorConfig`: for each embedding the name of its variable, and the paths of a file with a line of
        metadata for each row, and of a sprite with a small picture for each.

    Raises:
      ValueError: if the writer has no folder.

    Example:
      config = projector.ProjectorConfig()
      config.embeddings.add(tensor_name=embeddings.name, metadata_path="words.tsv")
      projector.visualize_embeddings(tf.summary.FileWriter(folder), config)
    """
    folder = summary_writer.get_logdir()
    if folder is None:
        raise ValueError("Summary writer must have a logdir")
    with FileIO(os.path.join(folder, "projector_config.pbtxt"), "w") as file:
        file.write(message_text(config))
