from tfmini.autograph import experimental as experimental
from tfmini._src.autograph.verbosity import set_verbosity as set_verbosity
from tfmini._src.autograph.convert import to_code as to_code
from tfmini._src.autograph.convert import to_graph as to_graph
from tfmini._src.autograph.directives import trace as trace
