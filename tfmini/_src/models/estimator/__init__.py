"""tf.estimator: training, evaluation, prediction and export of models through input functions.

    run_config, tf_config       directories, seeds, intervals, cluster task
    estimator_spec          the validated result of a model function
    estimator               train, evaluate, predict
    training_session       the monitored training session
    evaluation_events       results as events
    inputs                  input functions of arrays and data frames
    export                  SavedModels
    exporter, train_and_evaluate     evaluation and export during training
    heads                   losses, predictions and metrics of logits
    canned                  predefined models of feature columns
    tpu                     TPU scripts on the available devices
    extenders, early_stopping, in_memory_evaluator    additional metrics, early stopping, evaluation without
                                                      checkpoints

`tf.estimator.Head` and its subclasses are in `models.keras.estimator_heads`, imported on demand.

Uses monitored sessions, checkpoints, metrics, datasets and feature columns.
"""
