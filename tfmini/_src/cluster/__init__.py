"""Clusters: servers with TensorFlow's gRPC services, sessions on them, steps that span several tasks.

A client's session (`remote_session`) calls a server's master (`master_stub`, `master_service`). The master has the
graph (`master_session`), places it over the devices of all tasks and cuts what a step needs at tasks (`partition`).
Each task's worker (`worker`, `remote_worker`) compiles its part to a plan (`registered_graph`) and runs it as its
part of the step (`cluster_step`); tensors go from task to task through each step's `rendezvous`, by the ops of
`send_recv`. `wire` reads and writes tensors in messages, `grpc_channel` and `grpc_server` are the two ends of gRPC,
which loads with the first of them; `direct_channel` and `direct_server` are two ends between tasks of one host,
next to gRPC. `cluster_spec` and `device_setter` import messages only; `train` and `estimator` name them.
"""

from tfmini._src.base.names.late_imports import late_modules

__getattr__ = late_modules(__name__)
