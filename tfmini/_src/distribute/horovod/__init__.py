"""All-reduce training with Horovod's interface: each process has the whole graph; gradients are averaged.

`tensorflow` is what programs import as `horovod.tensorflow`; `models/keras/horovod` has `horovod.keras`. `basics`
connects the processes: `ranks` says which one this is, from the environment or `http_rendezvous`, `topology` who is
connected with whom, `exchange` brings arrays to these neighbours over gRPC, or by shared memory on one host,
`reductions` makes sums, gathers and broadcasts of that, or `mpi_reductions` over MPI: both are `host_reductions`, on
which `nccl_reductions` does the same over NCCL, for arrays on cards, by `negotiation` that the processes have told each
other. `ops` has the nodes, `collectives` the functions that make them, `distributed_optimizer` and its neighbours what
trains with them. `elastic` trains while ranks leave and come, which `elastic_rounds` asks the launcher about.
It may import all that stands below it.
"""
