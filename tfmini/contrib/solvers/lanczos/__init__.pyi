from tfmini._src.contrib.solvers.lanczos_bidiag import bidiag_matmul as bidiag_matmul
from tfmini._src.contrib.solvers.lanczos_bidiag import lanczos_bidiag as lanczos_bidiag
