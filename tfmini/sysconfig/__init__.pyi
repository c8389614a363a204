from tfmini import CXX11_ABI_FLAG as CXX11_ABI_FLAG
from tfmini import MONOLITHIC_BUILD as MONOLITHIC_BUILD
from tfmini._src.base.sysconfig.compile_flags import get_compile_flags as get_compile_flags
from tfmini._src.base.sysconfig.compile_flags import get_include as get_include
from tfmini._src.base.sysconfig.compile_flags import get_lib as get_lib
from tfmini._src.base.sysconfig.compile_flags import get_link_flags as get_link_flags
