from tfmini._src.contrib.solvers.conjugate_gradient import cgls as cgls
