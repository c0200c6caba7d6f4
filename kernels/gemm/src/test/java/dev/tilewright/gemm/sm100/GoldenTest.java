package dev.tilewright.gemm.sm100;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.Ptxas;
import dev.tilewright.ptx.type.Target;
import dev.tilewright.ptx.validate.Validator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The exact text of a few kernels, beside this test. */
class GoldenTest {

    private static final String KERNELS = """
        Single, false, scheduler=single tileN=64 accumulatorStages=1
        StaticFp8, false, inputType=e4m3 outputType=f16 tileN=64 tileK=32 epilogueN=16
        AtomicCluster, false, scheduler=atomic tileN=64 clusterN=2 multicast=both clcStages=2
        Clc, false, scheduler=clc tileN=64
        ClcPrefetchTraced, true, scheduler=clc tileN=64 clusterM=2 clcStages=3 clcPrefetch=2 clcThrottle=load
        ClcPair, false, scheduler=clc ctaGroup=2 tileN=64
        ClcGroupedTraced, true, scheduler=clc tileN=64 tileLocation=table tileOrder=longestFirst
        ClcPairsMulticast, false, scheduler=clc ctaGroup=2 clusterN=2 multicast=both tileN=64 clcStages=2
        """;

    @ParameterizedTest(name = "{0}")
    @CsvSource(textBlock = KERNELS)
    void textIsKept(String name, boolean traced, String changes) throws IOException {
        String text = new Sm100Gemm().build(Configs100.with(changes), traced).text();
        Path file = Path.of("src/test/java/dev/tilewright/gemm/sm100", name + ".expected.ptx");
        if (Boolean.getBoolean("golden.accept")) {
            Files.writeString(file, text);
        }
        assertThat(text).as(file + " (rewrite with -Dgolden.accept=true)").isEqualTo(Files.readString(file));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(textBlock = KERNELS)
    void textValidatesAndAssembles(String name, boolean traced, String changes) throws Exception {
        var kernel = new Sm100Gemm().build(Configs100.with(changes), traced);
        assertThat(Validator.validate(kernel.module())).as(name).isEmpty();
        Ptxas.assumePresent();
        assertThat(Ptxas.registers(Target.SM_100A, name, kernel.text())).isLessThan(256);
    }
}
