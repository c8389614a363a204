from tfmini._src.ops.queues.staging_area import StagingArea as StagingArea
