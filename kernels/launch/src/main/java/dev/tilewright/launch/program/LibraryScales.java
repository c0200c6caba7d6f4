package dev.tilewright.launch.program;

import java.util.Optional;

/**
 * The scales of A and B that a launch of cublasLt is passed, f32. The library's first operand is B.
 *
 * @param a those of A, as {@code b} are those of B
 */
public record LibraryScales(Buffer a, Buffer b) {

    /**
     * The scales of an operand.
     *
     * @param mode of the library's header, behind {@code CUBLASLT_MATMUL_MATRIX_SCALE_}
     * @param floats of the buffer
     * @param place of the scale of an element in the buffer, in C, by {@code row} and {@code column} of D and {@code k}
     */
    public record Buffer(String mode, long floats, String place) {}

    private static final String NOTES = """

 * scale_a has @FLOATS_A@ floats: the scale of an element of A in row `row` is scale_a[@PLACE_A@].
 * scale_b has @FLOATS_B@ floats: that of an element of B in column `column` is scale_b[@PLACE_B@].
 * Threads that launch at once need a gemm each, since the library keeps the addresses of the scales in it.""";

    private static final String FIELD = """
    void *scale; /* the library asks for addresses of scales before it checks the algorithm */
""";

    private static final String MODES = """
    cublasLtMatmulMatrixScale_t first_mode = CUBLASLT_MATMUL_MATRIX_SCALE_@MODE_B@;
    cublasLtMatmulMatrixScale_t second_mode = CUBLASLT_MATMUL_MATRIX_SCALE_@MODE_A@;
    CHECK(cublasLtMatmulDescSetAttribute(
        gemm->operation, CUBLASLT_MATMUL_DESC_A_SCALE_MODE, &first_mode, sizeof first_mode));
    CHECK(cublasLtMatmulDescSetAttribute(
        gemm->operation, CUBLASLT_MATMUL_DESC_B_SCALE_MODE, &second_mode, sizeof second_mode));
    CHECK(cudaMalloc(&gemm->scale, sizeof(float)));
    CHECK(cublasLtMatmulDescSetAttribute(
        gemm->operation, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, &gemm->scale, sizeof gemm->scale));
    CHECK(cublasLtMatmulDescSetAttribute(
        gemm->operation, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, &gemm->scale, sizeof gemm->scale));
""";

    private static final String POINTERS = """
    CHECK(cublasLtMatmulDescSetAttribute(
        gemm->operation, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, &scale_b, sizeof scale_b));
    CHECK(cublasLtMatmulDescSetAttribute(
        gemm->operation, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, &scale_a, sizeof scale_a));
""";

    private static final String FILLED = """
/* Other neighbours have other scales. */
static float scale_of_a(uint64_t place) {
    return place % 3 == 0 ? 1 : 0.5f;
}

static float scale_of_b(uint64_t place) {
    return place % 5 < 2 ? 1 : 0.5f;
}

static float *scales(uint64_t floats, float (*scale)(uint64_t)) {
    float *content = malloc(floats * sizeof *content);
    void *address = NULL;
    if (content == NULL) {
        printf("@NAME@: out of memory\\n");
        exit(2);
    }
    for (uint64_t i = 0; i < floats; i++) {
        content[i] = scale(i);
    }
    CUDA(cudaMalloc(&address, floats * sizeof *content));
    CUDA(cudaMemcpy(address, content, floats * sizeof *content, cudaMemcpyHostToDevice));
    free(content);
    return address;
}

""";

    private static final String BUFFERS = """
    float *scale_a = scales(@FLOATS_A@, scale_of_a), *scale_b = scales(@FLOATS_B@, scale_of_b);
""";

    /** Fills the holes of a text that has some for scales. */
    static Template fill(Template template, Optional<LibraryScales> scales) {
        scales.ifPresent(each -> template.with("MODE_A", each.a.mode)
                .with("MODE_B", each.b.mode)
                .with("FLOATS_A", each.a.floats)
                .with("FLOATS_B", each.b.floats)
                .with("PLACE_A", each.a.place)
                .with("PLACE_B", each.b.place));
        boolean passed = scales.isPresent();
        return template.with("SCALE_PARAMETERS", passed ? "const float *scale_a, const float *scale_b,\n    " : "")
                .with("SCALE_ARGUMENTS", passed ? "scale_a, scale_b, " : "")
                .with("SCALE_NOTES", passed ? NOTES : "")
                .with("SCALE_FIELD", passed ? FIELD : "")
                .with("SCALE_FREE", passed ? "    if (gemm->scale) cudaFree(gemm->scale);\n" : "")
                .with("SCALE_MODES", passed ? MODES : "")
                .with("SCALE_POINTERS", passed ? POINTERS : "")
                .with("SCALES", passed ? FILLED : "")
                .with("SCALE_A", passed ? "scale_of_a(@PLACE_A@)" : "1")
                .with("SCALE_B", passed ? "scale_of_b(@PLACE_B@)" : "1")
                .with("SCALE_BUFFERS", passed ? BUFFERS : "");
    }
}
