"""`tf.train`: optimizers (one file each), learning-rate schedules, moving averages, the global step.

An optimizer composes what lies below: `gradients` of the loss, slot variables, and one update op a variable
(`update_rule`).
"""

import typing as _typing

from tfmini.formats.events import summary_iterator
from tfmini.meta_graphs.export import export_meta_graph
from tfmini.meta_graphs.graph_files import write_graph
from tfmini.names.namespaces import namespace as _namespace
from tfmini.train import queue_runner
from tfmini.train.checkpoints.checkpoint_initializers import (
    init_from_checkpoint,
)
from tfmini.train.checkpoints.checkpoint_reader import (
    checkpoints_iterator,
    list_variables,
    load_checkpoint,
    load_variable,
)
from tfmini.train.checkpoints.checkpoint_reader import (
    new_checkpoint_reader as NewCheckpointReader,
)
from tfmini.train.checkpoints.checkpoint_state import (
    checkpoint_exists,
    generate_checkpoint_state_proto,
    get_checkpoint_mtimes,
    get_checkpoint_state,
    latest_checkpoint,
    remove_checkpoint,
    update_checkpoint_state,
)
from tfmini.train.checkpoints.meta_graph_import import import_meta_graph
from tfmini.train.checkpoints.saver import (
    Saver,
)
from tfmini.train.checkpoints.warm_starting import (
    VocabInfo,
    warm_start,
)
from tfmini.train.feeding.batching import (
    batch,
    batch_join,
    maybe_batch,
    maybe_batch_join,
    maybe_shuffle_batch,
    maybe_shuffle_batch_join,
    shuffle_batch,
    shuffle_batch_join,
)
from tfmini.train.feeding.coordinator import Coordinator, LooperThread
from tfmini.train.feeding.producers import (
    input_producer,
    limit_epochs,
    match_filenames_once,
    range_input_producer,
    slice_input_producer,
    string_input_producer,
)
from tfmini.train.feeding.queue_runner import QueueRunner, add_queue_runner, start_queue_runners
from tfmini.train.late import load as _load
from tfmini.train.optimizers.adadelta import AdadeltaOptimizer
from tfmini.train.optimizers.adagrad import AdagradOptimizer
from tfmini.train.optimizers.adagrad_da import AdagradDAOptimizer
from tfmini.train.optimizers.adam import AdamOptimizer
from tfmini.train.optimizers.ftrl import FtrlOptimizer
from tfmini.train.optimizers.gradient_descent import GradientDescentOptimizer
from tfmini.train.optimizers.momentum import MomentumOptimizer
from tfmini.train.optimizers.moving_averages import ExponentialMovingAverage
from tfmini.train.optimizers.optimizer import Optimizer
from tfmini.train.optimizers.proximal import (
    ProximalAdagradOptimizer,
    ProximalGradientDescentOptimizer,
)
from tfmini.train.optimizers.rmsprop import RMSPropOptimizer
from tfmini.train.optimizers.schedules import (
    cosine_decay,
    cosine_decay_restarts,
    exponential_decay,
    inverse_time_decay,
    linear_cosine_decay,
    natural_exp_decay,
    noisy_linear_cosine_decay,
    piecewise_constant,
    polynomial_decay,
)
from tfmini.train.optimizers.schedules import piecewise_constant as piecewise_constant_decay
from tfmini.train.steps import (
    assert_global_step,
    create_global_step,
    get_global_step,
    get_or_create_global_step,
    global_step,
)

