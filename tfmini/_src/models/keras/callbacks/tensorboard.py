"""The TensorBoard callback: metrics, graph, histograms, embeddings and a trace in event files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np

from tfmini._src.base import dtypes, proto
from tfmini._src.formats.gfile import FileIO
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.models.keras.callbacks.callback import Callback
from tfmini._src.nn.layers.backend.config import image_data_format
from tfmini._src.nn.layers.backend.keras_graph import get_graph
from tfmini._src.nn.layers.backend.learning_phase import learning_phase
from tfmini._src.nn.layers.backend.session import get_session, track
from tfmini._src.nn.layers.backend.tensor_values import int_shape
from tfmini._src.ops import ops
from tfmini._src.ops.summaries.image_summary import image
from tfmini._src.ops.summaries.merge_summary import merge_all
from tfmini._src.ops.summaries.scalar_histogram_summary import histogram
from tfmini._src.train.checkpoints.saver import Saver
from tfmini._src.train.events.file_writer import FileWriter
from tfmini._src.variables.variable import Variable


def is_shown(name: str) -> bool:
    """Whether a log entry is a loss or metric."""
    return name not in ("batch", "size", "num_steps")


def _metrics(prefix: str, logs: dict[str, Any]) -> dict[str, Any]:
    return {prefix + name: value for name, value in logs.items() if is_shown(name)}


class TensorBoard(Callback):
    """Writes training logs for TensorBoard: `tensorboard --logdir=logs`.

    Args:
      log_dir: the directory.
      histogram_freq: interval of weight and output histograms in epochs, written during validation; 0 for
        never.
      batch_size: batch size for computing embeddings.
      write_graph: whether to write the graph.
      write_grads: whether to also write gradient histograms.
      write_images: whether to also write weights as images.
      embeddings_freq: interval of embeddings in epochs; 0 for never.
      embeddings_layer_names: names of the layers; by default all Embedding layers.
      embeddings_metadata: file of example labels, or a dict of files by layer name.
      embeddings_data: inputs to embed.
      update_freq: interval of losses and metrics: "epoch", "batch", or a number of examples.
      profile_batch: index of the batch whose memory and compute times to trace; 0 for none.

    Raises:
      ValueError: at the end of an epoch, for `embeddings_freq` without `embeddings_data`.

    Example:
      model.fit(x, y, epochs=5, callbacks=[tf.keras.callbacks.TensorBoard("logs")])
    """

    def __init__(
        self,
        log_dir: str = "./logs",
        histogram_freq: int = 0,
        batch_size: int = 32,
        write_graph: bool = True,
        write_grads: bool = False,
        write_images: bool = False,
        embeddings_freq: int = 0,
        embeddings_layer_names: Sequence[str] | None = None,
        embeddings_metadata: Any = None,
        embeddings_data: Any = None,
        update_freq: Any = "epoch",
        profile_batch: int = 2,
    ):
        super().__init__()
        self.log_dir = log_dir
        self.histogram_freq = histogram_freq
        self.merged: Any = None
        self.write_graph = write_graph
        self.write_grads = write_grads
        self.write_images = write_images
        self.batch_size = batch_size
        self.embeddings_freq = embeddings_freq
        self.embeddings_layer_names = embeddings_layer_names
        self.embeddings_metadata = embeddings_metadata
        self.embeddings_data = embeddings_data
        self.update_freq = 1 if update_freq == "batch" else update_freq
        self._total_batches_seen = self._total_val_batches_seen = 0
        self._samples_seen = self._samples_seen_at_last_write = 0
        self._profile_batch = profile_batch
        self._traced: Any = None

    # Before training -----------------------------------------------------------------------------

    def set_model(self, model: Any) -> None:
        """Sets the model, opens the event file and creates the summaries."""
        self.model = model
        graph = get_graph()
        with graph.as_default() if executing_eagerly() else nullcontext():
            self.writer = FileWriter(str(self.log_dir), graph if self.write_graph else None)
            if self.histogram_freq and self.merged is None:
                for layer in model.layers:
                    self._summarize(layer)
            self.merged = merge_all()
        if self.embeddings_freq and self.embeddings_data is not None:
            self._make_embeddings()

    def _summarize(self, layer: Any) -> None:
        """Creates a layer's histograms and images."""
        for weight in layer.weights:
            name = weight.name.replace(":", "_")
            histogram(name, weight)
            picture = to_images(weight) if self.write_images else None
            if picture is not None:
                image(name, picture)
        for weight in layer.trainable_weights if self.write_grads else ():
            grads = self.model.optimizer.get_gradients(self.model.total_loss, weight)
            grads = [grad.values if isinstance(grad, IndexedSlices) else grad for grad in grads]
            histogram(weight.name.replace(":", "_") + "_grad", grads)
        if hasattr(layer, "output"):
            is_list = isinstance(layer.output, list)
            for index, output in enumerate(layer.output if is_list else [layer.output]):
                histogram(f"{layer.name}_out" + (f"_{index}" if is_list else ""), output)

    def _make_embeddings(self) -> None:
        """Creates the variables of embedding outputs, and the config file of the projector."""
        data = self.embeddings_data
        if isinstance(data, dict):
            data = [data[name] for name in self.model.input_names]
        self.embeddings_data = data = [
            np.asarray(x) for x in (data if isinstance(data, (list, tuple)) else [data])
        ]
        names = self.embeddings_layer_names or [
            layer.name for layer in self.model.layers if type(layer).__name__ == "Embedding"
        ]
        self._start = ops.placeholder(dtypes.int32)
        self._count = ops.placeholder(dtypes.int32)
        self._assignments, variables = [], {}
        for name in names:
            output = self.model.get_layer(name).output
            size = int(np.prod(output.shape.as_list()[1:]))
            rows = ops.reshape(output, (self._count, size))
            retained = Variable(ops.zeros((data[0].shape[0], size)), name=name + "_embedding")
            track(retained)
            variables[name] = retained
            self._assignments.append(
                ops.assign(retained[self._start : self._start + self._count], rows)
            )
        self._saver = Saver(list(variables.values()))
        metadata = self.embeddings_metadata
        if isinstance(metadata, str):
            metadata = dict.fromkeys(variables, metadata)
        lines = []
        for name, variable in variables.items():
            lines.append(f'embeddings {{\n  tensor_name: "{variable.name}"')
            if name in (metadata or {}):
                lines.append(f'  metadata_path: "{metadata[name]}"')
            lines.append("}")
        with FileIO(os.path.join(self.log_dir, "projector_config.pbtxt"), "w") as file:
            file.write("\n".join(lines) + "\n")

    # While it is trained -------------------------------------------------------------------------

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Traces the first batch if requested."""
        if self._profile_batch == 1:
            self._trace()

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """Writes the loss and metrics if due; traces the next batch if requested."""
        logs = logs or {}
        self._samples_seen += logs.get("size", 1)
        if self.update_freq != "epoch":
            if self._samples_seen - self._samples_seen_at_last_write >= self.update_freq:
                self._write_custom_summaries(self._total_batches_seen, _metrics("batch_", logs))
                self._samples_seen_at_last_write = self._samples_seen
        self._total_batches_seen += 1
        if self._traced is not None:
            self._write_trace()
        elif self._total_batches_seen == self._profile_batch - 1:
            self._trace()

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Enables histograms in the next validation if due."""
        if self.histogram_freq and epoch % self.histogram_freq == 0:
            function = self.model._make_test_function()
            if self.merged is not None and self.merged not in function.fetches:
                function.fetches.append(self.merged)
                function.fetch_callbacks[self.merged] = self._fetch_callback

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Writes the loss and metrics, and embeddings if due."""
        step = epoch if self.update_freq == "epoch" else self._samples_seen
        self._write_custom_summaries(step, _metrics("epoch_", logs or {}))
        if self.histogram_freq:
            function = self.model.test_function
            if function is not None and self.merged in function.fetches:
                function.fetches.remove(self.merged)
                function.fetch_callbacks.pop(self.merged, None)
        if self.embeddings_freq:
            if self.embeddings_data is None:
                raise ValueError("To visualize embeddings, embeddings_data must be provided.")
            if epoch % self.embeddings_freq == 0:
                self._save_embeddings(epoch)

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        """Closes the file."""
        if self._traced is not None:
            self._write_trace()
        self.writer.close()

    def _fetch_callback(self, summary: Any) -> None:
        self.writer.add_summary(summary, self._total_val_batches_seen)
        self._total_val_batches_seen += 1

    def _write_custom_summaries(self, step: int, logs: dict[str, Any] | None = None) -> None:
        """Writes scalars; subclasses call it with their own scalars."""
        for name, value in (logs or {}).items():
            summary = proto.Summary()
            summary.value.add(tag=name, simple_value=float(value))
            self.writer.add_summary(summary, step)
        self.writer.flush()

    def _save_embeddings(self, epoch: int) -> None:
        data, session = self.embeddings_data, get_session()
        inputs = self.model.input
        for start in range(0, len(data[0]), self.batch_size):
            count = min(self.batch_size, len(data[0]) - start)
            feeds = {self._start: start, self._count: count}
            for x, rows in zip(inputs if isinstance(inputs, list) else [inputs], data):
                feeds[x] = rows[start : start + count]
            if not isinstance(learning_phase(), int):
                feeds[learning_phase()] = False
            session.run(self._assignments, feed_dict=feeds)
            self._saver.save(session, os.path.join(self.log_dir, "keras_embedding.ckpt"), epoch)

    def _trace(self) -> None:
        """Requests a trace of the next step."""
        function = self.model and self.model.train_function
        if function is None or function.run_metadata is not None:
            return  # the program already traces its steps
        self._traced = proto.RunMetadata()
        self._options = function.run_options
        function.run_metadata = self._traced
        function.run_options = proto.RunOptions(trace_level=proto.RunOptions.FULL_TRACE)

    def _write_trace(self) -> None:
        function = self.model.train_function
        function.run_metadata, function.run_options = None, self._options
        if self._traced.step_stats.dev_stats:
            self.writer.add_run_metadata(
                self._traced, f"batch_{self._total_batches_seen}", self._total_batches_seen
            )
        self._traced = None


def to_images(weight: Any) -> Any:
    """Returns a weight as grayscale images [n, rows, columns, 1], or None for rank 4."""
    picture = ops.squeeze(weight)
    shape: Any = int_shape(picture)
    if len(shape) == 2:
        if shape[0] > shape[1]:
            picture = ops.transpose(picture)
            shape = int_shape(picture)
        return ops.reshape(picture, [1, shape[0], shape[1], 1])
    if len(shape) == 3:
        if image_data_format() == "channels_last":
            picture = ops.transpose(picture, perm=[2, 0, 1])
            shape = int_shape(picture)
        return ops.reshape(picture, [*shape, 1])
    if len(shape) == 1:
        return ops.reshape(picture, [1, shape[0], 1, 1])
    return None
