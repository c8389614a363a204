from tfmini._src.nn.layers.regularizers import L1L2 as L1L2
from tfmini._src.nn.layers.regularizers import Regularizer as Regularizer
from tfmini._src.nn.layers.regularizers import deserialize as deserialize
from tfmini._src.nn.layers.regularizers import get as get
from tfmini._src.nn.layers.regularizers import l1 as l1
from tfmini._src.nn.layers.regularizers import l1_l2 as l1_l2
from tfmini._src.nn.layers.regularizers import l2 as l2
from tfmini._src.nn.layers.regularizers import serialize as serialize
