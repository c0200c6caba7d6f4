package dev.tilewright.emulator.gemm;

import static dev.tilewright.emulator.gemm.GemmRuns.completed;
import static dev.tilewright.emulator.gemm.GemmRuns.emulator;
import static dev.tilewright.emulator.gemm.GemmRuns.exact;
import static dev.tilewright.emulator.gemm.GemmRuns.withinBound;

import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.gemm.GemmCase.Data;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.testing.DrawnRows;
import dev.tilewright.testing.Selection;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Kernels of sm90-gemm for all types and layouts compute what the reference computes, on shapes with tails. */
class TypesGemmTest {

    private static final int SEEDS = 2;
    private static final int MANY_SEEDS = 20;

    /** Exact on whole numbers under several seeds, and within the bound of the types on normal ones. */
    private static void check(String parameters, int m, int n, int k, int seeds) {
        GemmCase exact = new GemmCase(parameters, m, n, k, Data.INTEGERS, false);
        PtxEmulator emulator = emulator(exact);
        for (int seed = 0; seed < seeds; seed++) {
            exact(exact, completed(exact, emulator, Options.seed(seed)), seed);
        }
        GemmCase normal = new GemmCase(parameters, m, n, k, Data.NORMAL, false);
        withinBound(normal, completed(normal, emulator, Options.seed(seeds)));
    }

    /** Every pair of inputs that the family takes, in every layout, with each output. */
    static Stream<Arguments> typesAndLayouts() {
        List<String> inputs = new ArrayList<>();
        for (String type : List.of("bf16", "f16")) {
            for (String majors : List.of("", " majorA=m", " majorB=n", " majorA=m majorB=n")) {
                inputs.add("typeA=" + type + " typeB=" + type + majors);
            }
        }
        for (String a : List.of("e4m3", "e5m2")) {
            for (String b : List.of("e4m3", "e5m2")) {
                inputs.add("tileK=128 typeA=" + a + " typeB=" + b);
            }
        }
        List<Arguments> all = new ArrayList<>();
        for (String input : inputs) {
            for (String output : List.of("bf16", "f16", "f32 epilogueN=32")) {
                all.add(Arguments.of("scheduler=static " + input + " typeD=" + output));
            }
        }
        return Selection.of(all, 5).stream();
    }

    @ParameterizedTest
    @MethodSource("typesAndLayouts")
    void typesAndLayoutsAgreeWithTheReference(String parameters) {
        check(parameters, 456, 264, 208, SEEDS);
    }

    private static final String SPREAD = """
        majorA=m scheduler=atomic mode=pingpong tileM=64 waitDepth=1 | 328 | 520 | 200
        majorB=n scheduler=atomic clusterM=2 multicast=both | 584 | 392 | 136
        majorA=m majorB=n scheduler=static clusterN=2 multicast=both tileN=192 | 456 | 776 | 77
        majorA=m majorB=n scheduler=static swizzle=64 tileK=64 tileN=96 epilogueN=32 | 456 | 328 | 99
        majorA=m majorB=n scheduler=static swizzle=128 tileK=32 tileM=256 tileN=64 | 776 | 200 | 50
        majorA=m scheduler=static swizzle=64 tileK=32 tileN=176 | 456 | 520 | 136
        majorB=n scheduler=static swizzle=64 tileK=32 clusterM=2 multicast=both tileN=64 | 712 | 264 | 104
        majorA=m majorB=n scheduler=static consumers=1 registers=0 tileM=64 clusterM=2 multicast=both | 328 | 392 | 136
        majorA=m scheduler=single tileM=256 tileN=64 typeA=f16 typeB=f16 typeD=f16 | 520 | 136 | 72
        typeD=f32 epilogueN=16 scheduler=static tileN=72 | 456 | 268 | 136
        typeD=f32 epilogueN=32 scheduler=atomic mode=pingpong tileM=64 tileN=176 | 328 | 532 | 136
        typeA=e4m3 typeB=e5m2 tileK=64 swizzle=64 scheduler=atomic clusterN=2 multicast=both | 456 | 776 | 208
        typeA=e5m2 typeB=e4m3 typeD=f32 epilogueN=32 tileK=128 scheduler=static mode=pingpong tileM=64 | 328 | 520 | 304
        epilogueN=16 scheduler=static tileN=96 | 456 | 328 | 136
        """;

    @DrawnRows(of = SPREAD, count = 3)
    void otherConfigsAgreeWithTheReference(String parameters, int m, int n, int k) {
        check(parameters, m, n, k, SEEDS);
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource(textBlock = SPREAD, delimiter = '|')
    void noHazardUnderManySeeds(String parameters, int m, int n, int k) {
        check(parameters, m, n, k, MANY_SEEDS);
    }
}
