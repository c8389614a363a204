"""Clusters of points: the graph of k-means (`kmeans`), its first centers (`kmeans_init`), its Estimator
(`kmeans_clustering`).

S. Lloyd, "Least squares quantization in PCM" (1982); D. Sculley, "Web-scale k-means clustering" (WWW 2010) for small
batches.
"""
