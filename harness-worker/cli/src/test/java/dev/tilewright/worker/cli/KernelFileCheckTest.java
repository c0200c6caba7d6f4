package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.worker.link.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** {@code check KERNEL.ptx} through the command line. */
class KernelFileCheckTest {
    private static final Path EXAMPLES = Path.of("..", "..", "docs", "examples", "check");
    private static final Path RESOURCES = Path.of("src", "test", "resources", "check");

    @TempDir
    private Path directory;

    private record Ended(int exit, String out, String err) {}

    private static Ended run(Object... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        StringWriter err = new StringWriter();
        CommandLine line = RootCommand.commandLine(
                Map.of(),
                new CheckCommand(
                        GemmFamilies.standard(),
                        () -> Terminal.NONE,
                        Clock.systemUTC(),
                        new Printer(new PrintStream(out, true, StandardCharsets.UTF_8))));
        line.setErr(new PrintWriter(err, true));
        String[] texts = new String[arguments.length + 1];
        texts[0] = "check";
        for (int i = 0; i < arguments.length; i++) {
            texts[i + 1] = arguments[i].toString();
        }
        int exit = line.execute(texts);
        return new Ended(exit, out.toString(StandardCharsets.UTF_8), err.toString());
    }

    private static String example(String name) throws IOException {
        return Files.readString(EXAMPLES.resolve(name));
    }

