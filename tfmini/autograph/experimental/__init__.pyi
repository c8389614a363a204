from tfmini._src.autograph.options import Feature as Feature
from tfmini._src.autograph.convert import do_not_convert as do_not_convert
from tfmini._src.autograph.directives import set_loop_options as set_loop_options
