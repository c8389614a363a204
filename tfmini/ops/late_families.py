"""Families of ops that are loaded when one of them is asked for: most programs do without, and start sooner."""

from __future__ import annotations

from tfmini.graph.lookup import late_functions, registry

# The types of ops of tfmini/ops/image.
IMAGE = (
    *(
        "AdjustContrastv2",
        "AdjustHue",
        "AdjustSaturation",
        "CombinedNonMaxSuppression",
        "CropAndResize",
    ),
    *(
        "CropAndResizeGradBoxes",
        "CropAndResizeGradImage",
        "DecodeAndCropJpeg",
        "DecodeBmp",
        "DecodeGif",
    ),
    *("DecodeJpeg", "DecodePng", "DrawBoundingBoxes", "DrawBoundingBoxesV2", "EncodeJpeg"),
    *("EncodeJpegVariableQuality", "EncodePng", "ExtractGlimpse", "ExtractJpegShape", "HSVToRGB"),
    *("NonMaxSuppression", "NonMaxSuppressionV2", "NonMaxSuppressionV3", "NonMaxSuppressionV4"),
    *(
        "NonMaxSuppressionV5",
        "NonMaxSuppressionWithOverlaps",
        "RGBToHSV",
        "ResizeArea",
        "ResizeBicubic",
    ),
    *("ResizeBicubicGrad", "ResizeBilinear", "ResizeBilinearGrad", "ResizeNearestNeighbor"),
    *("ResizeNearestNeighborGrad", "SampleDistortedBoundingBox", "SampleDistortedBoundingBoxV2"),
    *("ScaleAndTranslate", "ScaleAndTranslateGrad"),
    *("AdjustContrast", "FusedPadConv2D", "FusedResizeAndPadConv2D", "RandomCrop"),
    *("BipartiteMatch", "ImageConnectedComponents"),
    *("ImageProjectiveTransform", "ImageProjectiveTransformV2", "Resampler", "ResamplerGrad"),
    "SingleImageRandomDotStereograms",
)

# What only old graphs have, of tfmini/ops/nn.
OLD_NETWORKS = ("BatchNormWithGlobalNormalization", "BatchNormWithGlobalNormalizationGrad")

# The crosses of tf.contrib.layers' columns, of tfmini/ops/sparse.
FEATURE_CROSSES = ("SparseFeatureCross", "SparseFeatureCrossV2")

# Those of tfmini/ops/math/clustering.py.
CLUSTERING = ("KMC2ChainInitialization", "KmeansPlusPlusInitialization", "NearestNeighbors")

# Those of tfmini/ops/math/factorizing.py.
FACTORIZING = ("MaskedMatmul", "WALSComputePartialLhsAndRhs")

# Those of tfmini/ops/learners/dual_ascent.py, and its functions.
DUAL_ASCENT = ("SdcaFprint", "SdcaOptimizer", "SdcaOptimizerV2", "SdcaShrinkL1")
DUAL_ASCENT_FUNCTIONS = ("sdca_fprint", "sdca_optimizer", "sdca_shrink_l1")

# Recurrent nets of cuDNN, of tfmini/ops/nn/rnn.
CUDNN = (
    *("CudnnRNN", "CudnnRNNBackprop", "CudnnRNNBackpropV2", "CudnnRNNBackpropV3"),
    *("CudnnRNNCanonicalToParams", "CudnnRNNCanonicalToParamsV2", "CudnnRNNParamsSize"),
    *("CudnnRNNParamsToCanonical", "CudnnRNNParamsToCanonicalV2", "CudnnRNNV2", "CudnnRNNV3"),
)

