"""Input pipeline of slim: a Dataset describes the data, a provider yields its items as tensors.

A Dataset names a reader class (of `tf`) and a decoder; `DatasetDataProvider` reads its files with parallel readers
into a common queue and decodes each record. `prefetch_queue` buffers batches of the results.
"""
