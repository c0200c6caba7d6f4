package dev.tilewright.worker.cli.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.tilewright.bundle.BundleSpace;
import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.worker.cli.bundle.BundleVerb.Seen;
import dev.tilewright.worker.cli.export.TextAssembler;
import dev.tilewright.worker.link.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** {@code bundle check} and {@code bundle init} from their options to their lines. */
class BundleCheckTest {
    private static final Path EXAMPLES = Path.of("..", "..", "docs", "examples", "bundles");

    @TempDir
    private Path folder;

    private final BundleVerb bundle = BundleVerb.withoutAssembler();

    private Path skeleton() {
        assertThat(bundle.run("init", folder, "--name", "mine").exit()).isZero();
        return folder.resolve("kernel.yaml");
    }

    private void change(String file, String part, String other) throws IOException {
        String text = Files.readString(folder.resolve(file));
        assertThat(text).contains(part);
        Files.writeString(folder.resolve(file), text.replace(part, other));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cuda-gemm", "ptx-bias-relu"})
    void provesTheExamples(String example) throws IOException {
        assertThat(Files.readAllLines(EXAMPLES.resolve(example).resolve("kernel.yaml")))
                .hasSizeLessThanOrEqualTo(40);
        Seen seen = bundle.run(
                "check",
                EXAMPLES.resolve(example),
                "--all",
                "--seeds",
                "1",
                "--shape",
                "45x70x33",
                "--shape",
                "9x67x40");
        assertThat(seen.out()).anyMatch(line -> line.startsWith("proved "));
        assertThat(seen.out().getLast()).matches("\\d+ proved of \\d+ configs at .*");
        assertThat(seen.exit()).isZero();
    }

    @Test
    void saysHowManyConfigsItDidNotProve() throws IOException {
        Seen seen = bundle.run(
                "check", EXAMPLES.resolve("cuda-gemm"), "--trials", "1", "--seeds", "1", "--shape", "45x70x33");
        assertThat(seen.out()).anyMatch(line -> line.startsWith("3 more combinations of values are not proved: "));
        assertThat(seen.out().getLast()).startsWith("1 proved of 1 config at 45x70x33");
    }

    @Test
    void provesTheSkeletonAsItIs() throws IOException {
        skeleton();
        Seen seen = bundle.run("check", folder, "--seeds", "1");
        assertThat(seen.out().getFirst())
                .startsWith("bundle:mine (sha256 ")
                .endsWith("3 combinations of values, epilogue none");
        assertThat(seen.out()).contains("assembled 0 of 3 texts; not assembled here: no ptxas here");
        assertThat(seen.out().getLast()).startsWith("3 proved of 3 configs at ");
        assertThat(seen.exit()).isZero();
        long work = Pattern.compile("(\\d+)x(\\d+)x(\\d+)")
                .matcher(seen.out().getLast())
                .results()
                .mapToLong(shape -> Stream.of(1, 2, 3)
                        .mapToLong(extent -> Long.parseLong(shape.group(extent)))
                        .reduce(1, Math::multiplyExact))
                .sum();
        assertThat(work)
                .as("multiply-adds: this many take 5 s of one core with all seeds")
                .isBetween(1L, 300_000L);
        assertThat(bundle.run("init", folder).err()).contains("is there already");
    }

    @Test
    void provesAZipAtAskedShapesWithAskedValues() throws IOException {
        skeleton();
        Path zip = folder.resolve("mine.zip");
        BundleFiles files = BundleFiles.read(folder);
        try (OutputStream out = Files.newOutputStream(zip)) {
            files.zip(out);
        }
        Seen seen = bundle.run(
                "check", zip, "--shape", "5x7x3", "--shape", "16x9x20", "--set", "threads=64", "--seeds", "1");
        assertThat(seen.out().getLast()).isEqualTo("1 proved of 1 config at 5x7x3, 16x9x20; 4 SMs, seed 1");
        assertThat(seen.out().get(1)).startsWith("proved       threads=64  2 shapes, 2 runs, largest error 0.");
    }

    @Test
    void showsAWrongKernel() throws IOException {
        skeleton();
        change("gemm.ptx", "add.u64 %b, %b, 2;", "add.u64 %b, %b, 0;");
        Seen seen = bundle.run("check", folder, "--shape", "5x7x3", "--set", "threads=64", "--seeds", "1");
        assertThat(seen.exit()).isEqualTo(1);
        assertThat(seen.out().get(1)).startsWith("mismatch     threads=64  1 shape");
        assertThat(seen.out())
                .contains("  on 5x7x3:")
                .anyMatch(line -> line.contains("mismatch: buffer D: "))
                .anyMatch(line -> line.contains("D [0, 0]: got "));
        change("gemm.ptx", "setp.lt.u32 %p1, %i, %k;", "setp.le.u32 %p1, %i, %k;");
        Seen beyond = bundle.run("check", folder, "--shape", "5x7x3", "--set", "threads=64", "--seeds", "1");
        assertThat(beyond.exit()).isEqualTo(1);
        assertThat(beyond.out().get(1)).startsWith("hazard       threads=64");
    }

    @Test
    void aTextThatTheAssemblerRefusesIsWrong() throws IOException {
        skeleton();
        BundleVerb strict = new BundleVerb(
                Map.of(),
                (ptx, target) -> ptx.contains(".maxntid 128") && target.equals("sm_90a")
                        ? new TextAssembler.Outcome.Refused("ptxas: line 12: no such register")
                        : new TextAssembler.Outcome.Assembled(new byte[0]));
        Seen seen = strict.run("check", folder, "--shape", "20x30x4", "--seeds", "1");
        assertThat(seen.exit()).isEqualTo(1);
        assertThat(seen.out()).contains("  assembler: ptxas: line 12: no such register", "assembled 2 of 3 texts");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "--shape 5x7|a shape is MxNxK or MxNxKxBATCH, such as 200x136x72, got '5x7'",
                "--shape 5x7x3x2|5x7x3x2: the bundle takes a batch of 1, got 2",
                "--shape 65536x65536x8|the bundle m * n < 2147483648 does not hold for m=65536 n=65536: the kernel counts",
                "--shape 40000x50000x8|the emulator takes buffers of at most 268435456 bytes",
                "--set threads=96|threads must be one of [64, 128, 256], got 96",
                "--set thread=64|there is no parameter 'thread'; known: [threads]",
                "--all --trials 2|--all: checks every config, so that --trials 2 has no meaning",
                "--accept nonsense|--accept: "
            })
    void refusesWrongOptions(String options, String message) {
        skeleton();
        Seen seen = bundle.run((Object[]) ("check " + folder + " " + options).split(" "));
        assertThat(seen.err()).contains(message);
        assertThat(seen.exit()).isEqualTo(2);
    }

