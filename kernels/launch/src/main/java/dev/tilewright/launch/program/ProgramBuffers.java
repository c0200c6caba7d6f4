package dev.tilewright.launch.program;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.Fill;
import dev.tilewright.launch.KernelParameter;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.ScalarRole;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.model.problem.Scales;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The buffers of a launch as a program sees them: operands, which its user brings, and those that it makes itself.
 *
 * @param operands A, B, D and what is added of each product, in this order
 * @param own all others
 */
record ProgramBuffers(List<BufferDescription> operands, List<BufferDescription> own) {

    /** The word for the scales of A. */
    static final String SCALE_A = "scale_a";

    /** The word for the scales of B. */
    static final String SCALE_B = "scale_b";

    /** The treatment of a program's own buffer before launches. */
    enum Preparation {
        KEPT,
        ZEROED_ONCE,
        ZEROED_EACH_LAUNCH,
        FILLED,
        /** The same for all operands: bindings share it. */
        CONSTANT
    }

    /** @throws IllegalArgumentException if no program can make the launch, with the reason */
    static ProgramBuffers of(LaunchDescription launch) {
        Map<String, BufferDescription> operands = new LinkedHashMap<>();
        for (Expectation.Gemm gemm : products(launch)) {
            List<String> names = new ArrayList<>(
                    List.of(gemm.a().buffer(), gemm.b().buffer(), gemm.d().buffer()));
            added(gemm).forEach(added -> names.add(added.buffer()));
            for (String name : names) {
                if (operands.put(name, launch.buffer(name)) != null) {
                    throw new IllegalArgumentException(
                            "a buffer that is two operands cannot be exported as a program: " + name);
                }
            }
        }
        if (operands.isEmpty()) {
            throw new IllegalArgumentException("a launch without a product (expect: gemm) cannot be exported");
        }
        List<BufferDescription> own = launch.buffers().stream()
                .filter(buffer -> !operands.containsKey(buffer.name()))
                .toList();
        ProgramBuffers buffers = new ProgramBuffers(List.copyOf(operands.values()), own);
        own.forEach(buffer -> preparation(launch, buffer));
        if (buffers.all().stream().map(ProgramBuffers::word).distinct().count()
                < buffers.all().size()) {
            throw new IllegalArgumentException("buffers that differ in capital letters alone cannot be exported");
        }
        return buffers;
    }

    /**
     * An operand beside A, B and D: scales, or what the epilogue adds.
     *
     * @param word for it: scale_a, scale_b, bias or c
     * @param transposed whether its rows are the buffer's columns, as those of scales of blocks are
     */
    record Added(String word, String buffer, boolean transposed) {}

    /** The scales of A and of B, the bias, then C, as far as there are any. */
    static List<Added> added(Expectation.Gemm product) {
        List<Added> all = new ArrayList<>();
        product.scales().ifPresent(scales -> {
            for (OperandRole role : OperandRole.values()) {
                if (scales.transposed(role)) {
                    throw new IllegalArgumentException("scales of " + role + " of which those along "
                            + scales.kind().major(role)
                            + " are not neighbours cannot be exported as a program, got buffer " + scales.of(role));
                }
            }
            boolean ofBlocks = scales.kind() == Scales.BLOCK;
            all.add(new Added(SCALE_A, scales.a(), ofBlocks));
            all.add(new Added(SCALE_B, scales.b(), ofBlocks));
        });
        product.bias().ifPresent(bias -> all.add(new Added("bias", bias, false)));
        product.c().ifPresent(c -> all.add(new Added("c", c.buffer(), c.transposed())));
        return all;
    }

    static List<Expectation.Gemm> products(LaunchDescription launch) {
        return launch.expected().stream()
                .filter(Expectation.Gemm.class::isInstance)
                .map(Expectation.Gemm.class::cast)
                .toList();
    }

    /** Operands first: the number of a buffer is its index among these. */
    List<BufferDescription> all() {
        List<BufferDescription> all = new ArrayList<>(operands);
        all.addAll(own);
        return all;
    }

    int number(String name) {
        return all().stream().map(BufferDescription::name).toList().indexOf(name);
    }

    /** Bytes that a program allocates for each set of operands. */
    long ownBytes(LaunchDescription launch) {
        return own.stream()
                .filter(buffer -> preparation(launch, buffer) != Preparation.CONSTANT)
                .mapToLong(BufferDescription::bytes)
                .sum();
    }

    /** The name of a buffer in a program. */
    static String word(BufferDescription buffer) {
        return buffer.name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_]", "_");
    }

    /**
     * A buffer that is zero before and must be zero afterwards is zeroed once. What must be afterwards what it was
     * before may be something else meanwhile, and no two bindings share it.
     */
    static Preparation preparation(LaunchDescription launch, BufferDescription buffer) {
        return switch (buffer.fill()) {
            case Fill.Uninitialised _, Fill.Poison _ -> Preparation.KEPT;
            case Fill.Zeros _ ->
                launch.expected().contains(new Expectation.Unchanged(buffer.name()))
                        ? Preparation.ZEROED_ONCE
                        : Preparation.ZEROED_EACH_LAUNCH;
            case Fill.Packed _ ->
                launch.expected().contains(new Expectation.Unchanged(buffer.name()))
                        ? Preparation.FILLED
                        : Preparation.CONSTANT;
            case Fill.Fields _ -> Preparation.FILLED;
            case Fill.Constant _, Fill.Iota _, Fill.Identity _, Fill.Normal _, Fill.Integers _, Fill.LogUniform _ ->
                throw new IllegalArgumentException("buffer " + buffer.name() + " is no operand of a product, and is"
                        + " filled with " + buffer.fill() + ": write its values out to export it");
        };
    }

    /** Whether a number of this role is passed. */
    static boolean passes(LaunchDescription launch, ScalarRole role) {
        return launch.parameters().stream()
                .anyMatch(parameter -> parameter instanceof KernelParameter.Scalar(var _, long _, var given)
                        && given.filter(role::equals).isPresent());
    }
}