# Those of tfmini/ops/datasets.
DATASETS = (
    "AnonymousIterator",
    "AnonymousIteratorV2",
    "AnonymousMemoryCache",
    "AnonymousRandomSeedGenerator",
    "BatchDataset",
    "BatchDatasetV2",
    "BytesProducedStatsDataset",
    "CSVDataset",
    "CacheDataset",
    "CacheDatasetV2",
    "ConcatenateDataset",
    "DatasetCardinality",
    "DatasetToSingleElement",
    "DatasetToTFRecord",
    "DeleteIterator",
    "DeleteMemoryCache",
    "DeleteRandomSeedGenerator",
    "DenseToSparseBatchDataset",
    "DeserializeIterator",
    "DirectedInterleaveDataset",
    "ExperimentalBytesProducedStatsDataset",
    "ExperimentalCSVDataset",
    "ExperimentalDatasetCardinality",
    "ExperimentalDatasetToTFRecord",
    "ExperimentalDenseToSparseBatchDataset",
    "ExperimentalDirectedInterleaveDataset",
    "ExperimentalGroupByReducerDataset",
    "ExperimentalGroupByWindowDataset",
    "ExperimentalIgnoreErrorsDataset",
    "ExperimentalIteratorGetDevice",
    "ExperimentalLMDBDataset",
    "ExperimentalLatencyStatsDataset",
    "ExperimentalMapAndBatchDataset",
    "ExperimentalMapDataset",
    "ExperimentalMatchingFilesDataset",
    "ExperimentalMaxIntraOpParallelismDataset",
    "ExperimentalNonSerializableDataset",
    "ExperimentalParallelInterleaveDataset",
    "ExperimentalParseExampleDataset",
    "ExperimentalPrivateThreadPoolDataset",
    "ExperimentalRandomDataset",
    "ExperimentalScanDataset",
    "ExperimentalSetStatsAggregatorDataset",
    "ExperimentalSleepDataset",
    "ExperimentalSlidingWindowDataset",
    "ExperimentalSqlDataset",
    "ExperimentalStatsAggregatorHandle",
    "ExperimentalStatsAggregatorSummary",
    "ExperimentalTakeWhileDataset",
    "ExperimentalThreadPoolDataset",
    "ExperimentalThreadPoolHandle",
    "ExperimentalUnbatchDataset",
    "ExperimentalUniqueDataset",
    "FilterByLastComponentDataset",
    "FilterDataset",
    "FixedLengthRecordDataset",
    "FixedLengthRecordDatasetV2",
    "FlatMapDataset",
    "GeneratorDataset",
    "GroupByReducerDataset",
    "GroupByWindowDataset",
    "IgnoreErrorsDataset",
    "InterleaveDataset",
    "Iterator",
    "IteratorFromStringHandle",
    "IteratorFromStringHandleV2",
    "IteratorGetDevice",
    "IteratorGetNext",
    "IteratorGetNextAsOptional",
    "IteratorGetNextSync",
    "IteratorToStringHandle",
    "IteratorV2",
    "LMDBDataset",
    "LatencyStatsDataset",
    "MakeIterator",
    "MapAndBatchDataset",
    "MapDataset",
    "MatchingFilesDataset",
    "MaxIntraOpParallelismDataset",
    "ModelDataset",
    "NonSerializableDataset",
    "OneShotIterator",
    "OptimizeDataset",
    "PaddedBatchDataset",
    "PaddedBatchDatasetV2",
    "ParallelInterleaveDataset",
    "ParallelInterleaveDatasetV2",
    "ParallelMapDataset",
    "ParseExampleDataset",
    "PrefetchDataset",
    "PrivateThreadPoolDataset",
    "RandomDataset",
    "RangeDataset",
    "ReduceDataset",
    "RepeatDataset",
    "SamplingDataset",
    "ScanDataset",
    "SerializeIterator",
    "SetStatsAggregatorDataset",
    "ShardDataset",
    "ShuffleAndRepeatDataset",
    "ShuffleDataset",
    "ShuffleDatasetV2",
    "SkipDataset",
    "SleepDataset",
    "SlidingWindowDataset",
    "SparseTensorSliceDataset",
    "SqlDataset",
    "StatsAggregatorHandle",
    "StatsAggregatorHandleV2",
    "StatsAggregatorSetSummaryWriter",
    "StatsAggregatorSummary",
    "TFRecordDataset",
    "TakeDataset",
    "TakeWhileDataset",
    "TensorDataset",
    "TensorSliceDataset",
    "TextLineDataset",
    "ThreadPoolDataset",
    "ThreadPoolHandle",
    "UnbatchDataset",
    "UniqueDataset",
    "UnwrapDatasetVariant",
    "WindowDataset",
    "WrapDatasetVariant",
    "ZipDataset",
    "AutoShardDataset",
    "MultiDeviceIterator",
    "MultiDeviceIteratorFromStringHandle",
    "MultiDeviceIteratorGetNextFromShard",
    "MultiDeviceIteratorInit",
    "MultiDeviceIteratorToStringHandle",
    "RebatchDataset",
)

