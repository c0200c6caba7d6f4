package dev.tilewright.proof.export;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A cublasLt of the tests, in C, with declarations by the numbers of the real headers. It says what it is told, and
 * multiplies matrices of ones: every element of D is the inner extent, or less with scales.
 */
final class LibraryStub {

    private static final String CUBLAS_LT = """
    /* Declarations of a test: what of cublasLt an exported algorithm uses, by the numbers of the real header. */
    #pragma once
    #include <cuda_runtime_api.h>
    #include <library_types.h>
    #include <stdint.h>
    typedef int cublasStatus_t;
    typedef void *cublasLtHandle_t, *cublasLtMatmulDesc_t, *cublasLtMatrixLayout_t;
    typedef struct { uint64_t data[8]; } cublasLtMatmulAlgo_t;
    typedef struct {
        cublasLtMatmulAlgo_t algo;
        size_t workspaceSize;
        cublasStatus_t state;
        float wavesCount;
        int reserved[4];
    } cublasLtMatmulHeuristicResult_t;
    typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1 } cublasOperation_t;
    typedef enum { CUBLAS_COMPUTE_32F = 68 } cublasComputeType_t;
    typedef enum {
        CUBLASLT_MATMUL_DESC_TRANSA = 3,
        CUBLASLT_MATMUL_DESC_TRANSB = 4,
        CUBLASLT_MATMUL_DESC_A_SCALE_POINTER = 17,
        CUBLASLT_MATMUL_DESC_B_SCALE_POINTER = 18,
        CUBLASLT_MATMUL_DESC_FAST_ACCUM = 25,
        CUBLASLT_MATMUL_DESC_A_SCALE_MODE = 31,
        CUBLASLT_MATMUL_DESC_B_SCALE_MODE = 32
    } cublasLtMatmulDescAttributes_t;
    typedef enum {
        CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F = 3,
        CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F = 4,
        CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F = 5
    } cublasLtMatmulMatrixScale_t;
    typedef enum {
        CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,
        CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6
    } cublasLtMatrixLayoutAttribute_t;
    typedef enum {
        CUBLASLT_ALGO_CONFIG_ID = 0,
        CUBLASLT_ALGO_CONFIG_TILE_ID = 1,
        CUBLASLT_ALGO_CONFIG_SPLITK_NUM = 2,
        CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME = 3,
        CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING = 4,
        CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION = 5,
        CUBLASLT_ALGO_CONFIG_STAGES_ID = 6,
        CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID = 7,
        CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID = 8
    } cublasLtMatmulAlgoConfigAttributes_t;
    size_t cublasLtGetVersion(void);
    cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle);
    cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle);
    cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *made, cublasComputeType_t compute,
            cudaDataType_t scale);
    cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t operation);
    cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t operation,
            cublasLtMatmulDescAttributes_t attribute,
        const void *value, size_t bytes);
    cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *made, cudaDataType_t type, uint64_t rows,
        uint64_t columns, int64_t leading);
    cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout);
    cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
            cublasLtMatrixLayoutAttribute_t attribute,
        const void *value, size_t bytes);
    cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t handle, cublasComputeType_t compute, cudaDataType_t scale,
        cudaDataType_t a, cudaDataType_t b, cudaDataType_t c, cudaDataType_t d, int id,
                cublasLtMatmulAlgo_t *algorithm);
    cublasStatus_t cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t *algorithm,
        cublasLtMatmulAlgoConfigAttributes_t attribute, const void *value, size_t bytes);
    cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation,
        cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
        const cublasLtMatmulAlgo_t *algorithm, cublasLtMatmulHeuristicResult_t *result);
    cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation, const void *alpha,
            const void *a,
        cublasLtMatrixLayout_t layout_a, const void *b, cublasLtMatrixLayout_t layout_b, const void *beta,
                const void *c,
        cublasLtMatrixLayout_t layout_c, void *d, cublasLtMatrixLayout_t layout_d,
                const cublasLtMatmulAlgo_t *algorithm,
        void *workspace, size_t workspace_bytes, cudaStream_t stream);
    """;

