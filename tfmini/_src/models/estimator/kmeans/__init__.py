"""k-means clustering: graph (`kmeans_graph`), initial centers (`kmeans_init`), Estimator
(`kmeans_clustering`).

S. Lloyd, "Least squares quantization in PCM" (1982); D. Sculley, "Web-scale k-means clustering" (WWW 2010)
for mini-batches.
"""
