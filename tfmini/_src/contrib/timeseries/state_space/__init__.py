"""State space models of time series: their components, and estimators for them.

`linear_model` has the parameters of a hidden state that moves linearly with noise, `state_space_model` the steps of a
`kalman_filter` through a series. `level_trend`, `periodic`, `resolution_cycles` and `varma` are such models;
`ensembles` concatenate their states, and `regressors` trains `structural_ensemble`.
"""
