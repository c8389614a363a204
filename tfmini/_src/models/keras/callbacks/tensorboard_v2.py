"""The TensorBoard callback of `tf.compat.v2`, with training and validation event files."""

from __future__ import annotations

import os
from typing import Any

from tfmini._src.base import logs as messages
from tfmini._src.formats.gfile import FileIO
from tfmini._src.formats.gfile_functions import makedirs
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.models.keras.callbacks.callback import Callback
from tfmini._src.models.keras.callbacks.tensorboard import is_shown, to_images
from tfmini._src.nn.layers.backend.keras_graph import get_graph
from tfmini._src.nn.layers.backend.tensor_values import get_value
from tfmini._src.ops import ops
from tfmini._src.session.eager.enable import eager_mode
from tfmini._src.train.summary_v2 import summary_ops, trace
from tfmini._src.train.summary_v2.record_summaries import DEFAULTS, always_record_summaries
from tfmini._src.train.summary_v2.summary_writer import SummaryWriter, create_file_writer_v2
from tfmini._src.train.summary_v2.write_summary import keras_model
from tfmini._src.variables.init_scope import executing_eagerly_outside_functions
from tfmini._src.variables.variable import Variable

_TRAIN, _VALIDATION = "train", "validation"
_IGNORED_ARGUMENTS = {
    "write_grads": "`write_grads` will be ignored in TensorFlow 2.0 for the `TensorBoard` Callback.",
    "batch_size": "`batch_size` is no longer needed in the `TensorBoard` Callback and will be ignored in "
    "TensorFlow 2.0.",
    "embeddings_layer_names": "`embeddings_layer_names` is not supported in TensorFlow 2.0. Instead, all `Embedding` "
    "layers will be visualized.",
    "embeddings_data": "`embeddings_data` is not supported in TensorFlow 2.0. Instead, all `Embedding` variables "
    "will be visualized.",
}


