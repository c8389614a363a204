"""Gradient boosted trees: Estimators, their model function, and the resources of trees and quantiles."""