    private static final String RUNTIME = """
    /* Declarations of a test: what of the CUDA runtime an exported algorithm uses. */
    #pragma once
    #include <stddef.h>
    typedef int cudaError_t;
    typedef void *cudaStream_t;
    enum { cudaSuccess = 0 };
    enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 };
    cudaError_t cudaMalloc(void **address, size_t bytes);
    cudaError_t cudaFree(void *address);
    cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);
    cudaError_t cudaMemset(void *to, int value, size_t bytes);
    cudaError_t cudaDeviceSynchronize(void);
    const char *cudaGetErrorString(cudaError_t error);
    """;

    private static final String TYPES = """
    /* Declarations of a test: the types of the CUDA libraries. */
    #pragma once
    typedef enum { CUDA_R_32F = 0, CUDA_R_16F = 2, CUDA_R_16BF = 14, CUDA_R_8F_E4M3 = 28,
            CUDA_R_8F_E5M2 = 29 } cudaDataType_t;
    """;

    private static final String LIBRARY = """
    /* A library of a test: says what it is told,
            and multiplies matrices of ones: every element of D is the inner extent. */
    #include <cublasLt.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>

    struct layout { int type; uint64_t rows, columns; int batch; };

    static int transposed_first, modes[2];
    static const float *scales[2];
    static int object;

    size_t cublasLtGetVersion(void) { return 130100; }
    cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) { *handle = &object; return 0; }
    cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) { return handle == &object ? 0 : 1; }

    cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *made, cublasComputeType_t compute,
            cudaDataType_t scale) {
        printf("operation %d %d\\n", compute, scale);
        *made = &object;
        return 0;
    }

    cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t operation) { return operation == &object ? 0 : 1; }

    cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t operation,
            cublasLtMatmulDescAttributes_t attribute,
            const void *value, size_t bytes) {
        if (attribute == CUBLASLT_MATMUL_DESC_A_SCALE_POINTER || attribute == CUBLASLT_MATMUL_DESC_B_SCALE_POINTER) {
            memcpy(&scales[attribute - CUBLASLT_MATMUL_DESC_A_SCALE_POINTER], value, bytes);
            return operation == &object ? 0 : 1;
        }
        int number = bytes == 1 ? *(const int8_t *)value : *(const int32_t *)value;
        printf("operation attribute %d = %d\\n", attribute, number);
        if (attribute == CUBLASLT_MATMUL_DESC_TRANSA) transposed_first = number;
        if (attribute >= CUBLASLT_MATMUL_DESC_A_SCALE_MODE) {
            modes[attribute - CUBLASLT_MATMUL_DESC_A_SCALE_MODE] = number;
        }
        return operation == &object ? 0 : 1;
    }

    cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *made, cudaDataType_t type, uint64_t rows,
            uint64_t columns, int64_t leading) {
        struct layout *layout = malloc(sizeof *layout);
        *layout = (struct layout){type, rows, columns, 1};
        printf("layout %d %llux%llu %lld\\n", type, (unsigned long long)rows, (unsigned long long)columns,
                (long long)leading);
        *made = layout;
        return 0;
    }

    cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) { free(layout); return 0; }

    cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
            cublasLtMatrixLayoutAttribute_t attribute,
            const void *value, size_t bytes) {
        long long number = bytes == 8 ? *(const int64_t *)value : *(const int32_t *)value;
        printf("layout attribute %d = %lld\\n", attribute, number);
        if (attribute == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT) ((struct layout *)layout)->batch = (int)number;
        return 0;
    }

    cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t handle, cublasComputeType_t compute, cudaDataType_t scale,
            cudaDataType_t a, cudaDataType_t b, cudaDataType_t c, cudaDataType_t d, int id,
                    cublasLtMatmulAlgo_t *algorithm) {
        printf("init %d of %d %d %d %d %d %d\\n", id, compute, scale, a, b, c, d);
        memset(algorithm, 0, sizeof *algorithm);
        return handle == &object ? 0 : 1;
    }

    cublasStatus_t cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t *algorithm,
            cublasLtMatmulAlgoConfigAttributes_t attribute, const void *value, size_t bytes) {
        printf("set %d = %d of %zu bytes\\n", attribute,
                bytes == 2 ? *(const uint16_t *)value : *(const int32_t *)value, bytes);
        return algorithm == NULL;
    }

    cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation,
            cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
            const cublasLtMatmulAlgo_t *algorithm, cublasLtMatmulHeuristicResult_t *result) {
        printf("check\\n");
        result->workspaceSize = 4096;
        return (modes[0] != 0 || modes[1] != 0) && (scales[0] == NULL || scales[1] == NULL) ? 7 : 0;
    }

    /* The scale of an element of an operand, by its mode: row by row, or by blocks of 128 along K. */
    static float scale(int operand, uint64_t rows, uint64_t inner, uint64_t row, uint64_t k) {
        uint64_t pitch = ((inner + 127) / 128 + 3) / 4 * 4;
        switch (modes[operand]) {
            case CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F: return scales[operand][row];
            case CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F: return scales[operand][k / 128 * rows + row];
            case CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F: return scales[operand][row / 128 * pitch + k / 128];
            default: return 1;
        }
    }

    cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation, const void *alpha,
            const void *a,
            cublasLtMatrixLayout_t layout_a, const void *b, cublasLtMatrixLayout_t layout_b, const void *beta,
                    const void *c,
            cublasLtMatrixLayout_t layout_c, void *d, cublasLtMatrixLayout_t layout_d,
                    const cublasLtMatmulAlgo_t *algorithm,
            void *workspace, size_t workspace_bytes, cudaStream_t stream) {
        const struct layout *first = layout_a, *result = layout_d;
        uint64_t inner = transposed_first ? first->rows : first->columns;
        printf("matmul with %zu bytes\\n", workspace_bytes);
        for (uint64_t i = 0; i < result->rows * result->columns * result->batch; i++) {
            uint64_t row = i % result->rows, column = i / result->rows % result->columns;
            float sum = 0;
            for (uint64_t k = 0; k < inner; k++) {
                sum += scale(0, result->rows, inner, row, k) * scale(1, result->columns, inner, column, k);
            }
            uint32_t bits;
            memcpy(&bits, &sum, sizeof bits);
            size_t bytes = 4;
            if (result->type == CUDA_R_16BF) { bits >>= 16; bytes = 2; }
            if (result->type == CUDA_R_16F) { bits = ((bits >> 23) - 112) << 10 | (bits >> 13 & 1023); bytes = 2; }
            memcpy((char *)d + i * bytes, &bits, bytes);
        }
        return workspace == NULL;
    }

    cudaError_t cudaFree(void *address) { free(address); return 0; }
    cudaError_t cudaMalloc(void **address, size_t bytes) { *address = malloc(bytes); return *address == NULL; }
    cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
        memcpy(to, from, bytes);
        return 0;
    }
    cudaError_t cudaMemset(void *to, int value, size_t bytes) { memset(to, value, bytes); return 0; }
    cudaError_t cudaDeviceSynchronize(void) { return 0; }
    const char *cudaGetErrorString(cudaError_t error) { return error == 0 ? "no error" : "an error"; }
    """;

    /** By their names. */
    private static final Map<String, String> FILES = Map.of(
            "cublasLt.h", CUBLAS_LT, "cuda_runtime_api.h", RUNTIME, "library_types.h", TYPES, "library.c", LIBRARY);

    private LibraryStub() {}

    /** Writes it into a folder: {@code library.c} and its headers. */
    static void write(Path folder) throws IOException {
        for (Map.Entry<String, String> file : FILES.entrySet()) {
            Files.writeString(folder.resolve(file.getKey()), file.getValue());
        }
    }

    /** Takes the headers away. */
    static void deleteHeaders(Path folder) throws IOException {
        for (String name : FILES.keySet()) {
            if (name.endsWith(".h")) {
                Files.delete(folder.resolve(name));
            }
        }
    }
}
