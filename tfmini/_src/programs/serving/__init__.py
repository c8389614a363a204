"""`tfmini serve`: SavedModels behind TensorFlow Serving's REST and gRPC interfaces.

`rest` (ASGI) and `grpc_services` convert JSON or messages to arrays and call the same `Service`. It selects a model
version (`model_versions`) and runs the signature (`served_model`) as one step on a thread of `steps`, possibly batched
with other requests (`batching`). Everything else runs on one event loop, so versions, queues and counters (`metrics`)
need no locks. `server` starts it all: one process, or several under uvicorn's supervisor, each with all models, whose
weights are mapped from the same file.
"""
