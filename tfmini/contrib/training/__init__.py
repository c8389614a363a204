"""`tf.contrib.training`: hyperparameters, operations that train, buckets and samples of examples."""

from tfmini.contrib.training.buckets import (
    bucket,
    bucket_by_sequence_length,
)
from tfmini.contrib.training.evaluating import SummaryAtEndHook, evaluate_repeatedly
from tfmini.contrib.training.hparams import HParams, parse_values
from tfmini.contrib.training.loops import train
from tfmini.contrib.training.parameter_servers import (
    GreedyLoadBalancingStrategy,
    RandomStrategy,
    byte_size_load_fn,
)
from tfmini.contrib.training.resampling import (
    resample_at_rate,
    weighted_resample,
)
from tfmini.contrib.training.sampling import (
    rejection_sample,
    stratified_sample,
)
from tfmini.contrib.training.segment_batches import batch_sequences_with_states
from tfmini.contrib.training.segments import (
    NextQueuedSequenceBatch,
    SequenceQueueingStateSaver,
)
from tfmini.contrib.training.train_ops import (
    add_gradients_summaries,
    clip_gradient_norms,
    clip_gradient_norms_fn,
    create_train_op,
    multiply_gradients,
)
from tfmini.names.namespaces import namespace as _namespace
from tfmini.train.checkpoints.checkpoint_reader import checkpoints_iterator, wait_for_new_checkpoint
from tfmini.train.feeding.feeding_queue_runner import FeedingQueueRunner
from tfmini.train.monitored.evaluation import (
    StopAfterNEvalsHook,
    evaluate_once,
    get_or_create_eval_step,
)

__all__ = [
    "resample_at_rate",
    "weighted_resample",
    "rejection_sample",
    "stratified_sample",
    "bucket",
    "byte_size_load_fn",
    "bucket_by_sequence_length",
    "FeedingQueueRunner",
    "GreedyLoadBalancingStrategy",
    "HParams",
    "NextQueuedSequenceBatch",
    "RandomStrategy",
    "SequenceQueueingStateSaver",
    "StopAfterNEvalsHook",
    "SummaryAtEndHook",
    "add_gradients_summaries",
    "batch_sequences_with_states",
    "checkpoints_iterator",
    "clip_gradient_norms",
    "clip_gradient_norms_fn",
    "create_train_op",
    "evaluate_once",
    "evaluate_repeatedly",
    "get_or_create_eval_step",
    "multiply_gradients",
    "parse_values",
    "train",
    "wait_for_new_checkpoint",
]

_namespace(globals())
