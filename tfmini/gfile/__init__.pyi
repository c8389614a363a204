from tfmini._src.formats.gfile_v1_functions import Copy as Copy
from tfmini._src.formats.gfile_v1_functions import DeleteRecursively as DeleteRecursively
from tfmini._src.formats.gfile_v1_functions import Exists as Exists
from tfmini._src.formats.gfile import FastGFile as FastGFile
from tfmini._src.formats.gfile import GFile as GFile
from tfmini._src.formats.gfile_v1_functions import Glob as Glob
from tfmini._src.formats.gfile_v1_functions import IsDirectory as IsDirectory
from tfmini._src.formats.gfile_v1_functions import ListDirectory as ListDirectory
from tfmini._src.formats.gfile_v1_functions import MakeDirs as MakeDirs
from tfmini._src.formats.gfile_v1_functions import MkDir as MkDir
from tfmini.gfile import GFile as _Open; Open = _Open
from tfmini._src.formats.gfile_v1_functions import Remove as Remove
from tfmini._src.formats.gfile_v1_functions import Rename as Rename
from tfmini._src.formats.gfile_v1_functions import Stat as Stat
from tfmini._src.formats.gfile_v1_functions import Walk as Walk
