package dev.tilewright.worker.cli.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gate.document.GateRequest;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.launch.document.DocumentReader;
import dev.tilewright.launch.document.Node;
import dev.tilewright.worker.Main;
import dev.tilewright.worker.cli.gate.report.GateRuns;
import dev.tilewright.worker.link.process.ProgramRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The steps of the repository in {@code docs/examples/ci/triton}, as they stand there, with the caches that Triton made
 * of its kernel in place of Triton.
 */
@Timeout(300)
class TritonExampleTest {

    private static final Path EXAMPLE = Path.of("..", "..", "docs", "examples", "ci", "triton");
    private static final Path CACHES = Path.of("src", "test", "resources").toAbsolutePath();

    @TempDir
    private Path folder;

    private GateDouble service;
    private GateVerbs verbs;
    private final Map<String, String> variables = new TreeMap<>();

    @BeforeEach
    void machine() throws Exception {
        service = new GateDouble("triton-matmul");
        service.answer = GateRuns.run(GateVerdict.PASS, GateRuns.one("narrow/square", GateVerdict.PASS, 0.1));
        Path checkout = Files.createDirectories(folder.resolve("checkout"));
        try (Stream<Path> files = Files.walk(EXAMPLE)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path to = checkout.resolve(EXAMPLE.relativize(file).toString());
                Files.createDirectories(to.getParent());
                Files.copy(file, to);
            }
        }
        verbs = new GateVerbs(checkout);
        verbs.git("init", "-q");
        verbs.commit("main");
        executable(folder.resolve("archive/tilewright-worker/tilewright"), """
                #!/bin/sh
                exec '%s' -XX:TieredStopAtLevel=1 -cp '%s' %s "$@"
                """.formatted(
                        Path.of(System.getProperty("java.home"), "bin", "java"),
                        System.getProperty("java.class.path"),
                        Main.class.getName()));
        executable(folder.resolve("bin/python3"), """
                #!/bin/sh
                [ "$1" = compile.py ] || exit 9
                case $(cat matmul.py) in *a_ptrs*) made=triton-cache-edited ;; *) made=triton-cache ;; esac
                cp -r '%s'/$made "$TRITON_CACHE_DIR"
                """.formatted(CACHES));
        executable(folder.resolve("bin/pip"), "#!/bin/sh\necho \"$*\" >> '" + folder + "/pip.log'\n");
        run(List.of("tar", "-cJf", folder + "/archive.txz", "-C", folder + "/archive", "tilewright-worker"), checkout);
        variables.putAll(Map.of(
                "HOME",
                folder.resolve("home").toString(),
                "PATH",
                folder.resolve("bin") + ":" + folder.resolve("home/tilewright") + ":" + System.getenv("PATH"),
                "TILEWRIGHT_API",
                service.url(),
                "TILEWRIGHT_ARCHIVE",
                folder.resolve("archive.txz").toUri().toString(),
                "TILEWRIGHT_TOKEN",
                "secret",
                "GITHUB_PATH",
                folder.resolve("path").toString()));
    }

    private static void executable(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        assertThat(Files.writeString(file, text).toFile().setExecutable(true)).isTrue();
    }

    private static ProgramRun.Ended run(List<String> command, Path where) throws Exception {
        return new ProgramRun(command, where, Duration.ofMinutes(2), 1 << 20).run();
    }

    @AfterEach
    void close() {
        service.close();
    }

    private ProgramRun.Ended step(String name) throws Exception {
        String script = DocumentReader.read(Files.readString(EXAMPLE.resolve("github-actions.yml")), false)
                .mapping()
                .get("jobs")
                .mapping()
                .get("gate")
                .mapping()
                .get("steps")
                .items()
                .stream()
                .map(Node::mapping)
                .filter(step -> step.find("name").map(Node::text).equals(Optional.of(name)))
                .findFirst()
                .orElseThrow()
                .get("run")
                .text();
        List<String> command = new ArrayList<>(List.of("env", "-i"));
        variables.forEach((variable, value) -> command.add(variable + "=" + value));
        command.addAll(List.of("bash", "-e", "-c", script));
        return run(command, verbs.folder);
    }

    /** An edit of the kernel is another version of the same variant, beside that of the commit before. */
    @Test
    void anEditOfTheKernelIsGatedBesideTheKernelOfTheMainBranch() throws Exception {
        verbs.git("checkout", "-qb", "faster");
        Path kernel = verbs.folder.resolve("matmul.py");
        Files.writeString(kernel, Files.readString(kernel).replace("    for step", "    a_ptrs = a_ptr\n    for step"));
        verbs.commit("edit");

        assertThat(step("install").exit()).isZero();
        assertThat(Files.readString(folder.resolve("path"))).isEqualTo(folder.resolve("home/tilewright") + "\n");
        assertThat(step("compiler").exit()).isZero();
        assertThat(Files.readString(folder.resolve("pip.log"))).startsWith("install triton==");
        ProgramRun.Ended gate = step("gate");
        assertThat(gate.exit()).as(gate.out() + gate.err()).isZero();

        GateRequest asked = service.asked.getLast();
        assertThat(asked.cases())
                .extracting(GateRequest.Case::name)
                .containsExactly("narrow/square", "narrow/tall", "wide/square", "wide/tall");
        assertThat(asked.cases()).allSatisfy(one -> {
            assertThat(one.source()).isEqualTo("matmul.py");
            assertThat(one.candidate().family()).startsWith("bundle:matmul@");
            assertThat(Objects.requireNonNull(one.baseline().kernel()).config())
                    .isEqualTo(one.candidate().config());
            assertThat(Objects.requireNonNull(one.baseline().kernel()).family())
                    .as("the text of the main branch")
                    .startsWith("bundle:matmul@")
                    .isNotEqualTo(one.candidate().family());
        });
        assertThat(verbs.git("status", "--porcelain"))
                .as("what is built is ignored")
                .isEmpty();
    }

    /** The first command of the README, as a whole, in process. */
    @Test
    void rehearses() throws Exception {
        step("install");
        ProgramRun.Ended rehearsal = step("rehearse");
        assertThat(rehearsal.exit()).as(rehearsal.out() + rehearsal.err()).isZero();
        assertThat(rehearsal.out())
                .contains("case wide/tall: 16384x1024x1000 f16\n")
                .contains("  baseline: the same kernel\n")
                .contains("4 cases: 4 kernels proved, 0 not known here, 0 refuted, 0 refused;");
        assertThat(service.asked).as("nobody is asked").isEmpty();
    }
}
