"""The keys by their names: TensorFlow 1.15.5's."""

from tfmini._src.models.estimator.result_keys import MetricKeys, PredictionKeys


def keys_of(kind):
    return {name: value for name, value in vars(kind).items() if not name.startswith("_")}


def test_keys_of_predictions():
    assert keys_of(PredictionKeys) == {
        "CLASSES": "classes",
        "CLASS_IDS": "class_ids",
        "ALL_CLASSES": "all_classes",
        "ALL_CLASS_IDS": "all_class_ids",
        "LOGISTIC": "logistic",
        "LOGITS": "logits",
        "PREDICTIONS": "predictions",
        "PROBABILITIES": "probabilities",
        "TOP_K": "top_k",
    }


def test_keys_of_metrics():
    assert keys_of(MetricKeys) == {
        "LOSS": "loss",
        "LOSS_MEAN": "average_loss",
        "LOSS_REGULARIZATION": "regularization_loss",
        "ACCURACY": "accuracy",
        "PRECISION": "precision",
        "RECALL": "recall",
        "ACCURACY_BASELINE": "accuracy_baseline",
        "AUC": "auc",
        "AUC_PR": "auc_precision_recall",
        "LABEL_MEAN": "label/mean",
        "PREDICTION_MEAN": "prediction/mean",
        "ACCURACY_AT_THRESHOLD": "accuracy/positive_threshold_%g",
        "PRECISION_AT_THRESHOLD": "precision/positive_threshold_%g",
        "RECALL_AT_THRESHOLD": "recall/positive_threshold_%g",
        "PROBABILITY_MEAN_AT_CLASS": "probability_mean/class%d",
        "AUC_AT_CLASS": "auc/class%d",
        "AUC_PR_AT_CLASS": "auc_precision_recall/class%d",
        "PROBABILITY_MEAN_AT_NAME": "probability_mean/%s",
        "AUC_AT_NAME": "auc/%s",
        "AUC_PR_AT_NAME": "auc_precision_recall/%s",
    }
