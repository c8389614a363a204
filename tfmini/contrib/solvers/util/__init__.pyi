from tfmini._src.contrib.solvers.linear_operator import create_operator as create_operator
from tfmini._src.contrib.solvers.linear_operator import dot as dot
from tfmini._src.contrib.solvers.linear_operator import identity_operator as identity_operator
from tfmini._src.contrib.solvers.linear_operator import l2norm as l2norm
from tfmini._src.contrib.solvers.linear_operator import l2norm_squared as l2norm_squared
from tfmini._src.contrib.solvers.linear_operator import l2normalize as l2normalize