    @Test
    void namesThePlaceOfAMistake() throws IOException {
        skeleton();
        change("kernel.yaml", "block: threads", "block: thread");
        Seen seen = bundle.run("check", folder, "--shape", "5x7x3");
        assertThat(seen.err())
                .contains(folder + ": kernel.yaml:")
                .contains("launch.block: expression 'thread', column 1: unknown name 'thread'; known: ");
        assertThat(seen.exit()).isEqualTo(2);
        assertThat(bundle.run("check", folder.resolve("nowhere")).err()).contains("there is no such folder or zip");
    }

    @Test
    void runsAHostProgramOnlyWhereItIsNamed() throws IOException {
        skeleton();
        change("kernel.yaml", "kernel: {template", "helper: params.sh\nkernel: {template");
        change("kernel.yaml", "  grid: ceildiv(m * n, threads)\n", "");
        Path program = folder.resolve("params.sh");
        Files.writeString(program, """
            #!/bin/sh
            for pair in "$@"; do eval "${pair%%=*}=${pair#*=}"; done
            echo "{\\"grid\\": $(( (m * n + threads - 1) / threads ))}"
            """);
        Object[] check = {"check", folder, "--shape", "5x7x3", "--set", "threads=64", "--seeds", "1"};
        assertThat(bundle.run(check).err()).contains("--helper params.sh runs it on this machine");
        Object[] named = {
            "check", folder, "--shape", "5x7x3", "--set", "threads=64", "--seeds", "1", "--helper", "params.sh"
        };
        assertThat(bundle.run(named).err()).contains("params.sh: must be a program in the folder");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Seen seen = bundle.run(named);
        assertThat(seen.err()).isEmpty();
        assertThat(seen.exit()).isZero();
        Files.writeString(program, "#!/bin/sh\necho cannot do this >&2\nexit 3\n");
        assertThat(bundle.run(named).err())
                .contains("params.sh m=5 n=7 k=3 batch=1 sms=4 threads=64: ended with 3: cannot do this");
        Files.writeString(program, "#!/bin/sh\necho Segmentation fault\n");
        assertThat(bundle.run(named).err()).contains("threads=64: printed no launch: 1:1: document: must be a mapping");
    }

