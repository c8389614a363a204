"""Clusters: servers with TensorFlow's gRPC services, sessions on them, and steps across several tasks.

A client's session (`remote_session`) calls a server's master (`master_stub`, `master_service`). The master holds the
graph (`master_session`), places it on the devices of all tasks and splits each step at task boundaries (`partition`).
Each task's worker (`worker`, `remote_worker`) compiles its partition to a plan (`registered_graph`) and runs it as its
share of the step (`cluster_step`); the ops of `send_recv` pass tensors between tasks through the step's `rendezvous`.
`wire` encodes and decodes tensors in messages. `grpc_channel` and `grpc_server` are the client and server sides of
gRPC and load it on first use; `direct_channel` and `direct_server` are a faster transport between tfmini's tasks.
`cluster_spec` and `device_setter` depend only on message classes; `train` and `estimator` use them.
"""

from tfmini._src.base.names.lazy_imports import lazy_modules

__getattr__ = lazy_modules(__name__)
