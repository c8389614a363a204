from tfmini._src.base.nest.structure import assert_same_structure as assert_same_structure
from tfmini._src.base.nest.structure import flatten as flatten
from tfmini._src.base.nest.containers import is_nested as is_nested
from tfmini._src.base.nest.structure import map_structure as map_structure
from tfmini._src.base.nest.structure import pack_sequence_as as pack_sequence_as
