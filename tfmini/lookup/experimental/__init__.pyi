from tfmini._src.data.lookup_tables.dense_hash_table import DenseHashTable as DenseHashTable
