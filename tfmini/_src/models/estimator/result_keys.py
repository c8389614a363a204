"""Keys of the predictions and metrics of canned Estimators."""

from __future__ import annotations

from tfmini._src.models.estimator.heads.metrics import LOSS, LOSS_MEAN, REGULARIZATION


class PredictionKeys:
    """Prediction keys of canned Estimators.

    Example:
      next(estimator.predict(input_fn))[PredictionKeys.PROBABILITIES]
    """

    CLASSES = "classes"
    CLASS_IDS = "class_ids"
    ALL_CLASSES = "all_classes"
    ALL_CLASS_IDS = "all_class_ids"
    LOGISTIC = "logistic"
    LOGITS = "logits"
    PREDICTIONS = "predictions"
    PROBABILITIES = "probabilities"
    TOP_K = "top_k"


class MetricKeys:
    """Metric keys of canned Estimators; % is a placeholder for a threshold, class index or class name.

    Example:
      estimator.evaluate(input_fn)[MetricKeys.ACCURACY]
    """

    LOSS = LOSS
    LOSS_MEAN = LOSS_MEAN
    LOSS_REGULARIZATION = REGULARIZATION
    ACCURACY = "accuracy"
    ACCURACY_BASELINE = "accuracy_baseline"
    PRECISION = "precision"
    RECALL = "recall"
    AUC = "auc"
    AUC_PR = "auc_precision_recall"
    LABEL_MEAN = "label/mean"
    PREDICTION_MEAN = "prediction/mean"

    ACCURACY_AT_THRESHOLD = "accuracy/positive_threshold_%g"
    PRECISION_AT_THRESHOLD = "precision/positive_threshold_%g"
    RECALL_AT_THRESHOLD = "recall/positive_threshold_%g"

    PROBABILITY_MEAN_AT_CLASS = "probability_mean/class%d"
    AUC_AT_CLASS = "auc/class%d"
    AUC_PR_AT_CLASS = "auc_precision_recall/class%d"
    PROBABILITY_MEAN_AT_NAME = "probability_mean/%s"
    AUC_AT_NAME = "auc/%s"
    AUC_PR_AT_NAME = "auc_precision_recall/%s"