    private Path written(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private static String replaced(String text, String old, String by) {
        assertThat(text).contains(old);
        return text.replace(old, by);
    }

    @Test
    void writesADescriptionToFillIn() throws IOException {
        for (String name : List.of("simt-gemm", "tile-gemm", "sm90-gemm")) {
            Path ptx = written(name + ".ptx", example(name + ".ptx"));
            Ended missing = run(ptx);
            assertThat(missing.exit()).isEqualTo(2);
            assertThat(missing.err()).contains("tilewright check " + ptx + " --skeleton > ");
            Ended skeleton = run(ptx, "--skeleton");
            assertThat(skeleton.exit()).as(skeleton.err()).isZero();
            assertThat(skeleton.out()).contains("entry: ", "maxntid");
            Path yaml = written(name + ".yaml", skeleton.out());
            Ended unfilled = run(ptx);
            assertThat(unfilled.exit()).isEqualTo(2);
            assertThat(unfilled.err())
                    .contains(
                            yaml + ": what is called TODO must be filled in: line 4 'grid: [TODO, TODO, TODO]', line ");
            long todo = skeleton.out()
                    .lines()
                    .filter(line -> line.replaceFirst("(^|\\s)#.*", "").contains("TODO"))
                    .count();
            assertThat(unfilled.err().split("line \\d+ '"))
                    .as("each value that is missing is named")
                    .hasSize((int) todo + 1);
        }
        assertThat(run("--skeleton").err()).contains("--skeleton: needs a kernel file");
    }

    /** As the skeleton of a matrix product was, with m = n = k = 0: nothing is loaded, and nothing stored. */
    @Test
    void aKernelThatStoresNothingIsNeverProved() throws IOException {
        Path ptx = written("k.ptx", example("simt-gemm.ptx"));
        Path json = directory.resolve("verdict.json");
        written("k.yaml", """
                grid: [1, 1]
                block: [16, 16]
                buffers:
                  A: {dtype: f32, shape: [64, 64], init: normal}
                parameters: [{pointer: A}, {pointer: A}, {pointer: A}, {u32: 0}, {u32: 0}, {u32: 0}]
                expect: [{unchanged: A}]
                """);

        Ended ended = run(ptx, "--seeds", 2, "--json", json);

        assertThat(ended.exit()).as(ended.out() + ended.err()).isEqualTo(3);
        assertThat(ended.out())
                .contains(
                        "shallow: no hazard and nothing wrong in 2 runs, but they are no proof",
                        "  no byte of any buffer has changed: a kernel that stores nothing shows nothing");
        JsonNode document = Json.mapper().readTree(Files.readAllBytes(json));
        assertThat(document.get("verdict").asString()).isEqualTo("shallow");
        assertThat(document.get("shallow").get(0).asString()).startsWith("no byte of any buffer has changed");
    }

    @Test
    void takesAsMuchOfANameAsOneKernelHas() throws IOException {
        String text = example("simt-gemm.ptx");
        String entry = text.substring(text.indexOf(".visible .entry"));
        String two = replaced(text, "simt_gemm", "_ZN3lib4gemmIfEEvPKT_")
                + replaced(entry, "simt_gemm", "_ZN3lib4gemmIdEEvPKT_")
                + replaced(entry, "simt_gemm", "_ZN3lib4testEv");
        Path ptx = written("two.ptx", two);
        for (String name : List.of("lib::test", "test", "_ZN3lib4testEv", "gemmIf")) {
            Ended ended = run(ptx, "--entry", name, "--skeleton");
            assertThat(ended.out()).as(ended.err()).contains(name.equals("gemmIf") ? "gemmIfE" : "testEv");
        }
        assertThat(run(ptx, "--skeleton").err())
                .contains("the file has 3 kernels; name one as entry: lib::gemm<...>, lib::gemm<...>, lib::test");
        assertThat(run(ptx, "--entry", "gemm", "--skeleton").err()).contains("'gemm' names 2 kernels");
        assertThat(run(ptx, "--entry", "none", "--skeleton").err())
                .contains("entry: must be one of lib::gemm<...>, lib::gemm<...>, lib::test, got 'none'");
    }

    @ParameterizedTest
    @CsvSource({
        "simt-gemm, 'largest error 0.', 'no mbarrier that may wrap'",
        "tile-gemm, 'largest error 0.', 'no mbarrier that may wrap'",
        "sm90-gemm, 'largest error 0.', 'mbarriers that may wrap: 8'"
    })
    void provesTheExamples(String name, String error, String rings) {
        Ended ended = run(EXAMPLES.resolve(name + ".ptx"), "--seeds", 2);
        assertThat(ended.exit()).as(ended.out() + ended.err()).isZero();
        assertThat(ended.out())
                .contains("sha256 ", "buffer A ", "proved: no hazard and nothing wrong in 2 runs", error, rings)
                .contains("seeds 1..2");
    }

    @Test
    void findsTheDeletedFence() throws IOException {
        Path json = directory.resolve("verdict.json");
        Ended ended = run(EXAMPLES.resolve("sm90-gemm-no-fence.ptx"), "--json", json);
        assertThat(ended.exit()).isEqualTo(1);
        List<String> text = example("sm90-gemm-no-fence.ptx").lines().toList();
        assertThat(ended.out())
                .contains("hazard: missing fence.proxy.async", "> 361 | ", "warp 4, lane 0", "<- deleted");
        JsonNode document = Json.mapper().readTree(Files.readAllBytes(json));
        assertThat(document.get("verdict").asString()).isEqualTo("hazard");
        JsonNode hazard = document.get("hazard");
        assertThat(hazard.get("kind").asString()).isEqualTo("missing proxy fence");
        int line = hazard.get("site").get("line").asInt();
        assertThat(text.get(line - 1)).contains("cp.async.bulk.tensor.2d.global");
        assertThat(text.get(line - 3)).contains("<- deleted");
        assertThat(text.get(line - 1).substring(hazard.get("site").get("column").asInt() - 1))
                .startsWith("@%p31 cp.async.bulk.tensor");
        assertThat(document.get("sha256").asString()).matches("[0-9a-f]{64}");
        assertThat(document.get("entry").asString()).isEqualTo("gemm");
    }

    @Test
    void namesWhoWaitsInADeadlock() throws IOException {
        // The consumers no longer say that a slot is empty.
        String text = example("sm90-gemm.ptx");
        String arrive = text.lines()
                .filter(line -> line.contains("@%p21 mbarrier.arrive.shared::cluster"))
                .findFirst()
                .orElseThrow();
        Path ptx = written("deadlock.ptx", replaced(text, arrive, "    // " + arrive.strip()));
        Path json = directory.resolve("verdict.json");
        Ended ended = run(ptx, "--launch", EXAMPLES.resolve("sm90-gemm.yaml"), "--seeds", 1, "--json", json);
        assertThat(ended.exit()).as(ended.out()).isEqualTo(1);
        assertThat(ended.out())
                .contains("hazard: deadlock: nobody can go on", "waits for", "parity", "arrivals pending");
        JsonNode hazard = Json.mapper().readTree(Files.readAllBytes(json)).get("hazard");
        assertThat(hazard.get("waiters").size()).isPositive();
        assertThat(hazard.get("waiters").get(0).get("site").get("line").asInt()).isPositive();
        assertThat(hazard.get("waiters").get(0).get("reason").asString()).contains("loadEmpty[", "arrivals pending");
        assertThat(hazard.get("site")).isEqualTo(hazard.get("waiters").get(0).get("site"));
    }

    @Test
    void showsTheFirstWrongElements() throws IOException {
        Path yaml = written("wrong.yaml", replaced(example("tile-gemm.yaml"), "at: 36, f32: 0.75", "at: 36, f32: 0.5"));
        Path json = directory.resolve("verdict.json");
        Ended ended = run(EXAMPLES.resolve("tile-gemm.ptx"), "--launch", yaml, "--json", json);
        assertThat(ended.exit()).isEqualTo(1);
        assertThat(ended.out()).contains("mismatch: buffer D: 3150 of 3150", "D [0, 0]: got ", ", allowed error ");
        JsonNode wrong = Json.mapper().readTree(Files.readAllBytes(json)).get("mismatch");
        assertThat(wrong.get("first").size()).isEqualTo(8);
        assertThat(wrong.get("errorRatio").asDouble()).isGreaterThan(1);
    }

    @Test
    void readsOutOfBoundsAtTheirLine() throws IOException {
        Path ptx = written(
                "bounds.ptx",
                replaced(
                        example("simt-gemm.ptx"),
                        "setp.lt.and.u32 %p2, %inA, %k, %p0;",
                        "setp.lt.u32 %p2, %inA, 999;"));
        Ended ended = run(ptx, "--launch", EXAMPLES.resolve("simt-gemm.yaml"));
        assertThat(ended.exit()).isEqualTo(1);
        assertThat(ended.out()).contains("hazard: out of bounds: ", "buffer A", "@%p2 ld.global.f32 %x, [%at];");
    }

    @Test
    void passesTensorMapsInsideOfStructs() {
        Ended ended = run(RESOURCES.resolve("copy-box.ptx"));
        assertThat(ended.exit()).as(ended.out()).isZero();
        assertThat(ended.out()).contains("no mbarrier that may wrap; that cannot: bar+0");
    }

    @Test
    void aShortMainloopIsShallow() throws IOException {
        Path ptx = written(
                "loop.ptx",
                replaced(
                        Files.readString(RESOURCES.resolve("copy-box.ptx")),
                        "    mbarrier.try_wait",
                        "    add.u32 %bytes, %bytes, 1;\n    mbarrier.try_wait"));
        Path json = directory.resolve("verdict.json");
        Ended ended = run(ptx, "--launch", RESOURCES.resolve("copy-box.yaml"), "--json", json);
        assertThat(ended.exit()).as(ended.out() + ended.err()).isEqualTo(3);
        assertThat(ended.out()).contains("shallow: ", "mbarrier bar+0 completed 1 phases");
        JsonNode document = Json.mapper().readTree(Files.readAllBytes(json));
        assertThat(document.get("verdict").asString()).isEqualTo("shallow");
        assertThat(document.get("barriers").get(0).get("phases").asInt()).isEqualTo(1);
    }

    @Test
    void listsAllThatTheEmulatorDoesNotRun() throws IOException {
        String text = replaced(example("simt-gemm.ptx"), "bar.sync 0;", "call.uni elsewhere;")
                .replace(".address_size 64", ".address_size 64 .extern .func elsewhere;");
        Ended ended = run(written("u.ptx", text), "--launch", EXAMPLES.resolve("simt-gemm.yaml"));
        assertThat(ended.exit()).isEqualTo(3);
        assertThat(ended.out())
                .contains("unsupported: 2 places", "u.ptx: line 73 'call.uni elsewhere;'", "u.ptx: line 87 'call.uni");
    }

    @Test
    void listsAllThatIsUnsupported() throws IOException {
        String text = replaced(example("simt-gemm.ptx"), "bar.sync 0;", "txq.width.b32;");
        Path json = directory.resolve("verdict.json");
        Ended ended = run(written("u.ptx", text), "--launch", EXAMPLES.resolve("simt-gemm.yaml"), "--json", json);
        assertThat(ended.exit()).isEqualTo(3);
        assertThat(ended.out()).contains("unsupported: 2 places", "u.ptx:73:5: txq", "u.ptx:87:5: txq");
        assertThat(Json.mapper()
                        .readTree(Files.readAllBytes(json))
                        .get("unsupported")
                        .size())
                .isEqualTo(2);
    }

    @Test
    void aSpecialRegisterThatIsNotEmulatedIsNoMistake() throws IOException {
        String text =
                replaced(example("simt-gemm.ptx"), "mov.u32 %tx, %tid.x;", "mov.u32 %tx, %reserved_smem_offset_1;");
        Ended ended = run(written("u.ptx", text), "--launch", EXAMPLES.resolve("simt-gemm.yaml"));
        assertThat(ended.exit()).isEqualTo(3);
        assertThat(ended.out()).contains("special register %reserved_smem_offset_1 is not supported");
    }

    @Test
    void anotherKernelOfTheFileMayBeWrong() throws IOException {
        Path ptx = written(
                "two.ptx", example("simt-gemm.ptx") + ".visible .entry other() { suld.b.1d.b32 x; mov.u32 %y, 1; }\n");
        Path yaml = EXAMPLES.resolve("simt-gemm.yaml");
        assertThat(run(ptx, "--launch", yaml, "--entry", "simt_gemm", "--seeds", 1)
                        .exit())
                .isZero();
        assertThat(run(ptx, "--launch", yaml, "--entry", "other").err()).contains("is no valid PTX, problems: 2");
    }

    @Test
    void invalidTextIsTheUsersMistake() throws IOException {
        Path ptx =
                written("bad.ptx", replaced(example("simt-gemm.ptx"), "mov.u32 %tx, %tid.x;", "mov.u32 %tx, %none;"));
        Ended ended = run(ptx, "--launch", EXAMPLES.resolve("simt-gemm.yaml"));
        assertThat(ended.exit()).isEqualTo(2);
        assertThat(ended.err()).contains("bad.ptx: is no valid PTX", "bad.ptx:35:18", "%none");
        assertThat(ended.out()).isEmpty();
    }

    /** Exactly these threads, and no more CTAs in a cluster, whatever their product. */
    @Test
    void aLaunchThatTheEntryDoesNotTake() throws IOException {
        for (var rule : List.of(
                Map.entry(".reqntid 256, 1, 1", "block: entry simt_gemm requires 256x1x1 (.reqntid), got 16x16x1"),
                Map.entry(
                        ".maxntid 16, 16, 1\n.explicitcluster",
                        "cluster: entry simt_gemm is launched with one (.explicitcluster)"))) {
            Path ptx = written("strict.ptx", replaced(example("simt-gemm.ptx"), ".maxntid 16, 16, 1", rule.getKey()));
            Ended ended = run(ptx, "--launch", EXAMPLES.resolve("simt-gemm.yaml"));
            assertThat(ended.exit()).as(ended.out() + ended.err()).isEqualTo(2);
            assertThat(ended.err()).contains(rule.getValue());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        block: [16, 16]   | block: [16, 17]     | block: entry simt_gemm takes at most 256 threads (.maxntid or .reqntid), got 16x17x1 = 272
        grid: [4, 3]      | grid: [4, 3]\\ncluster: 3 | grid: must be a multiple of the cluster 3x1x1, got 4x3x1
        grid: [4, 3]      | entry: other\\ngrid: 1 | entry: must be one of simt_gemm, got 'other'
        grid: [4, 3]      | grid: 1\\ndynamicShared: 232448 | a CTA has at most 232448 bytes of shared memory, of which simt_gemm has 2048 already
        - u32: 29         | # none              | parameters: entry simt_gemm has 6, got 5
        - u32: 29         | - u64: 29           | parameters[5]: k of simt_gemm has 4 bytes, got a u64 of 8
        - pointer: D      | - u32: 5            | parameters[2]: d of simt_gemm has 8 bytes, got a u32 of 4
        - pointer: D      | - tensorMap: {buffer: D, dims: [4], strides: [], box: [4]} | d of simt_gemm has 8 bytes, got a tensor map of 128
        - pointer: D      | - pointer: E        | simt.yaml:11:5: parameters[2].pointer: must be a buffer of [A, B, D], got 'E'
        grid: [4, 3]      | gird: [4, 3]        | simt.yaml:2:1: gird: unknown key 'gird'
        """)
    void aLaunchThatDoesNotFit(String old, String by, String message) throws IOException {
        Path yaml = written(
                "simt.yaml",
                replaced(example("simt-gemm.yaml"), old.strip(), by.strip().replace("\\n", "\n")));
        Ended ended = run(EXAMPLES.resolve("simt-gemm.ptx"), "--launch", yaml);
        assertThat(ended.exit()).as(ended.out()).isEqualTo(2);
        assertThat(ended.err()).contains(message.strip());
    }

    /** A bulk store that still reads when the CTA ends: by the book a fault, accepted by name or by its group. */
    @Test
    void whatBreaksARuleMayBeAccepted() throws IOException {
        Path ptx = RESOURCES.resolve("store-at-exit.ptx");
        Path json = directory.resolve("verdict.json");
        Ended strict = run(ptx, "--json", json);
        assertThat(strict.exit()).as(strict.out() + strict.err()).isEqualTo(1);
        assertThat(strict.out())
                .contains(
                        "hazard: leaked at exit", "rule: bulk-read-at-exit", "--accept bulk-read-at-exit lets it pass");
        assertThat(Json.mapper()
                        .readTree(Files.readAllBytes(json))
                        .get("hazard")
                        .get("rule")
                        .asString())
                .isEqualTo("bulk-read-at-exit");
        for (String rules : List.of("bulk-read-at-exit", "cluster-scope,bulk-read-at-exit", "vendor-idioms")) {
            Ended accepted = run(ptx, "--accept", rules, "--json", json);
            assertThat(accepted.exit()).as(accepted.out() + accepted.err()).isZero();
            assertThat(accepted.out())
                    .contains("proved, 1 accepted: no other hazard", "accepted: bulk-read-at-exit at ");
            JsonNode document = Json.mapper().readTree(Files.readAllBytes(json));
            assertThat(document.get("verdict").asString()).isEqualTo("proved");
            assertThat(document.get("accepted").size()).isEqualTo(1);
            assertThat(document.get("accepted").get(0).get("rule").asString()).isEqualTo("bulk-read-at-exit");
        }
        assertThat(run(ptx, "--accept", "cluster-scope").exit()).isEqualTo(1);
    }

    @Test
    void aRuleThatIsNone() {
        Path ptx = RESOURCES.resolve("store-at-exit.ptx");
        Ended unknown = run(ptx, "--accept", "bulk-read-at-exits");
        assertThat(unknown.exit()).isEqualTo(2);
        assertThat(unknown.err()).contains("--accept: there is no rule 'bulk-read-at-exits'", "'bulk-read-at-exit'");
        Ended ending = run(ptx, "--accept", "deadlock");
        assertThat(ending.exit()).isEqualTo(2);
        assertThat(ending.err()).contains("rule 'deadlock' ends a run and cannot be accepted", "vendor-idioms");
    }

    /** What is dumped is read back as what must come out. */
    @Test
    void aBufferIsWrittenAsTheRunLeftIt() throws IOException {
        Path npy = directory.resolve("d.npy");
        Path ptx = RESOURCES.resolve("store-at-exit.ptx");
        Ended ended = run(ptx, "--accept", "vendor-idioms", "--dump", "D=" + npy);
        assertThat(ended.exit()).as(ended.out() + ended.err()).isZero();
        assertThat(ended.out()).contains("written: " + npy + ", buffer D as seed 5 left it");
        String yaml = Files.readString(RESOURCES.resolve("store-at-exit.yaml"));
        Path expecting = written(
                "expecting.yaml",
                yaml.substring(0, yaml.indexOf("expect:")) + "expect:\n  - file: {buffer: D, file: d.npy}\n");
        assertThat(run(ptx, "--launch", expecting, "--accept", "vendor-idioms").exit())
                .isZero();
        Path hazard = directory.resolve("hazard.npy");
        assertThat(run(ptx, "--dump", "D=" + hazard).exit()).isEqualTo(1);
        assertThat(hazard).hasSize(128 + 128);
        assertThat(run(ptx, "--dump", "E=" + npy).err()).contains("--dump: must name a buffer of [D], got 'E'");
        assertThat(run(ptx, "--dump", "D").err()).contains("--dump: must be BUFFER=FILE.npy, got 'D'");
    }

    /** Every tile is drawn once, by whoever asked for it. */
    @Test
    void whoTookWhichTileIsTold() throws IOException {
        Path json = directory.resolve("verdict.json");
        Ended ended = run(EXAMPLES.resolve("sm90-gemm.ptx"), "--seeds", 1, "--json", json);
        assertThat(ended.out()).contains("  taken from COUNTER+0 with seed 1: CTA ");
        JsonNode taken = Json.mapper().readTree(Files.readAllBytes(json)).get("taken");
        assertThat(taken.valueStream().flatMap(one -> one.get("values").valueStream()))
                .hasSize(21)
                .doesNotHaveDuplicates();
        assertThat(taken.get(0).get("from").asString()).isEqualTo("COUNTER+0");
    }

    @Test
    void optionsThatDoNotGoTogether() throws IOException {
        Path kernel = EXAMPLES.resolve("simt-gemm.ptx");
        for (String[] options : List.of(
                new String[] {"--shape", "8x8x8"},
                new String[] {"--dtype", "bf16"},
                new String[] {"--family", "sm90-gemm"},
                new String[] {"--set", "tileM=64"},
                new String[] {"--scheduler", "static"},
                new String[] {"--trials", "1"},
                new String[] {"--threads", "1"},
                new String[] {"--export", directory.toString()})) {
            assertThat(run(kernel, options[0], options[1]).err())
                    .contains(options[0] + ": is for configs of a family, got the file ");
        }
        assertThat(run(kernel, "--all").err()).contains("--all: is for configs of a family, got the file ");
        assertThat(run("--entry", "x").err()).contains("--entry: needs a kernel file");
        assertThat(run("--steps", "5").err()).contains("--steps: needs a kernel file");
        assertThat(run("--accept", "race").err()).contains("--accept: rule 'race' ends a run");
        assertThat(run(kernel, "--steps", 0).err()).contains("--steps: must be at least 1, got 0");
        assertThat(run("--launch", "x").err()).contains("--launch: needs a kernel file");
        assertThat(run(written("alone.ptx", "")).err()).contains("--launch: is missing, and there is no ");
        assertThat(run(directory.resolve("none.ptx"), "--launch", EXAMPLES.resolve("simt-gemm.yaml"))
                        .err())
                .contains("KERNEL.ptx: must be a file, but ", "none.ptx does not exist");
        assertThat(run(kernel, "--entry", "other").exit()).isEqualTo(2);
        assertThat(run(kernel, "--seeds", 0).exit()).isEqualTo(2);
    }

    @Test
    void ofARaceBothPlacesAreShown() throws IOException {
        // The scheduler hands out tiles without a release.
        Path ptx = written(
                "relaxed.ptx",
                example("sm90-gemm.ptx")
                        .replaceAll("arrive\\.release(\\.cluster\\S+ _, \\[%r8[37]])", "arrive.relaxed$1"));
        Ended ended = run(ptx, "--launch", EXAMPLES.resolve("sm90-gemm.yaml"), "--seeds", 1);
        assertThat(ended.exit()).as(ended.out()).isEqualTo(1);
        assertThat(ended.out())
                .contains("hazard: race on tileRecords+", "is relaxed, without a fence before it")
                .containsPattern("  at \\S+relaxed.ptx:\\d+:5 in gemm, CTA ")
                .containsPattern("  behind the store at \\S+relaxed.ptx:(204|210):5 in gemm, CTA ")
                .containsPattern("> (204|210) \\| +st.shared::cluster.v4.u32");
    }

    @Test
    void aClusterThatTheSmsDoNotHoldIsTheUsersMistake() {
        Ended ended = run(EXAMPLES.resolve("sm90-gemm.ptx"), "--sms", 1);
        assertThat(ended.exit()).as(ended.err()).isEqualTo(2);
        assertThat(ended.err()).contains("sm90-gemm.yaml: kernel gemm: a cluster of 2 CTAs does not fit on 1 SMs");
    }

    @Test
    void aRunThatIsLongerThanTheStepsIsEndless() {
        Ended ended = run(EXAMPLES.resolve("simt-gemm.ptx"), "--steps", 20);
        assertThat(ended.exit()).as(ended.err()).isEqualTo(1);
        assertThat(ended.out()).containsPattern("hazard: no end after \\d+ steps");
    }

    @Test
    void anExportedConfigIsProvedAsAFile() throws IOException {
        Ended exported = run(
                "--shape",
                "200x136x200",
                "--scheduler",
                "static",
                "--set",
                "tileM=64",
                "--set",
                "tileN=64",
                "--set",
                "clusterM=1",
                "--set",
                "clusterN=1",
                "--set",
                "ctasPerSm=1",
                "--set",
                "splitK=1",
                "--set",
                "clusterK=1",
                "--trials",
                1,
                "--seeds",
                1,
                "--sms",
                2,
                "--export",
                directory);
        assertThat(exported.exit()).as(exported.out() + exported.err()).isZero();
        List<Path> files;
        try (var listing = Files.list(directory)) {
            files = listing.sorted().toList();
        }
        assertThat(files).hasSize(2);
        Ended ended = run(files.getFirst(), "--seeds", 1, "--sms", 2);
        assertThat(ended.exit()).as(ended.out() + ended.err()).isZero();
        assertThat(ended.out()).contains("gemm, grid 2x1x1", "proved: ");
    }
}
