/* cuBLAS's products on host memory, by their definition: column-major, one loop an index. Checks what it is told. */
#include <complex.h>
#include <stddef.h>

typedef struct { void *stream; void *workspace; size_t bytes; } Handle;
static Handle the_handle;

int cublasCreate_v2(Handle **h) { *h = &the_handle; return 0; }
int cublasDestroy_v2(Handle *h) { h->stream = NULL; return 0; }
int cublasSetStream_v2(Handle *h, void *stream) { h->stream = stream; return stream ? 0 : 7; }
int cublasSetMathMode(Handle *h, int mode) { return h->stream && (mode & 16) ? 0 : 7; }
int cublasSetWorkspace_v2(Handle *h, void *p, size_t n) {
  h->workspace = p;
  h->bytes = n;
  return p ? 0 : 7;
}

/* An element of op(X), X stored by columns with leading dimension ld: the value is undefined outside. */
#define AT(x, transposed, ld, row, col) ((transposed) ? x[(col) + (row) * (ptrdiff_t)(ld)] : x[(row) + (col) * (ptrdiff_t)(ld)])

#define GEMM(LETTER, TYPE)                                                                                             \
  int cublas##LETTER##gemm_v2(Handle *h, int ta, int tb, int m, int n, int k, const TYPE *alpha, const TYPE *a,        \
                              int lda, const TYPE *b, int ldb, const TYPE *beta, TYPE *c, int ldc) {                   \
    if (!h->stream || !h->workspace) return 1;                                                                         \
    if (lda < (ta ? k : m) || ldb < (tb ? n : k) || ldc < m || m < 0 || n < 0 || k < 0) return 7;                      \
    for (int j = 0; j < n; j++)                                                                                        \
      for (int i = 0; i < m; i++) {                                                                                    \
        TYPE sum = 0;                                                                                                  \
        for (int l = 0; l < k; l++) sum += AT(a, ta, lda, i, l) * AT(b, tb, ldb, l, j);                                \
        TYPE *target = c + i + j * (ptrdiff_t)ldc;                                                                     \
        *target = *beta == 0 ? *alpha * sum : *alpha * sum + *beta * *target;                                          \
      }                                                                                                                \
    return 0;                                                                                                          \
  }                                                                                                                    \
  int cublas##LETTER##gemmStridedBatched(Handle *h, int ta, int tb, int m, int n, int k, const TYPE *alpha,            \
                                         const TYPE *a, int lda, long long sa, const TYPE *b, int ldb, long long sb,   \
                                         const TYPE *beta, TYPE *c, int ldc, long long sc, int count) {                \
    for (int p = 0; p < count; p++) {                                                                                  \
      int status = cublas##LETTER##gemm_v2(h, ta, tb, m, n, k, alpha, a + p * sa, lda, b + p * sb, ldb, beta,          \
                                           c + p * sc, ldc);                                                           \
      if (status) return status;                                                                                       \
    }                                                                                                                  \
    return 0;                                                                                                          \
  }

GEMM(S, float)
GEMM(D, double)
GEMM(C, float complex)
GEMM(Z, double complex)
