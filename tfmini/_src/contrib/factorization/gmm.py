"""`tf.contrib.factorization.GMM`: Gaussian mixtures as an Estimator."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tfmini._src.contrib.factorization.gmm_graph import FULL_COVARIANCE, GmmAlgorithm, gmm
from tfmini._src.contrib.framework.variables import local_variable
from tfmini._src.contrib.learn.estimator import Estimator
from tfmini._src.contrib.learn.model_fn import ModelFnOps
from tfmini._src.models.estimator.kmeans.kmeans_clustering import ChooseCenters
from tfmini._src.ops import ops
from tfmini._src.train.global_step import get_global_step

if TYPE_CHECKING:
    from tfmini._src.contrib.learn.run_config import RunConfig
    from tfmini._src.graph.tensor import TensorLike


class GMM(Estimator):
    """A Gaussian mixture, fitted by expectation-maximization.

    Args:
      num_clusters: number of distributions.
      model_dir: checkpoint directory.
      random_seed: seed of the random choice of initial means.
      params: the parameters to fit, as letters: "w" weights, "m" means, "c" covariances.
      initial_clusters: "random", or the initial means, floats [clusters, dimensions].
      covariance_type: "full", or "diag" for variances only.
      config: a RunConfig of `tf.contrib.learn`.

    Input functions return (points, None): float32 [points, dimensions], or a dict of columns, concatenated by name.

    Example:
      mixture = tf.contrib.factorization.GMM(3, random_seed=1)
      mixture.fit(input_fn=lambda: (tf.constant(points), None), steps=20)
      mixture.clusters()
    """

    SCORES = "scores"
    LOG_LIKELIHOOD = "loss"
    ASSIGNMENTS = "assignments"

    def __init__(
        self,
        num_clusters: int,
        model_dir: str | None = None,
        random_seed: int | None = 0,
        params: str = "wmc",
        initial_clusters: str | TensorLike = "random",
        covariance_type: str = FULL_COVARIANCE,
        config: RunConfig | None = None,
    ):
        def model_fn(features: Any, labels: Any, mode: Any, config: Any) -> ModelFnOps:
            assert labels is None, labels
            loss, scores, assignments, train_op, init_op, are_set = gmm(
                _concatenated_features(features),
                initial_clusters,
                num_clusters,
                random_seed,
                covariance_type,
                params,
            )
            step_update = ops.assign_add(get_global_step(), 1)
            train_op = ops.with_dependencies([train_op, step_update], loss)
            total = local_variable(ops.constant(0.0))
            return ModelFnOps(
                mode=mode,
                predictions={GMM.ASSIGNMENTS: assignments[0][0]},
                eval_metric_ops={
                    GMM.SCORES: scores,
                    GMM.LOG_LIKELIHOOD: (total, total.assign_add(loss)),
                },
                loss=loss,
                train_op=train_op,
                training_hooks=[ChooseCenters(init_op, are_set, config.is_chief)],
            )

        super().__init__(model_fn=model_fn, model_dir=model_dir, config=config)

    def predict_assignments(
        self,
        input_fn: Callable[..., Any] | None = None,
        batch_size: int | None = None,
        outputs: Sequence[str] | None = None,
    ) -> Iterator[Any]:
        """Yields the most likely cluster of each point; takes the arguments of `predict`."""
        for result in self.predict(input_fn=input_fn, batch_size=batch_size, outputs=outputs):
            yield result[GMM.ASSIGNMENTS]

    def score(
        self,
        input_fn: Callable[..., Any] | None = None,
        batch_size: int | None = None,
        steps: int | None = None,
    ) -> Any:
        """Returns the log of the sum of the last batch's likelihoods; takes the arguments of `evaluate`."""
        results = self.evaluate(input_fn=input_fn, batch_size=batch_size, steps=steps)
        return np.log(np.sum(np.exp(results[GMM.SCORES])))

    def weights(self) -> np.ndarray:
        """Returns the cluster weights in the latest checkpoint, float32 [clusters]."""
        return self.get_variable_value(GmmAlgorithm.CLUSTERS_WEIGHT)

    def clusters(self) -> np.ndarray:
        """Returns the cluster means in the latest checkpoint, float32 [clusters, dimensions]."""
        return np.squeeze(self.get_variable_value(GmmAlgorithm.CLUSTERS_VARIABLE), 1)

    def covariances(self) -> np.ndarray:
        """Returns the covariances, float32 [clusters, dimensions, dimensions], or variances, [clusters, dimensions]."""
        return self.get_variable_value(GmmAlgorithm.CLUSTERS_COVS_VARIABLE)


def _concatenated_features(features: Any) -> Any:
    if isinstance(features, dict):
        return ops.concat([features[name] for name in sorted(features)], 1)
    return features
