package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.FamilySpace;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Configs in words. */
class ExplainCommandTest {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final StringWriter errors = new StringWriter();

    static List<FamilySpace> families() {
        return Families.standard().all();
    }

    private int run(String... arguments) {
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        CommandLine line = RootCommand.commandLine(Map.of(), new ExplainCommand(new Printer(out)));
        return line.setErr(new PrintWriter(errors, true)).execute(arguments);
    }

    private List<String> lines() {
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @ParameterizedTest
    @MethodSource("families")
    void saysEachParameterOfAConfigOnceAndThatItKeepsTheRules(FamilySpace family) {
        Problem problem = Problem.of(new ProblemShape(1000, 3072, 520), DataType.F16);
        SearchSpace space = family.space(problem, DeviceLimits.of(132));
        List<Config> configs = SpaceTree.of(space).representatives(List.of());
        Config config = configs.get(new Random(7).nextInt(configs.size()));
        int exit = run("explain", "--shape", "1000x3072x520", "--dtype", "f16", config.canonical());

        assertThat(exit).isZero();
        assertThat(lines().getFirst()).isEqualTo("a config of " + family.family() + ":");
        assertThat(lines().getLast()).isEqualTo("it keeps every rule of 1000x3072x520 f16 on a GPU of 132 SMs");
        config.values()
                .forEach((name, value) ->
                        assertThat(String.join("\n", lines()) + "\n").containsOnlyOnce(" " + name + "=" + value + " "));
    }

    /** Whichever of the two counted, a user who looks at the other would be told something that is not so. */
    @Test
    void aParameterIsGivenOnce() {
        String refusal =
                "tilewright explain: CONFIG: parameter 'tileM' is given twice: by 'tileM=128' and 'tileM=256'\n";
        assertThat(run("explain", "tileM=128 tileM=256")).isEqualTo(2);
        assertThat(run("explain", "tileM=128", "--set", "tileM=256")).isEqualTo(2);
        assertThat(errors).hasToString(refusal + refusal);
        assertThat(lines()).isEmpty();
    }

    @Test
    void saysWhatAConfigBreaks() {
        FamilySpace family = Families.standard().usual();
        Problem problem = Problem.of(new ProblemShape(4096, 4096, 4096), DataType.BF16);
        SearchSpace space = family.space(problem, DeviceLimits.of(132));
        Config broken = new Random(11)
                .longs(0, space.points())
                .mapToObj(space::point)
                .filter(config -> space.violation(config).isPresent())
                .findFirst()
                .orElseThrow();

        assertThat(run("explain", "--family", family.family(), broken.canonical()))
                .isEqualTo(1);
        assertThat(lines().getLast())
                .isEqualTo("not for 4096x4096x4096 bf16: "
                        + space.violation(broken).orElseThrow());
    }

    @Test
    void listsTheValuesOfAParameterAndWhichOfThemAreUsual() {
        assertThat(run("explain", "--family", "sm90-gemm")).isZero();
        assertThat(lines().getFirst()).startsWith("parameters of sm90-gemm for 4096x4096x4096 bf16; ");
        assertThat(lines()).anySatisfy(line -> assertThat(line).matches(" tileK +64 128 \\[32]"));
    }

    @Test
    void aPartOfAConfigLeavesTheRestOpen() {
        assertThat(run("explain", "tileM=128", "--set", "tileN=256", "--set", "tileK=64"))
                .isZero();
        assertThat(lines())
                .contains("not said, so any value: " + lines().getLast().substring("not said, so any value: ".length()))
                .anySatisfy(line -> assertThat(line).contains("tiles of 128 rows and 256 columns"));
    }

    /** The words of a board say a whole config: what is missing is as usual. */
    @Test
    void takesAConfigInShort() {
        assertThat(run("explain", "static 128x128x64 s6 groupedN4 coop2 r232")).isZero();
        assertThat(lines())
                .contains(
                        "a config of sm90-gemm:",
                        "in short: static 128x128x64 s6 groupedN4 coop2 r232",
                        "it keeps every rule of 4096x4096x4096 bf16 on a GPU of 132 SMs")
                .anySatisfy(line -> assertThat(line).startsWith("not said, so as usual: clusterM=1 clusterN=1 "))
                .anySatisfy(line -> assertThat(line).contains("232 registers for a thread that multiplies"));
        bytes.reset();
        assertThat(run("explain", "--config", "sm100-gemm clc 128x64x64 s4 alongM"))
                .isZero();
        assertThat(lines().getFirst()).isEqualTo("a config of sm100-gemm:");
        bytes.reset();
        assertThat(run("explain", "--config", "clc 128x64x64 s4 alongM")).isZero();
        assertThat(lines().getFirst()).as("the only one that has clc").isEqualTo("a config of sm100-gemm:");
        assertThat(run("explain", "--family", "sm90-gemm", "--config", "sm100-gemm clc"))
                .isEqualTo(2);
        assertThat(errors.toString()).contains("the config is one of sm100-gemm, but the family sm90-gemm is named");
    }

    @Test
    void aNearMissIsSuggestedAndAnUnknownValueNamed() {
        assertThat(run("explain", "static", "128x128", "s6")).isEqualTo(2);
        assertThat(errors.toString())
                .contains(
                        "CONFIG: '128x128' is no part of a config. A part is NAME=VALUE or, with a whole number for each"
                                + " #, one of: single|static|atomic|clc #x#x# ");
        assertThat(run("explain", "tile_m=128")).isEqualTo(2);
        assertThat(errors.toString()).contains("no parameter 'tile_m'").contains("did you mean tileM?");
        assertThat(run("explain", "tileM=100")).isEqualTo(2);
        assertThat(errors.toString()).contains("parameter 'tileM' has no value 100; known: 16, 24,");
    }
}
