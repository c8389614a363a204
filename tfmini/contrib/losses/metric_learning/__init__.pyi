from tfmini._src.contrib.losses.metric_learning.cluster_loss import cluster_loss as cluster_loss
from tfmini._src.contrib.losses.metric_learning.pair_losses import contrastive_loss as contrastive_loss
from tfmini._src.contrib.losses.metric_learning.distance_losses import lifted_struct_loss as lifted_struct_loss
from tfmini._src.contrib.losses.metric_learning.pair_losses import npairs_loss as npairs_loss
from tfmini._src.contrib.losses.metric_learning.pair_losses import npairs_loss_multilabel as npairs_loss_multilabel
from tfmini._src.contrib.losses.metric_learning.distance_losses import triplet_semihard_loss as triplet_semihard_loss
