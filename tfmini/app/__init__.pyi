from tfmini import flags as flags
from tfmini._src.base.app.run import run as run
