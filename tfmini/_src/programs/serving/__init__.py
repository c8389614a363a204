"""`tfmini serve`: SavedModels behind TensorFlow Serving's REST and gRPC interfaces.

A request comes in by `rest` (ASGI) or `grpc_services`, which turn JSON or messages into arrays and call the same
`Service`. That finds a version of the model (`model_versions`) and runs its signature (`served_model`) as one step,
on a thread of `steps`, perhaps joined with other requests (`batching`). All else happens on one event loop, so that
versions, queues and counts (`metrics`) need no locks. `server` starts it: one process, or several below uvicorn's
supervisor, each with all models, their weights mapped from the same file.
"""