    @Test
    void whatAHostProgramPrintsIsRecordedAndNeedsItNoMore(@TempDir Path elsewhere) throws IOException {
        skeleton();
        change("kernel.yaml", "kernel: {template", "helper: params.sh\nkernel: {template");
        change("kernel.yaml", "  grid: ceildiv(m * n, threads)\n", "");
        Path program = folder.resolve("params.sh");
        Files.writeString(program, """
            #!/bin/sh
            for pair in "$@"; do eval "${pair%%=*}=${pair#*=}"; done
            echo "{\\"grid\\": $(( (m * n + threads - 1) / threads ))}"
            """);
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Path zip = elsewhere.resolve("recorded.zip");
        Object[] record = {
            "record", folder, "--helper", "params.sh", "--shape", "5x7x3", "--sms", "4", "--sms", "132", "--to", zip
        };
        Seen seen = bundle.run(record);
        assertThat(seen.err()).isEmpty();
        assertThat(seen.out()).singleElement().asString().matches(".*, \\d+ launches of params.sh for \\[5x7x3\\].*");
        BundleFiles files = BundleFiles.read(zip);
        assertThat(files.names())
                .contains("launches/m=5,n=7,k=3,batch=1,sms=132,threads=64")
                .doesNotContain("params.sh");
        assertThat(bundle.run("check", zip, "--shape", "5x7x3", "--set", "threads=64", "--seeds", "1")
                        .exit())
                .isZero();
        assertThat(bundle.run("check", zip, "--shape", "5x7x4", "--set", "threads=64")
                        .err())
                .contains("the launch comes from the program params.sh");
        BundleSpace space = BundleSpace.of(Bundle.read(files));
        assertThat(space.refusal(space.bundle().problem().of(new ProblemShape(5, 7, 3), 1)))
                .isEmpty();
        assertThat(space.refusal(space.bundle().problem().of(new ProblemShape(5, 7, 4), 1)))
                .contains(space.family() + " asks a program of the host for its launch, which no service runs, and has"
                        + " none recorded for 5x7x4: 'bundle record' does it");
        record[3] = "other.sh";
        assertThat(bundle.run(record).err()).contains("--helper params.sh runs it");
    }

    @ParameterizedTest
    @CsvSource({
        "chekc x, unknown argument 'chekc x'; did you mean check?",
        "frobnicate x, unknown argument 'frobnicate x' (see",
        "check x --setps 3, did you mean --steps?",
        "from-cude x, did you mean from-cuda?"
    })
    void aNearMissIsAnsweredWithWhatMayHaveBeenMeant(String line, String expected) {
        Seen seen = bundle.run((Object[]) line.split(" "));
        assertThat(seen.exit()).isEqualTo(2);
        assertThat(seen.err()).contains(expected);
        assertThat(seen.err().contains("did you mean")).isEqualTo(expected.contains("did you mean"));
    }

    private JsonNode document(int exit, Path of, String... options) throws IOException {
        Path file = folder.resolve("verdicts.json");
        List<Object> arguments = new ArrayList<>(List.of("check", of, "--seeds", "1", "--json", file));
        arguments.addAll(List.of(options));
        Seen seen = bundle.run(arguments.toArray());
        assertThat(seen.exit()).as(seen.toString()).isEqualTo(exit);
        String text = Files.readString(file);
        assertThat(SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                        .getSchema(Files.readString(EXAMPLES.resolve("../../bundle-check.schema.json")))
                        .validate(text, InputFormat.JSON))
                .isEmpty();
        return Json.mapper().readTree(text);
    }

    @Test
    void theDocumentHasEachVerdict() throws IOException {
        JsonNode right = document(0, EXAMPLES.resolve("ptx-bias-relu"), "--shape", "9x20x11");
        assertThat(right.get("bundle").asString()).isEqualTo("bundle:ptx-bias-relu");
        assertThat(right.get("epilogue").asString()).isEqualTo("bias,relu");
        assertThat(right.at("/tally/proved").asInt())
                .isEqualTo(right.get("proofs").size());
        assertThat(right.at("/proofs/0/config/tile").asInt()).isEqualTo(8);
        assertThat(right.at("/proofs/0/shapes/0/shape/n").asInt()).isEqualTo(20);
        assertThat(right.at("/proofs/0/errorRatio").asDouble()).isBetween(0.0, 1.0);
        assertThat(right.at("/proofs/0/shapes/0/proof/verdict").asString()).isEqualTo("proved");

        skeleton();
        change("gemm.ptx", "add.u64 %b, %b, 2;", "add.u64 %b, %b, 0;");
        JsonNode wrong = document(1, folder, "--shape", "5x7x3", "--set", "threads=64");
        assertThat(wrong.at("/tally/mismatch").asInt()).isEqualTo(1);
        assertThat(wrong.at("/proofs/0/shapes/0/proof/mismatch/buffer").asString())
                .isEqualTo("D");
        change("gemm.ptx", "setp.lt.u32 %p1, %i, %k;", "setp.le.u32 %p1, %i, %k;");
        JsonNode beyond = document(1, folder, "--shape", "5x7x3", "--set", "threads=64");
        assertThat(beyond.at("/proofs/0/verdict").asString()).isEqualTo("hazard");
        assertThat(beyond.at("/proofs/0/shapes/0/proof/hazard/site/line").asInt())
                .isPositive();
    }
}