# That of tfmini/ops/lookup/dense_tables.py.
DENSE_TABLES = ("MutableDenseHashTableV2",)

# Those of tfmini/ops/linalg/tridiagonal.py.
TRIDIAGONAL = ("TridiagonalMatMul", "TridiagonalSolve")

# The types of ops of tfmini/ops/queues.
QUEUES = (
    *("Barrier", "BarrierClose", "BarrierIncompleteSize", "BarrierInsertMany", "BarrierReadySize"),
    *("BarrierTakeMany", "ConsumeMutexLock", "MutexLock", "MutexV2", "RecordInput"),
    *("AccumulatorApplyGradient", "AccumulatorNumAccumulated", "AccumulatorSetGlobalStep"),
    *("AccumulatorTakeGradient", "ConditionalAccumulator", "FIFOQueue", "FIFOQueueV2", "FakeQueue"),
    *("FixedLengthRecordReader", "FixedLengthRecordReaderV2", "IdentityReader", "IdentityReaderV2"),
    *(
        "MapClear",
        "MapIncompleteSize",
        "MapPeek",
        "MapSize",
        "MapStage",
        "MapUnstage",
        "MapUnstageNoKey",
    ),
    *("OrderedMapClear", "OrderedMapIncompleteSize", "OrderedMapPeek", "OrderedMapSize"),
    *("OrderedMapStage", "OrderedMapUnstage", "OrderedMapUnstageNoKey", "PaddingFIFOQueue"),
    *("PaddingFIFOQueueV2", "PriorityQueue", "PriorityQueueV2", "QueueClose", "QueueCloseV2"),
    *(
        "QueueDequeue",
        "QueueDequeueMany",
        "QueueDequeueManyV2",
        "QueueDequeueUpTo",
        "QueueDequeueUpToV2",
    ),
    *("QueueDequeueV2", "QueueEnqueue", "QueueEnqueueMany", "QueueEnqueueManyV2", "QueueEnqueueV2"),
    *("QueueIsClosed", "QueueIsClosedV2", "QueueSize", "QueueSizeV2", "RandomShuffleQueue"),
    *("RandomShuffleQueueV2", "ReaderNumRecordsProduced", "ReaderNumRecordsProducedV2"),
    *(
        "ReaderNumWorkUnitsCompleted",
        "ReaderNumWorkUnitsCompletedV2",
        "ReaderRead",
        "ReaderReadUpTo",
    ),
    *("ReaderReadUpToV2", "ReaderReadV2", "ReaderReset", "ReaderResetV2", "ReaderRestoreState"),
    *("ReaderRestoreStateV2", "ReaderSerializeState", "ReaderSerializeStateV2"),
    *("ResourceAccumulatorApplyGradient", "ResourceAccumulatorNumAccumulated"),
    *("ResourceAccumulatorSetGlobalStep", "ResourceAccumulatorTakeGradient"),
    *("ResourceConditionalAccumulator", "SparseAccumulatorApplyGradient"),
    *("SparseAccumulatorTakeGradient", "SparseConditionalAccumulator", "Stage", "StageClear"),
    *("StagePeek", "StageSize", "TFRecordReader", "TFRecordReaderV2", "TextLineReader"),
    *("TextLineReaderV2", "Unstage", "WholeFileReader", "WholeFileReaderV2"),
)
# Those of tfmini/ops/ragged, and its functions that stand elsewhere too.
RAGGED = (
    *("RaggedGather", "RaggedRange", "RaggedTensorFromVariant", "RaggedTensorToSparse"),
    *("RaggedTensorToTensor", "RaggedTensorToVariant", "StringNGrams"),
)
RAGGED_FUNCTIONS = (
    *("bytes_split", "ngrams", "ragged_split", "sparse_rows_to_ragged", "unicode_decode"),
    "ragged_placeholder",
    *("unicode_decode_with_offsets", "unicode_encode", "unicode_split"),
    "unicode_split_with_offsets",
)


