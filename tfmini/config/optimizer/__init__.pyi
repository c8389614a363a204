from tfmini._src.session.default_config import get_experimental_options as get_experimental_options
from tfmini._src.session.default_config import get_jit as get_jit
from tfmini._src.session.default_config import set_experimental_options as set_experimental_options
from tfmini._src.session.default_config import set_jit as set_jit
