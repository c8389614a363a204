from tfmini.config import experimental as experimental
from tfmini._src.session.physical_devices import experimental_list_devices as experimental_list_devices
from tfmini._src.session.default_config import get_soft_device_placement as get_soft_device_placement
from tfmini.config import optimizer as optimizer
from tfmini._src.session.default_config import set_soft_device_placement as set_soft_device_placement
from tfmini.config import threading as threading
