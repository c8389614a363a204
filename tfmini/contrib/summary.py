"""tf.contrib.summary: summaries that a graph writes into event files by itself."""

from tfmini.names.namespaces import namespace as _namespace
from tfmini.train.recording.conditions import (
    always_record_summaries,
    never_record_summaries,
    record_summaries_every_n_global_steps,
    should_record_summaries,
)
from tfmini.train.recording.summaries import (
    audio,
    generic,
    graph,
    histogram,
    image,
    import_event,
    scalar,
)
from tfmini.train.recording.writers import (
    SummaryWriter,
    create_file_writer,
    create_summary_file_writer,
    eval_dir,
    flush,
    initialize,
    summary_writer_initializer_op,
)
from tfmini.train.recording.writers import (
    all_v2_summary_ops as all_summary_ops,
)

__all__ = [
    "SummaryWriter",
    "all_summary_ops",
    "always_record_summaries",
    "audio",
    "create_file_writer",
    "create_summary_file_writer",
    "eval_dir",
    "flush",
    "generic",
    "graph",
    "histogram",
    "image",
    "import_event",
    "initialize",
    "never_record_summaries",
    "record_summaries_every_n_global_steps",
    "scalar",
    "should_record_summaries",
    "summary_writer_initializer_op",
]

_namespace(globals())
