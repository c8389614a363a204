"""Type attrs that no CPU kernel of TensorFlow 1.15 constrains: eager mode finds a kernel, then refuses their value."""

_OPS_BY_ATTR = """
Index: ResourceStridedSliceAssign Slice StridedSlice StridedSliceAssign StridedSliceGrad
  TensorStridedSliceUpdate
OUT_TYPE: DecodeCSV
S: RandomGamma RandomPoissonV2
T: AsString Bitcast EncodePng ImageSummary ParameterizedTruncatedNormal RandomStandardNormal RandomUniform
  RandomUniformInt StatelessRandomNormal StatelessRandomUniform StatelessRandomUniformInt
  StatelessTruncatedNormal TruncatedNormal WriteHistogramSummary WriteImageSummary WriteScalarSummary
T_threshold: NonMaxSuppressionV2 NonMaxSuppressionV3 NonMaxSuppressionV4
Taxis: GatherV2 UniqueV2 UniqueWithCountsV2
Tblock_shape: BatchToSpaceND SpaceToBatchND
Tcomplex: FFT FFT2D FFT3D IFFT IFFT2D IFFT3D
Tcontext_dense: ParseSequenceExample ParseSingleSequenceExample
Tcrops: BatchToSpaceND
Tdense: ExperimentalParseExampleDataset ParseExample ParseExampleDataset ParseSingleExample
Tidx: ArgMax ArgMin BatchToSpace BroadcastTo ConcatV2
Tindex: MatrixBandPart
Tnumsegments: SparseSegmentMeanWithNumSegments SparseSegmentSqrtNWithNumSegments
  SparseSegmentSumWithNumSegments UnsortedSegmentMax UnsortedSegmentMin UnsortedSegmentProd UnsortedSegmentSum
Tout: ComplexAbs
Tpaddings: SpaceToBatch SpaceToBatchND
Tperm: ConjugateTranspose Transpose
Treal: SparseAdd
Tseed: StatelessMultinomial StatelessRandomNormal StatelessRandomUniform StatelessRandomUniformInt
  StatelessTruncatedNormal
Tshape: Conv3DBackpropInputV2 RaggedTensorToTensor
context_sparse_types: ParseSequenceExample ParseSingleSequenceExample
dense_types: SparseCross
dtype: AccumulatorApplyGradient AccumulatorTakeGradient DecodePng ResourceAccumulatorApplyGradient
  ResourceAccumulatorTakeGradient SparseAccumulatorApplyGradient SparseAccumulatorTakeGradient
feature_list_dense_types: ParseSequenceExample ParseSingleSequenceExample
feature_list_sparse_types: ParseSequenceExample ParseSingleSequenceExample
output_types: CSVDataset ExperimentalCSVDataset
shape_type: EmptyTensorList TensorListConcatV2 TensorListElementShape TensorListFromTensor TensorListReserve
  TensorListScatter TensorListScatterV2 TensorListSplit
sparse_types: ExperimentalParseExampleDataset ParseExample ParseExampleDataset ParseSingleExample SparseCross
type: Bitcast
"""


def _parse_pairs(text: str) -> frozenset[tuple[str, str]]:
    lines = text.replace("\n  ", " ").strip().splitlines()
    split = [line.partition(": ") for line in lines]
    return frozenset((op, attr) for attr, _, ops in split for op in ops.split())


UNCONSTRAINED_TYPES = _parse_pairs(_OPS_BY_ATTR)
