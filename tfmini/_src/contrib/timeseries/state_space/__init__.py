"""State space models of time series: their components, and estimators for them.

`linear_model` defines a hidden state with linear dynamics and noise; `state_space_model` runs a `kalman_filter`
through a series. `level_trend`, `periodic`, `resolution_cycles` and `varma` are such models; `ensembles` concatenates
their states, and `regressors` trains a `structural_ensemble`.
"""
