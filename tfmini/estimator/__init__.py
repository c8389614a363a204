"""tf.estimator: models that are trained, evaluated, asked and exported by input functions.

    run_config, tasks       how and where: folders, seeds, a place in a cluster
    estimator_spec          what a model function gives, checked
    estimator               train, evaluate, predict
    training_sessions       the watched session of training
    evaluation_events       results as events
    inputs                  input functions of arrays and data frames
    export                  SavedModels
    exporters, training     evaluations and exports while it trains
    heads                   what becomes of logits
    canned                  models of feature columns that are ready
    tpu                     scripts for TPUs, on what is there
    extending, stopping, in_memory    more metrics; training that ends early; evaluations without checkpoints

The newer heads (`tf.estimator.Head` and its like) are `tfmini.keras.heads`, which loads when one is requested.

It stands on watched sessions, checkpoints, metrics, datasets and feature columns; nothing stands on it.
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
