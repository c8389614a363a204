"""All-reduce training with Horovod's interface: each process has the whole graph; gradients are averaged.

Programs import `tensorflow` as `horovod.tensorflow`; `models/keras/horovod` provides `horovod.keras`. `basics` connects
the processes: this process's `ranks` come from the environment or `http_rendezvous`, the connections from `topology`;
`exchange` transfers arrays to neighbors over gRPC, or shared memory on one host, and `reductions` builds sums, gathers
and broadcasts on it; `mpi_reductions` uses MPI instead. Both implement `host_reductions`, on which `nccl_reductions`
builds the same for arrays on GPUs, over NCCL, after a `negotiation` among the processes. `ops` defines the graph ops,
`collectives` the functions that create them, `distributed_optimizer` and its neighbors the training wrappers. `elastic`
trains while ranks leave and join, in `elastic_rounds` assigned by the launcher. It may import everything below it.
"""
