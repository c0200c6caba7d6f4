package dev.tilewright.proof.export;

import dev.tilewright.launch.program.LibraryProgram;
import dev.tilewright.launch.program.LibraryScales;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.vendor.VendorAlgorithm;
import dev.tilewright.space.vendor.VendorOperands;
import dev.tilewright.space.vendor.VendorScales;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * An algorithm of the vendor's library as files for use without Tilewright.
 *
 * @param title a line on what it is
 * @param problem of one shape
 * @param version of the library that it was measured with
 */
public record LibraryExport(String title, Problem problem, VendorAlgorithm algorithm, long version) {

    /** The constants of {@code cublasLt.h} behind {@code CUBLASLT_ALGO_CONFIG_}, in the order of the attributes. */
    private static final List<String> CONSTANTS = List.of(
            "ID",
            "TILE_ID",
            "SPLITK_NUM",
            "REDUCTION_SCHEME",
            "CTA_SWIZZLING",
            "CUSTOM_OPTION",
            "STAGES_ID",
            "INNER_SHAPE_ID",
            "CLUSTER_SHAPE_ID");

    /**
     * The algorithm of a config.
     *
     * @throws IllegalArgumentException if the config is not one of the library's, or the library does not compute the
     *     problem
     */
    public static LibraryExport of(String title, Problem problem, Config config, long version) {
        VendorOperands.refusal(problem.types(), problem.major())
                .or(() -> VendorScales.refusal(problem))
                .ifPresent(reason -> {
                    throw new IllegalArgumentException(reason);
                });
        if (!problem.epilogue().isNone()) {
            throw new IllegalArgumentException(
                    "epilogue = " + problem.epilogue() + ": the exported call of the library stores sums as they are");
        }
        return new LibraryExport(title + " on " + problem.shapes(), problem, VendorAlgorithm.of(config), version);
    }

    /**
     * Its files.
     *
     * @param name of files and functions
     * @param notes where it comes from
     */
    public LibraryProgram program(String name, List<String> notes) {
        ProblemShape shape = problem.shape();
        VendorOperands operands = VendorOperands.of(problem);
        return new LibraryProgram(
                name,
                title,
                notes,
                problem.shapes() + " of " + problem.types().a() + " and "
                        + problem.types().b() + ", D " + problem.types().d(),
                version,
                algorithm.id(),
                IntStream.range(1, CONSTANTS.size())
                        .mapToObj(attribute -> new LibraryProgram.Attribute(
                                CONSTANTS.get(attribute),
                                attribute < VendorAlgorithm.FIRST_OF_16_BITS ? "uint32_t" : "uint16_t",
                                algorithm.attributes().get(attribute)))
                        .toList(),
                new LibraryProgram.Extents(
                        shape.m(), shape.n(), shape.k(), problem.groups().size() * problem.batch(), fast()),
                matrix(problem.types().a(), operands.a()),
                matrix(problem.types().b(), operands.b()),
                matrix(problem.types().d(), operands.d()),
                scales());
    }

    private boolean fast() {
        return VendorScales.of(problem).filter(VendorScales::fast).isPresent();
    }

    private Optional<LibraryScales> scales() {
        return switch (problem.scales()) {
            case TENSOR -> Optional.empty();
            case ROW ->
                Optional.of(new LibraryScales(
                        buffer(OperandRole.A, "OUTER_VEC_32F", "row"),
                        buffer(OperandRole.B, "OUTER_VEC_32F", "column")));
            case BLOCK ->
                Optional.of(new LibraryScales(
                        buffer(
                                OperandRole.A,
                                "VEC128_32F",
                                "k / " + Scales.BLOCK_K + " * " + pitch(OperandRole.A) + " + row"),
                        buffer(
                                OperandRole.B,
                                "BLK128x128_32F",
                                "column / " + Scales.BLOCK_N + " * " + pitch(OperandRole.B) + " + k / "
                                        + Scales.BLOCK_K)));
        };
    }

    private LibraryScales.Buffer buffer(OperandRole role, String mode, String place) {
        return new LibraryScales.Buffer(mode, problem.scales().elements(role, problem.shape()), place);
    }

    private int pitch(OperandRole role) {
        return problem.scales().pitch(role, problem.shape());
    }

    private static LibraryProgram.Matrix matrix(DataType type, VendorOperands.Matrix matrix) {
        return new LibraryProgram.Matrix(
                switch (type) {
                    case BF16 -> "CUDA_R_16BF";
                    case F16 -> "CUDA_R_16F";
                    case F32 -> "CUDA_R_32F";
                    case E4M3 -> "CUDA_R_8F_E4M3";
                    case E5M2 -> "CUDA_R_8F_E5M2";
                },
                type.bytes(),
                switch (type) {
                    case BF16 -> 0x3f80;
                    case F16 -> 0x3c00;
                    case F32 -> 0x3f800000;
                    case E4M3 -> 0x38;
                    case E5M2 -> 0x3c;
                },
                matrix.rows(),
                matrix.columns(),
                matrix.transposed());
    }
}
