from tfmini.contrib.solvers import lanczos as lanczos
from tfmini.contrib.solvers import least_squares as least_squares
from tfmini.contrib.solvers import linear_equations as linear_equations
from tfmini.contrib.solvers import util as util
