from tfmini import batch_to_space_nd as batch_to_space_nd
from tfmini import gather_nd as gather_nd
from tfmini import reshape as reshape
from tfmini import reverse as reverse
from tfmini import roll as roll
from tfmini import scatter_nd as scatter_nd
from tfmini import space_to_batch_nd as space_to_batch_nd
from tfmini import tile as tile
