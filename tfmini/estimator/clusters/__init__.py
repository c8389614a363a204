"""Clusters of points: the graph of k-means (`means`), its first centers (`first_centers`), its Estimator (`estimator`).

S. Lloyd, "Least squares quantization in PCM" (1982); D. Sculley, "Web-scale k-means clustering" (WWW 2010) for small
batches.
"""
