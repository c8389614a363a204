from tfmini._src.data.lookup_tables.initializers import KeyValueTensorInitializer as KeyValueTensorInitializer
from tfmini._src.data.lookup_tables.static_hash_table import StaticHashTable as StaticHashTable
from tfmini._src.data.lookup_tables.id_table_with_hash_buckets import StaticVocabularyTable as StaticVocabularyTable
from tfmini._src.data.lookup_tables.initializers import TextFileIndex as TextFileIndex
from tfmini._src.data.lookup_tables.initializers import TextFileInitializer as TextFileInitializer
from tfmini.lookup import experimental as experimental
