"""Input pipeline of slim: a Dataset describes the data, a provider yields its items as tensors.

A Dataset has a reader (of `tf`) and a decoder; `DatasetDataProvider` reads its files by several readers into a common
queue and decodes each record. `prefetch_queue` keeps batches of the results.
"""
