package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.worker.link.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** Verbs that take a range of M: nothing runs on a GPU. */
class RangesOfRowsTest {

    /** A space of some hundred configs. */
    private static final String[] FEW = Stream.of(
                    "scheduler=static",
                    "clusterM=1",
                    "clusterN=1",
                    "mode=cooperative",
                    "swapAB=0",
                    "tileM=64,128",
                    "tileN=64,128",
                    "tileK=64",
                    "splitK=1",
                    "rasterOrder=alongM")
            .flatMap(value -> Stream.of("--set", value))
            .toArray(String[]::new);

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final StringWriter err = new StringWriter();

    private int run(String[] more, String... arguments) {
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        CommandLine line = RootCommand.commandLine(
                Map.of(),
                new PredictCommand(new Printer(stream)),
                new ExplainCommand(new Printer(stream)),
                new CheckCommand(GemmFamilies.standard(), () -> Terminal.NONE, Clock.systemUTC(), new Printer(stream)));
        line.setErr(new PrintWriter(err, true));
        List<String> all = new ArrayList<>(List.of(arguments));
        Collections.addAll(all, more);
        return line.execute(all.toArray(String[]::new));
    }

    private String said() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void predictHasATableWithItsRegret() {
        assertThat(run(FEW, "predict", "--shape", "1-512x256x384"))
                .as(err.toString())
                .isZero();

        assertThat(said())
                .startsWith("1-512x256x384 bf16, sm90-gemm on simulated h200")
                .contains("*** SIMULATED: predictions of a model, nothing ran on a GPU ***")
                .containsPattern("(?m)^ from M +to M +config +us at from +us at to$")
                .containsPattern("(?m)^ +\\d+ +512 ")
                .containsPattern(
                        "regret at 16 drawn M \\(seed 1\\), beside the best config that the model finds at each:"
                                + " median \\d+\\.\\d %, 95th percentile \\d+\\.\\d %, worst \\d+\\.\\d % at M = \\d+");
    }

    @Test
    void aTableHasNoMoreKernelsThanAskedFor() {
        assertThat(run(FEW, "predict", "--shape", "1-512x256x384", "--kernels", "1"))
                .as(err.toString())
                .isZero();
        assertThat(said())
                .containsPattern("(?m)^ +1 +512 ")
                .contains(
                        "in the mean over log M, 1 kernel takes 0.0 % longer than the fastest of those to choose from\n")
                .contains(" --kernels 1\n");
        assertThat(run(FEW, "predict", "--shape", "512x256x384", "--kernels", "1"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--kernels: is for a range of M");
    }

    @Test
    void aShapeMayStandBesideARange() {
        assertThat(run(FEW, "predict", "--shape", "1-512x256x384", "--shape", "512x256x384", "--json", "-"))
                .as(err.toString())
                .isZero();

        JsonNode all = Json.mapper().readTree(said());
        assertThat(all.get(1).get("drawn").asBoolean()).isTrue();
        assertThat(all.get(0).get("problem").asString()).isEqualTo("512x256x384 bf16");
        assertThat(all.get(0).get("configs")).isNotNull();
        assertThat(all.get(1).get("problem").asString()).isEqualTo("1-512x256x384 bf16");
        assertThat(all.get(1).get("kernels").get(0).get("from").asInt()).isEqualTo(1);
        assertThat(all.get(1).get("regret").get("checks").size()).isEqualTo(16);
    }

    @Test
    void whatIsAskedForStandsBelow() {
        String[] more = Stream.concat(
                        Stream.of("--types", "e4m3,e4m3,bf16", "--scales", "row", "--batch", "1"), Stream.of(FEW))
                .toArray(String[]::new);
        assertThat(run(more, "predict", "--shape", "1-3x256x384"))
                .as(err.toString())
                .isZero();

        assertThat(said())
                .contains("regret at 3 M, all of which were searched, beside")
                .contains("again: tilewright predict --shape 1-3x256x384 --dtype e4m3 --scales row"
                        + " --family sm90-gemm --device simulated:h200 --set scheduler=static --set clusterM=1 ");
    }

    /** Checks one config with tiles of so many rows. */
    private void checkTiles(int rows) {
        String[] one = Stream.of("scheduler=static", "tileM=" + rows, "tileN=64", "loadStages=3", "swapAB=0")
                .flatMap(value -> Stream.of("--set", value))
                .toArray(String[]::new);
        int code = run(one, "check", "--shape", "1-136x72x64", "--trials", "1", "--seeds", "1");

        assertThat(code).as(said() + err).isIn(0, 3);
    }

    /** Tiles of 128 rows are no kernel for one row: they are proved where they keep the rules. */
    @Test
    void aHighTileIsCheckedAtManyRows() {
        checkTiles(128);

        assertThat(said()).contains(" on 136x72x64").doesNotContain(" on 1x72x64");
    }

    @Test
    void checkProvesTheTextAtSeveralRows() {
        checkTiles(64);

        assertThat(said())
                .containsPattern(
                        "1-136x72x64: the one text of each config at those of M = 1, \\d+, \\d+, 136 at which it keeps the"
                                + " rules")
                .contains(" on 1x72x64")
                .contains(" on 136x72x64")
                .containsPattern("4 proofs of 1 config: \\d proved, 0 refuted");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "predict 0-4x64x64            | --shape: the least M of a range must be at least 1, got 0",
                "predict 8-2x64x64            | --shape: the least M of a range must be below the most, got 8-2",
                "check 1-99999999999x64x64    | --shape: an extent must be at most 2147483647, got 99999999999",
                "check 1-2147483647x64x64     | --shape 1-2147483647x64x64: ",
                "check 1-136x72x64 --set tileM=7 | no config is left for either end of 1-136x72x64: with M = 1: ",
                "predict 8-64x64x64 --major m,k,n | --major: a range of M needs A of major k and D of major n, got m and n",
                "check 1-64x64x64 --all       | --all: is for shapes, got the range 1-64x64x64",
                "predict 1-64x64x64 --batch 2 | --batch: a range of M is of one GEMM, got 2 of 1-64x64x64",
                "explain 1-64x64x64           | --shape 1-64x64x64: a range of M is taken by tune, predict, check and export alone",
            })
    void isRefusedWithValueAndRule(String words, String message) {
        String[] arguments = words.replaceFirst(" ", " --shape ").split(" ");

        assertThat(run(new String[0], arguments)).isEqualTo(2);
        assertThat(err.toString()).contains(message);
    }
}