class TensorBoard(Callback):
    """Writes training logs for TensorBoard: `tensorboard --logdir=logs`.

    Layers and functions also write summaries to its files, unless `update_freq` is "epoch".

    Args:
      log_dir: the directory, with subdirectories "train" and "validation".
      histogram_freq: interval of weight histograms in epochs; 0 for never.
      write_graph: whether to write the graph and the model configuration.
      write_images: whether to also write weights as images.
      update_freq: interval of losses and metrics: "epoch", "batch", or a number of batches.
      profile_batch: index of the batch whose function graphs to write, in eager mode; 0 for none.
      embeddings_freq: interval of embedding weights in epochs; 0 for never.
      embeddings_metadata: file of row labels, or a dict of files by layer name.
      **kwargs: arguments of `tf.keras.callbacks.TensorBoard`, ignored.

    Raises:
      ValueError: for other arguments.

    Example:
      model.fit(x, y, epochs=5, callbacks=[tf.compat.v2.keras.callbacks.TensorBoard("logs")])
    """

    def __init__(
        self,
        log_dir: str = "logs",
        histogram_freq: int = 0,
        write_graph: bool = True,
        write_images: bool = False,
        update_freq: Any = "epoch",
        profile_batch: int = 2,
        embeddings_freq: int = 0,
        embeddings_metadata: Any = None,
        **kwargs: Any,
    ):
        super().__init__()
        for name, text in _IGNORED_ARGUMENTS.items():
            if kwargs.pop(name, False):
                messages.warning(text)
        if kwargs:
            raise ValueError(f"Unrecognized arguments in `TensorBoard` Callback: {set(kwargs)}")
        self.log_dir = log_dir
        self.histogram_freq = histogram_freq
        self.write_graph = write_graph
        self.write_images = write_images
        self.update_freq = 1 if update_freq == "batch" else update_freq
        self.embeddings_freq = embeddings_freq
        self.embeddings_metadata = embeddings_metadata
        self._writers: dict[str, SummaryWriter] = {}
        self._profile_batch = profile_batch
        self._is_tracing = False

    def set_model(self, model: Any) -> None:
        """Sets the model and writes its graph."""
        self.model = model
        with eager_mode():
            self._close_writers()
            if self.write_graph:
                with self._writer(_TRAIN).as_default(), always_record_summaries():
                    if not model.run_eagerly:
                        summary_ops.graph(get_graph(), step=0)
                    if model._is_graph_network or type(model).__name__ == "Sequential":
                        keras_model("keras", model, step=0)
        if self.embeddings_freq:
            self._write_projector_config()
        self._previous_defaults = (DEFAULTS.writer, DEFAULTS.condition, DEFAULTS.step)

    def _write_projector_config(self) -> None:
        metadata = self.embeddings_metadata
        files = {} if metadata is None or isinstance(metadata, str) else dict(metadata)
        lines = []
        for layer in self.model.layers:
            if type(layer).__name__ == "Embedding":
                lines.append(f'embeddings {{\n  tensor_name: "{layer.embeddings.name}"')
                path = metadata if isinstance(metadata, str) else files.pop(layer.name, None)
                if path is not None:
                    lines.append(f'  metadata_path: "{path}"')
                lines.append("}")
        if files:
            raise ValueError(
                "Unrecognized `Embedding` layer names passed to `keras.callbacks.TensorBoard` `embeddings_metadata` "
                f"argument: {files.keys()}"
            )
        makedirs(self.log_dir)
        with FileIO(os.path.join(self.log_dir, "projector_config.pbtxt"), "w") as file:
            file.write("\n".join(lines) + "\n")

    def _writer(self, name: str) -> SummaryWriter:
        if name not in self._writers:
            self._writers[name] = create_file_writer_v2(os.path.join(self.log_dir, name))
        return self._writers[name]

    def _close_writers(self) -> None:
        with eager_mode():
            for writer in self._writers.values():
                writer.close()
            self._writers.clear()

    def _record_into(self, name: str) -> None:
        """Sets the default writer for summaries, recorded at an interval of `update_freq` batches."""
        if self.update_freq == "epoch":
            return
        step = self._batches[name]
        DEFAULTS.writer = self._writer(name)
        DEFAULTS.condition = lambda: ops.equal(step % self.update_freq, 0)
        DEFAULTS.step = step

    def _count(self, name: str) -> None:
        step = self._batches[name]
        if isinstance(step, Variable):
            step.assign_add(1)
        else:
            self._batches[name] += 1

    def on_train_begin(self, logs: Any = None) -> None:
        """Resets the batch counts; traces the first batch if requested."""
        self._batches: dict[str, Any] = {_TRAIN: 0, _VALIDATION: 0}
        if executing_eagerly_outside_functions():  # read by functions
            self._batches = {name: Variable(0, dtype="int64") for name in self._batches}
        if self._profile_batch == 1:
            self._trace()

    def on_test_begin(self, logs: Any = None) -> None:
        """Directs summaries to the validation files."""
        self._record_into(_VALIDATION)

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Directs summaries to the training files."""
        self._record_into(_TRAIN)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Writes the loss and metrics if due; traces the next batch if requested."""
        if self.update_freq == "epoch" and self._profile_batch is None:
            return
        if self.update_freq != "epoch" and batch % self.update_freq == 0:
            self._write(logs or {}, "batch_", self._batches[_TRAIN])
        self._count(_TRAIN)
        if not executing_eagerly():
            return
        if self._is_tracing:
            self._write_trace()
        elif int(get_value(self._batches[_TRAIN])) == self._profile_batch - 1:
            self._trace()

    def on_test_batch_end(self, batch: int, logs: Any = None) -> None:
        """Counts validation batches."""
        if self.update_freq != "epoch":
            self._count(_VALIDATION)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Writes the loss and metrics, and weights and embeddings if due."""
        self._write(logs or {}, "epoch_", epoch)
        if self.histogram_freq and epoch % self.histogram_freq == 0:
            self._write_weights(epoch)
        if self.embeddings_freq and epoch % self.embeddings_freq == 0:
            path = os.path.join(self.log_dir, _TRAIN, f"keras_embedding.ckpt-{epoch}")
            self.model.save_weights(path)

    def on_train_end(self, logs: Any = None) -> None:
        """Closes the files."""
        if self._is_tracing:
            self._write_trace()
        self._close_writers()
        DEFAULTS.writer, DEFAULTS.condition, DEFAULTS.step = self._previous_defaults

    def _trace(self) -> None:
        if executing_eagerly():
            trace.trace_on(graph=True, profiler=True)
            self._is_tracing = True

    def _write_trace(self) -> None:
        with self._writer(_TRAIN).as_default(), always_record_summaries():
            step = int(get_value(self._batches[_TRAIN]))
            trace.trace_export(f"batch_{step}", step, os.path.join(self.log_dir, _TRAIN))
        self._is_tracing = False

    def _write(self, logs: dict[str, Any], prefix: str, step: Any) -> None:
        """Writes losses and metrics to the training and validation files."""
        visible = [(name, value) for name, value in logs.items() if is_shown(name)]
        with eager_mode(), always_record_summaries():
            for run, start in ((_TRAIN, ""), (_VALIDATION, "val_")):
                run_rows = [row for row in visible if row[0].startswith("val_") == bool(start)]
                if run_rows:
                    with self._writer(run).as_default():
                        for name, value in run_rows:
                            summary_ops.scalar(prefix + name.removeprefix(start), value, step=step)

    def _write_weights(self, epoch: int) -> None:
        weights = [weight for layer in self.model.layers for weight in layer.weights]
        values = [(weight.name.replace(":", "_"), get_value(weight)) for weight in weights]
        with eager_mode(), self._writer(_TRAIN).as_default(), always_record_summaries():
            for name, value in values:
                summary_ops.histogram(name, value, step=epoch)
                picture = to_images(value) if self.write_images else None
                if picture is not None and picture.shape[-1] in (1, 3, 4):
                    summary_ops.image(name, picture, step=epoch)
