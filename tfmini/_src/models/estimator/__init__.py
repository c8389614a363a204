"""tf.estimator: training, evaluating, querying and exporting models through input functions.

    run_config, tf_config       folders, seeds, intervals, place in a cluster
    estimator_spec          the validated result of a model function
    estimator               train, evaluate, predict
    training_session       the watched session of training
    evaluation_events       results as events
    inputs                  input functions of arrays and data frames
    export                  SavedModels
    exporter, train_and_evaluate     evaluations and exports while it trains
    heads                   losses, predictions and metrics of logits
    canned                  ready-made models of feature columns
    tpu                     scripts for TPUs, on the available devices
    extenders, early_stopping, in_memory_evaluator    more metrics; training that ends early; evaluations without
                                                      checkpoints

The newer heads (`tf.estimator.Head` and its like) are in `models.keras.estimator_heads`, which loads when one is
asked for.

It stands on watched sessions, checkpoints, metrics, datasets and feature columns; nothing stands on it.
"""
