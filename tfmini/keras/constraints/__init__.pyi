from tfmini._src.nn.layers.constraints import Constraint as Constraint
from tfmini._src.nn.layers.constraints import MaxNorm as MaxNorm
from tfmini._src.nn.layers.constraints import MinMaxNorm as MinMaxNorm
from tfmini._src.nn.layers.constraints import NonNeg as NonNeg
from tfmini._src.nn.layers.constraints import RadialConstraint as RadialConstraint
from tfmini._src.nn.layers.constraints import UnitNorm as UnitNorm
from tfmini._src.nn.layers.constraints import deserialize as deserialize
from tfmini._src.nn.layers.constraints import get as get
from tfmini.keras.constraints import MaxNorm as _max_norm; max_norm = _max_norm
from tfmini.keras.constraints import MinMaxNorm as _min_max_norm; min_max_norm = _min_max_norm
from tfmini.keras.constraints import NonNeg as _non_neg; non_neg = _non_neg
from tfmini.keras.constraints import RadialConstraint as _radial_constraint; radial_constraint = _radial_constraint
from tfmini._src.nn.layers.constraints import serialize as serialize
from tfmini.keras.constraints import UnitNorm as _unit_norm; unit_norm = _unit_norm
