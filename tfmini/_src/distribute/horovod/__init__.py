"""All-reduce training with Horovod's interface: each process has the whole graph; gradients are averaged.

`tensorflow` is what programs import as `horovod.tensorflow`. `ranks` says which process this is, `exchange` brings
arrays from one to the other over gRPC, or by shared memory on one host, `reductions` makes sums, gathers and
broadcasts of that, or `mpi_reductions` over MPI; `nccl_reductions` does the same over NCCL, for arrays on cards, by
`negotiation` that the processes have told each other. `ops` has the nodes. It may import all that stands below it;
nothing but the import hook and the command line knows it.
"""