def _load_image() -> None:
    from tfmini.ops.image import (  # noqa: F401, PLC0415
        colour_gradients,
        colours,
        cropping,
        decoding,
        drawing,
        encoding,
        glimpses,
        matching,
        padded_convolutions,
        projective,
        removed,
        resampling,
        resizing,
        scaling,
        stereograms,
        suppressing,
    )


registry.declare_later(IMAGE, _load_image)


def _load_old_networks() -> None:
    from tfmini.ops.nn import global_batch_norms  # noqa: F401, PLC0415


registry.declare_later(OLD_NETWORKS, _load_old_networks)


def _load_feature_crosses() -> None:
    from tfmini.ops.sparse import feature_crosses  # noqa: F401, PLC0415


registry.declare_later(FEATURE_CROSSES, _load_feature_crosses)


def _load_cudnn() -> None:
    from tfmini.ops.nn.rnn import cudnn_nets, cudnn_params  # noqa: F401, PLC0415


registry.declare_later(CUDNN, _load_cudnn)


def _load_clustering() -> None:
    from tfmini.ops.math import clustering  # noqa: F401, PLC0415


registry.declare_later(CLUSTERING, _load_clustering)


def _load_factorizing() -> None:
    from tfmini.ops.math import factorizing  # noqa: F401, PLC0415


registry.declare_later(FACTORIZING, _load_factorizing)


def _load_dual_ascent() -> None:
    from tfmini.ops.learners import dual_ascent  # noqa: F401, PLC0415


registry.declare_later(DUAL_ASCENT, _load_dual_ascent)
late_functions.update(dict.fromkeys(DUAL_ASCENT_FUNCTIONS, _load_dual_ascent))


def _load_dense_tables() -> None:
    from tfmini.ops.lookup import dense_tables  # noqa: F401, PLC0415


registry.declare_later(DENSE_TABLES, _load_dense_tables)


def _load_tridiagonal() -> None:
    from tfmini.ops.linalg import tridiagonal  # noqa: F401, PLC0415


registry.declare_later(TRIDIAGONAL, _load_tridiagonal)


def _load_queues() -> None:
    from tfmini.ops.queues import (  # noqa: F401, PLC0415
        accumulator_ops,
        barrier_ops,
        mutexes,
        queue_ops,
        reader_ops,
        record_input,
        staging_ops,
    )


registry.declare_later(QUEUES, _load_queues)


def _load_datasets() -> None:
    from tfmini.ops.datasets import (  # noqa: F401, PLC0415
        batching,
        caching,
        choosing,
        csv_files,
        databases,
        example_parsing,
        generating,
        grouping,
        interleaving,
        iterators,
        mapping,
        older,
        optimizing,
        random_numbers,
        record_files,
        repeating,
        resources,
        saved,
        settings,
        several_devices,
        shuffling,
        sparse_batching,
        statistics,
        tensors,
        threads,
        unbatching,
        whole,
    )


registry.declare_later(DATASETS, _load_datasets)


def _load_ragged() -> None:
    from tfmini.ops.ragged import (  # noqa: F401, PLC0415
        ragged_calls,
        ragged_constants,
        ragged_dense,
        ragged_slicing,
        ragged_strings,
    )


registry.declare_later(RAGGED, _load_ragged)
late_functions.update(dict.fromkeys(RAGGED_FUNCTIONS, _load_ragged))
