from tfmini.io import TFRecordCompressionType as TFRecordCompressionType
from tfmini.io import TFRecordOptions as TFRecordOptions
from tfmini.io import TFRecordWriter as TFRecordWriter
from tfmini.io import tf_record_iterator as tf_record_iterator