if _typing.TYPE_CHECKING:  # what loads at its first use, shown to editors
    from tfmini.distributed.cluster_spec import ClusterSpec
    from tfmini.distributed.device_setter import replica_device_setter
    from tfmini.distributed.server import Server
    from tfmini.ops.learners.dual_ascent import sdca_fprint, sdca_optimizer, sdca_shrink_l1
    from tfmini.proto import (
        BytesList,
        ClusterDef,
        Example,
        Feature,
        FeatureList,
        FeatureLists,
        Features,
        FloatList,
        Int64List,
        JobDef,
        SaverDef,
        SequenceExample,
        ServerDef,
    )
    from tfmini.train import experimental
    from tfmini.train.monitored.creators import (
        ChiefSessionCreator,
        SessionCreator,
        WorkerSessionCreator,
    )
    from tfmini.train.monitored.monitored_session import (
        MonitoredSession,
        SingularMonitoredSession,
    )
    from tfmini.train.monitored.profiler_hook import ProfilerHook
    from tfmini.train.monitored.run_hooks import (
        SessionRunArgs,
        SessionRunContext,
        SessionRunHook,
        SessionRunValues,
    )
    from tfmini.train.monitored.saving_hooks import (
        CheckpointSaverHook,
        CheckpointSaverListener,
    )
    from tfmini.train.monitored.scaffold import (
        Scaffold,
    )
    from tfmini.train.monitored.session_manager import (
        SessionManager,
    )
    from tfmini.train.monitored.stopping_hooks import (
        GlobalStepWaiterHook,
        NanLossDuringTrainingError,
        NanTensorHook,
        StopAtStepHook,
    )
    from tfmini.train.monitored.summary_hooks import (
        StepCounterHook,
        SummarySaverHook,
    )
    from tfmini.train.monitored.supervisor import (
        Supervisor,
        basic_train_loop,
    )
    from tfmini.train.monitored.sync_replicas import SyncReplicasOptimizer
    from tfmini.train.monitored.timers import (
        SecondOrStepTimer,
    )
    from tfmini.train.monitored.training_session import (
        MonitoredTrainingSession,
    )
    from tfmini.train.monitored.value_hooks import (
        FeedFnHook,
        FinalOpsHook,
        LoggingTensorHook,
    )
    from tfmini.train.objects.checkpoint import Checkpoint
    from tfmini.train.objects.checkpoint_manager import CheckpointManager

__all__ = [
    "ProfilerHook",
    "SyncReplicasOptimizer",
    "AdadeltaOptimizer",
    "AdagradDAOptimizer",
    "AdagradOptimizer",
    "AdamOptimizer",
    "BytesList",
    "Checkpoint",
    "CheckpointManager",
    "CheckpointSaverHook",
    "CheckpointSaverListener",
    "ChiefSessionCreator",
    "ClusterDef",
    "ClusterSpec",
    "Coordinator",
    "Example",
    "ExponentialMovingAverage",
    "Feature",
    "FeatureList",
    "FeatureLists",
    "Features",
    "FeedFnHook",
    "FinalOpsHook",
    "FloatList",
    "FtrlOptimizer",
    "GlobalStepWaiterHook",
    "GradientDescentOptimizer",
    "Int64List",
    "JobDef",
    "LoggingTensorHook",
    "LooperThread",
    "MomentumOptimizer",
    "MonitoredSession",
    "MonitoredTrainingSession",
    "NanLossDuringTrainingError",
    "NanTensorHook",
    "NewCheckpointReader",
    "Optimizer",
    "ProximalAdagradOptimizer",
    "ProximalGradientDescentOptimizer",
    "QueueRunner",
    "RMSPropOptimizer",
    "Saver",
    "SaverDef",
    "Scaffold",
    "SecondOrStepTimer",
    "SequenceExample",
    "ServerDef",
    "Server",
    "SessionCreator",
    "SessionManager",
    "SessionRunArgs",
    "SessionRunContext",
    "SessionRunHook",
    "SessionRunValues",
    "SingularMonitoredSession",
    "StepCounterHook",
    "StopAtStepHook",
    "SummarySaverHook",
    "Supervisor",
    "VocabInfo",
    "WorkerSessionCreator",
    "add_queue_runner",
    "assert_global_step",
    "basic_train_loop",
    "batch",
    "batch_join",
    "checkpoint_exists",
    "checkpoints_iterator",
    "cosine_decay",
    "cosine_decay_restarts",
    "create_global_step",
    "exponential_decay",
    "experimental",
    "export_meta_graph",
    "generate_checkpoint_state_proto",
    "get_checkpoint_mtimes",
    "get_checkpoint_state",
    "get_global_step",
    "get_or_create_global_step",
    "global_step",
    "import_meta_graph",
    "init_from_checkpoint",
    "input_producer",
    "inverse_time_decay",
    "latest_checkpoint",
    "limit_epochs",
    "linear_cosine_decay",
    "list_variables",
    "load_checkpoint",
    "load_variable",
    "match_filenames_once",
    "maybe_batch",
    "maybe_batch_join",
    "maybe_shuffle_batch",
    "maybe_shuffle_batch_join",
    "natural_exp_decay",
    "noisy_linear_cosine_decay",
    "piecewise_constant",
    "piecewise_constant_decay",
    "polynomial_decay",
    "queue_runner",
    "range_input_producer",
    "remove_checkpoint",
    "replica_device_setter",
    "sdca_fprint",
    "sdca_optimizer",
    "sdca_shrink_l1",
    "shuffle_batch",
    "shuffle_batch_join",
    "slice_input_producer",
    "start_queue_runners",
    "string_input_producer",
    "summary_iterator",
    "update_checkpoint_state",
    "warm_start",
    "write_graph",
]

_namespace(globals(), _load)
