"""Names of `tf.train` that load at their first use: watched sessions, checkpoints of objects."""

from __future__ import annotations

from typing import Any

from tfmini import proto

_SAVING = ("CheckpointSaverHook", "CheckpointSaverListener")
_SUMMARIES = ("StepCounterHook", "SummarySaverHook")
_VALUES = ("FeedFnHook", "FinalOpsHook", "LoggingTensorHook")
_STOPPING = (
    *("GlobalStepWaiterHook", "NanLossDuringTrainingError", "NanTensorHook", "StopAtStepHook"),
)
_HOOKS = ("SessionRunArgs", "SessionRunContext", "SessionRunHook", "SessionRunValues")
_CREATORS = ("ChiefSessionCreator", "SessionCreator", "WorkerSessionCreator")
_SESSIONS = ("MonitoredSession", "SingularMonitoredSession")

_DUAL_ASCENT = ("sdca_fprint", "sdca_optimizer", "sdca_shrink_l1")


def load(name: str) -> Any:
    """What `tf.train` offers under this name."""
    module: Any
    if name == "experimental":
        import tfmini.train.experimental  # noqa: PLC0415

        return tfmini.train.experimental
    if name in _SAVING:
        from tfmini.train.monitored import saving_hooks as module  # noqa: PLC0415
    elif name in _SUMMARIES:
        from tfmini.train.monitored import summary_hooks as module  # noqa: PLC0415
    elif name in _VALUES:
        from tfmini.train.monitored import value_hooks as module  # noqa: PLC0415
    elif name in _STOPPING:
        from tfmini.train.monitored import stopping_hooks as module  # noqa: PLC0415
    elif name in _HOOKS:
        from tfmini.train.monitored import run_hooks as module  # noqa: PLC0415
    elif name in _CREATORS:
        from tfmini.train.monitored import creators as module  # noqa: PLC0415
    elif name in _SESSIONS:
        from tfmini.train.monitored import monitored_session as module  # noqa: PLC0415
    elif name == "ClusterSpec":
        from tfmini.distributed import cluster_spec as module  # noqa: PLC0415
    elif name == "replica_device_setter":
        from tfmini.distributed import device_setter as module  # noqa: PLC0415
    elif name == "Server":
        from tfmini.distributed import server as module  # noqa: PLC0415
    elif name == "MonitoredTrainingSession":
        from tfmini.train.monitored import training_session as module  # noqa: PLC0415
    elif name == "Checkpoint":
        from tfmini.train.objects import checkpoint as module  # noqa: PLC0415
    elif name == "CheckpointManager":
        from tfmini.train.objects import checkpoint_manager as module  # noqa: PLC0415
    elif name == "ProfilerHook":
        from tfmini.train.monitored import profiler_hook as module  # noqa: PLC0415
    elif name == "Scaffold":
        from tfmini.train.monitored import scaffold as module  # noqa: PLC0415
    elif name == "SecondOrStepTimer":
        from tfmini.train.monitored import timers as module  # noqa: PLC0415
    elif name == "SessionManager":
        from tfmini.train.monitored import session_manager as module  # noqa: PLC0415
    elif name == "SyncReplicasOptimizer":
        from tfmini.train.monitored import sync_replicas as module  # noqa: PLC0415
    elif name in _DUAL_ASCENT:
        from tfmini.ops.learners import dual_ascent as module  # noqa: PLC0415
    elif name in ("Supervisor", "basic_train_loop"):
        from tfmini.train.monitored import supervisor as module  # noqa: PLC0415
    else:
        return getattr(proto, name)
    return getattr(module, name)
