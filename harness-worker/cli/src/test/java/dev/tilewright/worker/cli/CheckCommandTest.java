package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
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
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code check} from its options to its exit code, on small problems. */
class CheckCommandTest {

    /** One config, with small tiles. */
    private static final String ONE =
            "--set tileM=64 --set tileN=64 --set tileK=32 --set consumers=1 --set epilogueN=32 "
                    + "--set epilogueStages=2 --set ctasPerSm=1 --set waitDepth=1 --set l2Hint=none --set splitK=1 --set clusterK=1 "
                    + "--set loadStages=3 --set clusterM=1 --set clusterN=1 --set rasterOrder=alongM --set l2Promotion=128 --set loadStart=free --set clusterOrder=launch";

    private static final Clock STOPPED = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);

    @TempDir
    private Path folder;

    private record Seen(int exit, List<String> out, String err) {}

    private static Seen check(GemmFamilies families, String line, String... more) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        StringWriter err = new StringWriter();
        CommandLine verbs = RootCommand.commandLine(
                Map.of(),
                new CheckCommand(
                        families,
                        () -> Terminal.NONE,
                        STOPPED,
                        new Printer(new PrintStream(out, true, StandardCharsets.UTF_8))));
        verbs.setErr(new PrintWriter(err, true));
        List<String> arguments = new ArrayList<>(List.of("check"));
        Pattern.compile("'([^']*)'|\\S+")
                .matcher(line)
                .results()
                .map(word -> word.group(1) == null ? word.group() : word.group(1))
                .forEach(arguments::add);
        arguments.addAll(List.of(more));
        int exit = verbs.execute(arguments.toArray(String[]::new));
        return new Seen(exit, out.toString(StandardCharsets.UTF_8).lines().toList(), err.toString());
    }

    private static Seen check(String line) {
        return check(GemmFamilies.standard(), line);
    }

    private static GemmFamilies withoutHandingBack() {
        return SpoiltFamily.hopper(text -> SpoiltFamily.replaceAfter(
                text, "MULTIPLY_K:", "mbarrier.arrive.shared::cta.b64 _, [%r", "mov.b32 %r0, %r0; // [%r"));
    }

    /** Also written out, the kernel is proved of the types that it was drawn for. */
    @Test
    void provesBlackwellKernelsOfSmallTypesAsConfigsAndAsFiles() throws IOException {
        Seen configs = check(
                GemmFamilies.standard(),
                "--family sm100-gemm --dtype e4m3 --shape 1032x200x112 --scheduler clc --trials 1 --set tileM=128 --set"
                        + " tileN=64 --set tileK=32 --set loadStages=3 --set clusterM=1 --set clusterN=1 --set clcStages=1 --export",
                folder.toString());

        provedAndProvedAgainAsAFile(configs, "A: {dtype: e4m3, ", "D: {dtype: bf16, ");
    }

    /** Types and layouts of the Hopper family, as a config and, written out, as a file. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--types e4m3,e5m2,f16 --shape 200x264x272 --set tileK=128 | A: {dtype: e4m3, shape: [200, 272] | f32: 1.0",
                "--types e4m3,e5m2,bf16 --scales row --epilogue bias --shape 200x264x272 --set tileK=128 | SCALE_B: {dtype: f32, shape: [264], init: {logUniform: | scales: {kind: row, a: SCALE_A, b: SCALE_B}",
                "--types bf16,bf16,f32 --major m,n --shape 200x264x77 --set tileK=32 | A: {dtype: bf16, shape: [77, 200] | layout: KN",
                "--launch-overlap --shape 200x264x136 --set tileK=64 --set launchOverlap=loaded | launchOverlap: true | grid: 4",
                "--group 200x264x136 --group 136x72x264 | B1: {dtype: bf16, shape: [72, 264] | init: {fields: [{at: 0, tensorMap: {buffer: A0,",
                "--shape 200x264x136 --batch 3 | B: {dtype: bf16, shape: [3, 264, 136] | buffer: D, offset: 211200",
                "--dtype f16 --major k,n --shape 201x264x136 --set tileK=32 | B: {dtype: f16, shape: [136, 264] | layout: MK",
            })
    void provesOtherTypesAndLayoutsAsConfigsAndAsFiles(String options, String buffer, String other) throws IOException {
        Seen configs = check(
                GemmFamilies.standard(),
                options + " --scheduler static --trials 1 --set tileM=64 --set tileN=64 --set loadStages=3"
                        + " --set clusterM=1 --set clusterN=1 --set ctasPerSm=1 --export",
                folder.toString());

        provedAndProvedAgainAsAFile(configs, buffer, other);
    }

    /** What was proved as a config is written out with its launch, and proved as the kernel of a file. */
    private void provedAndProvedAgainAsAFile(Seen configs, String... ofTheLaunch) throws IOException {
        assertThat(configs.exit()).as(configs.out() + configs.err()).isZero();
        assertThat(configs.out().getLast()).startsWith("1 config: 1 proved, 0 refuted");
        Path kernel;
        try (var files = Files.list(folder)) {
            kernel = files.filter(file -> file.toString().endsWith(".ptx"))
                    .findFirst()
                    .orElseThrow();
        }
        assertThat(Path.of(kernel.toString().replace(".ptx", ".yaml")))
                .content()
                .contains(ofTheLaunch);
        Seen file = check(kernel + " --seeds 2");
        assertThat(file.exit()).as(file.out() + file.err()).isZero();
    }

    /** A kernel that stores its sums as they are is wrong, for proofs take a scale that is not 1. */
    @Test
    void aKernelThatForgetsItsScaleIsRefuted() {
        GemmFamilies spoilt = SpoiltFamily.hopper(
                text -> text.replaceAll("ld\\.param\\.f32 (%f\\d+), \\[scale\\];", "mov.b32 $1, 0f3F800000;"));
        Seen seen = check(
                spoilt,
                "--dtype e5m2 --shape 200x264x272 --scheduler static --trials 1 --set tileM=64 --set tileN=64"
                        + " --set clusterM=1 --set clusterN=1 --seeds 2");

        assertThat(seen.exit()).as(seen.out() + seen.err()).isEqualTo(1);
        assertThat(seen.out()).anySatisfy(line -> assertThat(line).contains("mismatch: "));
    }

    @Test
    void theCallThatShowsARefutedConfigAgainNamesItsType() {
        GemmFamilies spoilt = SpoiltFamily.of("sm100-gemm", text -> text.replace("tcgen05.wait::ld.sync.aligned;", ""));
        Seen seen = check(
                spoilt,
                "--family sm100-gemm --dtype f16 --shape 264x136x104 --scheduler static --trials 1 --set ctaGroup=1 --seeds 2");

        assertThat(seen.exit()).as(seen.out() + seen.err()).isEqualTo(1);
        assertThat(seen.out())
                .anySatisfy(
                        line -> assertThat(line)
                                .startsWith(
                                        "    again: tilewright check --shape 264x136x104 --dtype f16 --config 'sm100-gemm static "));
    }

    @Test
    void aLaunchThatDoesNotWaitForTheOneAheadOfItIsRefuted() {
        GemmFamilies hasty = SpoiltFamily.hopper(text -> text.replace("griddepcontrol.wait;", ""));
        Seen seen = check(
                hasty,
                "--shape 200x264x136 --launch-overlap --scheduler static --trials 1 --set tileM=64 --set tileN=64"
                        + " --set clusterM=1 --set clusterN=1 --set clusterOrder=launch --seeds 2");

        assertThat(seen.exit()).as(seen.out() + seen.err()).isEqualTo(1);
        assertThat(seen.out())
                .anySatisfy(line ->
                        assertThat(line).startsWith("    hazard: grid ahead not awaited: the copy at byte 0 of"))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("    again: tilewright check --shape 200x264x136 --launch-overlap --config"
                                + " 'sm90-gemm static 64x64x"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--types e4m3,e5m2,f32 --set tileK=128 --set swizzle=128",
                "--types e4m3,e4m3,bf16 --scales row --set tileK=128 --set swizzle=128",
                "--types f16,f16,f16 --major m,n --set tileK=64",
            })
    void provesSeveralGemmsOfOtherTypesAndLayouts(String operands) throws IOException {
        Path document = folder.resolve("check.json");
        Seen seen = check(
                GemmFamilies.standard(),
                "--shape 200x72x144+72x136x400 --scheduler static --trials 1 --seeds 1 --batch 2 --set tileM=64 --set"
                        + " tileN=64 --set loadStages=3 --set ctasPerSm=1 --set clusterM=1 --set clusterN=1 " + operands
                        + " --json",
                document.toString());

        assertThat(seen.err()).isEmpty();
        assertThat(seen.exit()).as(seen.toString()).isZero();
        assertThat(seen.out().getFirst()).startsWith("proved ").contains("2 x (200x72x144 + 72x136x400)");
        assertThat(errors(Json.mapper().readTree(Files.readAllBytes(document)))).isEmpty();
    }

    @Test
    void provesSeveralGemmsAtOnce() throws IOException {
        Path document = folder.resolve("check.json");
        Seen seen = check(
                GemmFamilies.standard(),
                "--shape 200x72x136+72x136x392 --group 136x72x264 --group 264x72x72 --scheduler atomic --trials 1 --seeds 1"
                        + " --set tileM=64 --set tileN=64 --set tileK=64 --set clcThrottle=loaded --batch 2 --json",
                document.toString());

        assertThat(seen.err()).isEmpty();
        assertThat(seen.out()).hasSize(3);
        assertThat(seen.out().subList(0, 2))
                .anySatisfy(line -> assertThat(line).contains("2 x (200x72x136 + 72x136x392)"))
                .anySatisfy(line -> assertThat(line).contains("2 x (136x72x264 + 264x72x72)"))
                .noneSatisfy(line -> assertThat(line).startsWith("refuted"));
        assertThat(Files.readString(document)).contains("\"several\"", "\"batch\" : 2");
    }

    @Test
    void exitsWith0WhenAllAreProved() {
        Seen seen = check("--shape 200x264x136 --scheduler static --trials 3 --seed 5 --seeds 2 --threads 1 "
                + "--set tileM=64 --set tileN=64 --set tileK=32 --set loadStages=3,4 --set ctasPerSm=1"
                + " --set splitK=1 --set clusterK=1");

        assertThat(seen.exit()).as(seen.toString()).isZero();
        assertThat(seen.out()).hasSize(4);
        assertThat(seen.out().subList(0, 3))
                .allSatisfy(line -> assertThat(line)
                        .startsWith("proved         0.0 s  static 64x64x32 ")
                        .endsWith(" on 200x264x136"))
                .doesNotHaveDuplicates();
        assertThat(seen.out().get(3))
                .startsWith("3 configs: 3 proved, 0 refuted, 0 shallow, 0 unsupported; seeds 5..6 on 4 SMs; "
                        + "asked 200x264x136, ran 200x264x136; ")
                .containsPattern("; [\\d,]{6,} warp instructions and [\\d,]{8,} multiply-adds in 9 runs; ")
                .endsWith(" 0.0 s on 1 thread");
    }

    @Test
    void exitsWith1WhenOneIsWrongAndShowsWhere() {
        Seen seen = check(
                withoutHandingBack(),
                "--shape 200x264x136 --scheduler static --trials 1 --seed 7 --seeds 2 --sms 3 " + ONE);

        assertThat(seen.exit()).as(seen.toString()).isEqualTo(1);
        assertThat(seen.out().getFirst()).startsWith("refuted ");
        assertThat(seen.out())
                .contains("    seed: 7")
                .anySatisfy(line -> assertThat(line).startsWith("    hazard: deadlock: nobody can go on"))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("    waiter: gemm line ")
                        .contains("mbarrier.try_wait", "CTA ", "warp 0", "lane ", "loadEmpty[", "phase 0"))
                .anySatisfy(line -> assertThat(line).startsWith("    instruction: mbarrier.try_wait"))
                .anySatisfy(line -> assertThat(line).startsWith("    site: kernel gemm, line "))
                .anySatisfy(line -> assertThat(line)
                        .startsWith(
                                "    again: tilewright check --shape 200x264x136 --config 'sm90-gemm static 64x64x32 s3 alongM ")
                        .endsWith(" --sms 3 --seed 7 --seeds 1"));
        assertThat(seen.out().getLast()).startsWith("1 config: 0 proved, 1 refuted, 0 shallow, 0 unsupported");
    }

    @Test
    void theCallThatItNamesShowsTheSameAgain() {
        Seen seen = check(
                withoutHandingBack(), "--shape 200x264x136 --scheduler static --trials 1 --seed 8 --seeds 3 " + ONE);
        String again = seen.out().stream()
                .filter(line -> line.contains("again: tilewright check "))
                .findFirst()
                .orElseThrow()
                .replaceFirst(".*again: tilewright check ", "");

        Seen repeated = check(withoutHandingBack(), again);

        assertThat(repeated.exit()).isEqualTo(1);
        assertThat(repeated.out().subList(0, repeated.out().size() - 1))
                .isEqualTo(seen.out().subList(0, seen.out().size() - 1));
    }

    @Test
    void exitsWith3WhenNoneIsWrongButOneIsShallow() {
        Seen seen = check("--shape 200x264x136 --shape 64x64x64 --scheduler static --all --seeds 1 " + ONE);

        assertThat(seen.exit()).as(seen.toString()).isEqualTo(3);
        assertThat(seen.out())
                .contains(
                        "    shallow: tiles of a CTA: 1, a proof needs 3",
                        "    goes deeper with more tiles for each CTA (a larger M or N, fewer SMs) or a longer K",
                        "    nothing wrong with seed 1")
                .anySatisfy(line -> assertThat(line).startsWith("proved "))
                .anySatisfy(line -> assertThat(line).startsWith("shallow ").endsWith(" on 64x64x64"));
        assertThat(seen.out().getLast())
                .contains("1 proved, 0 refuted, 1 shallow, 0 unsupported", "asked 200x264x136 64x64x64,");
    }

    @Test
    void exitsWith3WhenOneIsUnsupported() {
        Seen seen = check(
                SpoiltFamily.hopper(
                        text -> SpoiltFamily.replaceAfter(text, "TILE", "wgmma.commit_group", "frobnicate")),
                "--shape 200x264x136 --scheduler static --trials 1 " + ONE);

        assertThat(seen.exit()).as(seen.toString()).isEqualTo(3);
        assertThat(seen.out().get(1)).contains("    unsupported: ", "frobnicate");
    }

    @Test
    void saysWhichSmallerProblemWasRun() {
        Seen seen = check("--shape 8200x4104x4008 --scheduler static --trials 1 --seeds 1 " + ONE);

        assertThat(seen.exit()).isZero();
        assertThat(seen.out().getFirst()).endsWith(" on 136x200x72 for 8200x4104x4008");
        assertThat(seen.out().getLast()).contains("asked 8200x4104x4008, ran 136x200x72;");
    }

    @Test
    void aBugIsNotBlamedOnTheConfig() {
        Seen seen = check(
                SpoiltFamily.hopper(text -> {
                    throw new IllegalStateException("out of order");
                }),
                "--shape 200x264x136 --scheduler static --trials 1 " + ONE);

        assertThat(seen.exit()).isEqualTo(4);
        assertThat(seen.err()).startsWith("tilewright check: cannot check ").contains("out of order");
    }

    // ---- the document -------------------------------------------------------------------------------------------

    private static List<Error> errors(JsonNode document) {
        Schema schema;
        try {
            schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                    .getSchema(Files.readString(Path.of("..", "..", "docs", "check.schema.json")));
        } catch (IOException missing) {
            throw new IllegalStateException(missing);
        }
        return schema.validate(document.toString(), InputFormat.JSON);
    }

    private ObjectNode document(GemmFamilies families, String line) throws IOException {
        Path file = folder.resolve("check.json");
        check(families, line + " --seeds 1 --scheduler static " + ONE, "--json", file.toString());
        return (ObjectNode) Json.mapper().readTree(Files.readAllBytes(file));
    }

    @Test
    void theDocumentKeepsItsSchemaForEveryVerdict() throws IOException {
        ObjectNode right = document(GemmFamilies.standard(), "--shape 200x264x136 --shape 64x64x64");
        ObjectNode deadlock = document(withoutHandingBack(), "--shape 200x264x136");
        ObjectNode mismatch = document(
                SpoiltFamily.hopper(text ->
                        SpoiltFamily.replaceAfter(text, "MULTIPLY_K:", ", 1, 1, 1, 0, 0;", ", 1, 1, -1, 0, 0;")),
                "--shape 200x264x136");
        ObjectNode unsupported = document(
                SpoiltFamily.hopper(
                        text -> SpoiltFamily.replaceAfter(text, "TILE", "wgmma.commit_group", "frobnicate")),
                "--shape 200x264x136");

        for (JsonNode document : List.of(right, deadlock, mismatch, unsupported)) {
            assertThat(errors(document)).as(document.toPrettyString()).isEmpty();
        }
        assertThat(verdicts(right)).containsExactly("proved", "shallow");
        assertThat(verdicts(deadlock)).containsExactly("refuted");
        assertThat(verdicts(unsupported)).containsExactly("unsupported");
        JsonNode flaw = deadlock.at("/proofs/0/flaw");
        assertThat(flaw.at("/kind").stringValue()).isEqualTo("deadlock");
        assertThat(flaw.at("/waiters/0/reason").stringValue()).contains("pending");
        assertThat(flaw.at("/site/instruction").stringValue()).startsWith("mbarrier.try_wait");
        assertThat(deadlock.at("/proofs/0/outcome").stringValue()).isEqualTo("hazard");
        assertThat(mismatch.at("/proofs/0/outcome").stringValue()).isEqualTo("mismatch");
        assertThat(mismatch.at("/proofs/0/flaw/message").stringValue())
                .contains("elements of D are wrong", "instead of");
        assertThat(right.at("/tally/proved").intValue()).isEqualTo(1);
        assertThat(right.at("/proofs/1/depth/tiles of a CTA").intValue()).isEqualTo(1);
        assertThat(right.at("/proofs/0/config/tileN").intValue()).isEqualTo(64);
    }

    private static List<String> verdicts(JsonNode document) {
        return StreamSupport.stream(document.get("proofs").spliterator(), false)
                .map(proof -> proof.get("verdict").stringValue())
                .toList();
    }

    @Test
    void theSchemaRefusesWhatIsDamaged() throws IOException {
        ObjectNode whole = document(withoutHandingBack(), "--shape 200x264x136");
        for (String field :
                List.of("schemaVersion", "family", "dtype", "plan", "tally", "seconds", "threads", "proofs")) {
            assertRefused(whole, document -> document.remove(field), field);
        }
        for (String field : List.of(
                "asked", "run", "config", "ptxHash", "verdict", "outcome", "summary", "details", "depth", "flaw",
                "effort", "seconds")) {
            assertRefused(whole, document -> proof(document).remove(field), field);
        }
        for (String field : List.of("seed", "traced", "kind", "message", "site", "waiters")) {
            assertRefused(whole, document -> ((ObjectNode) proof(document).get("flaw")).remove(field), field);
        }
        assertRefused(whole, document -> document.put("schemaVersion", 2), "schemaVersion");
        assertRefused(whole, document -> proof(document).put("verdict", "fine"), "verdict");
        assertRefused(whole, document -> proof(document).putNull("flaw"), "flaw");
        assertRefused(whole, document -> proof(document).put("verdict", "proved"), "flaw");
        assertRefused(whole, document -> proof(document).put("ptxHash", "123"), "ptxHash");
    }

    private static ObjectNode proof(ObjectNode document) {
        return (ObjectNode) document.get("proofs").get(0);
    }

    private static void assertRefused(ObjectNode whole, Consumer<ObjectNode> damage, String where) {
        ObjectNode document = whole.deepCopy();
        damage.accept(document);
        assertThat(errors(document)).extracting(Error::toString).anyMatch(error -> error.contains(where));
    }
}
