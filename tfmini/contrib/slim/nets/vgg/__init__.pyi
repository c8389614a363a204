from tfmini._src.contrib.slim.nets.vgg import vgg_16 as vgg_16
from tfmini._src.contrib.slim.nets.vgg import vgg_19 as vgg_19
from tfmini._src.contrib.slim.nets.vgg import vgg_a as vgg_a
from tfmini._src.contrib.slim.nets.vgg import vgg_arg_scope as vgg_arg_scope
from tfmini.contrib.slim.nets.vgg import vgg_16 as _vgg_d; vgg_d = _vgg_d
from tfmini.contrib.slim.nets.vgg import vgg_19 as _vgg_e; vgg_e = _vgg_e
