from tfmini._src.data.dataset_v1 import DatasetV1 as _Dataset; Dataset = _Dataset
from tfmini._src.data.dataset_spec import DatasetSpec as DatasetSpec
from tfmini._src.data.file_datasets import FixedLengthRecordDatasetV1 as _FixedLengthRecordDataset; FixedLengthRecordDataset = _FixedLengthRecordDataset
from tfmini._src.data.iterator import Iterator as Iterator
from tfmini._src.data.options import Options as Options
from tfmini._src.data.file_datasets import TFRecordDatasetV1 as _TFRecordDataset; TFRecordDataset = _TFRecordDataset
from tfmini._src.data.file_datasets import TextLineDatasetV1 as _TextLineDataset; TextLineDataset = _TextLineDataset
from tfmini.data import experimental as experimental
from tfmini._src.data.dataset_v1 import get_output_classes as get_output_classes
from tfmini._src.data.dataset_v1 import get_output_shapes as get_output_shapes
from tfmini._src.data.dataset_v1 import get_output_types as get_output_types
from tfmini._src.data.dataset_v1 import make_initializable_iterator as make_initializable_iterator
from tfmini._src.data.dataset_v1 import make_one_shot_iterator as make_one_shot_iterator
