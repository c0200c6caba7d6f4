package dev.tilewright.system.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.TestCertificate;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.util.FileSystemUtils;

/** A service over TLS that asks for tokens, used by the launcher's verbs as people use it. */
class SecuredServiceIT {

    private static final String OPERATOR = "the-secret-of-the-operator";

    private Installation installation = new Installation(Path.of("nowhere"), Path.of("nowhere"));
    private Path folder = Path.of("nowhere");

    @BeforeEach
    void place() throws IOException {
        installation = Installation.placed("secured");
        folder = Files.createDirectories(
                installation.home().resolveSibling(installation.home().getFileName() + "-files"));
    }

    @AfterEach
    void leaveNothingBehind() throws IOException {
        installation.destroy();
        FileSystemUtils.deleteRecursively(folder);
    }

    /** What a verb printed. */
    private record Run(int exit, String out, String err) {}

    private Process start(Path out, Path err, Map<String, String> environment, List<String> words) throws IOException {
        List<String> command = new ArrayList<>(List.of(installation.launcher().toString()));
        command.addAll(words);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        List.of("DATABASE_URL", "TILEWRIGHT_USER_TOKEN", "TILEWRIGHT_TOKEN").forEach(builder.environment()::remove);
        builder.environment().put("TILEWRIGHT_HOME", installation.home().toString());
        builder.environment().putAll(environment);
        return builder.start();
    }

    private Run run(Map<String, String> environment, String... words) throws IOException, InterruptedException {
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        int exit = start(out, err, environment, List.of(words)).waitFor();
        return new Run(exit, Files.readString(out), Files.readString(err));
    }

    @Test
    @Timeout(value = 6, unit = TimeUnit.MINUTES)
    void eachRoleDoesItsPartAndNoSecretStandsOnACommandLine() throws Exception {
        TestCertificate tls = TestCertificate.make(folder, "dns:localhost");
        Path operator = Files.writeString(folder.resolve("operator"), OPERATOR + "\n");
        Map<String, String> asOperator = Map.of("TILEWRIGHT_USER_TOKEN_FILE", operator.toString());
        Path log = installation.home().resolve("serve.log");
        Process service = start(
                log,
                folder.resolve("serve.err"),
                asOperator,
                List.of(
                        "serve",
                        "--port",
                        "0",
                        "--device",
                        "simulated:h200",
                        "--tls-cert",
                        tls.certificate().toString(),
                        "--tls-key",
                        tls.key().toString()));
        URI url = URI.create(installation
                .await("a service", installation::service)
                .get("url")
                .asString());
        assertThat(url.getScheme()).isEqualTo("https");
        String remote = "https://localhost:" + url.getPort();
        String authority = tls.certificate().toString();

        Run created = run(asOperator, "token", "create", "ci", "--role", "submitter");
        assertThat(created.exit()).as(created.err()).isZero();
        String secret = created.out().strip();
        assertThat(secret).matches("[0-9a-f]{64}");
        Path token = Files.write(folder.resolve("ci.token"), created.out().getBytes(StandardCharsets.UTF_8));

        Process tune = start(
                folder.resolve("tune.out"),
                folder.resolve("tune.err"),
                Map.of(),
                List.of(
                        "tune",
                        "--api",
                        remote,
                        "--tls-ca",
                        authority,
                        "--token",
                        "@" + token,
                        "--device",
                        "simulated:h200",
                        "--shape",
                        "640x384x256",
                        "--trials",
                        "8",
                        "--wait"));
        List<String> lines = new ArrayList<>();
        do {
            installation.processes().forEach(process -> lines.add(commandLine(process)));
        } while (!tune.waitFor(20, TimeUnit.MILLISECONDS));
        assertThat(tune.exitValue())
                .as(Files.readString(folder.resolve("tune.err")) + installation.logs())
                .isZero();
        assertThat(Files.readString(folder.resolve("tune.out"))).contains("640x384x256");
        String ofWorkers =
                Files.readString(installation.home().resolve("worker.token")).strip();
        assertThat(lines)
                .anyMatch(line -> line.contains("--tls-ca"))
                .anyMatch(line -> line.contains("--service-file"))
                .noneMatch(line -> line.contains(secret) || line.contains(OPERATOR) || line.contains(ofWorkers));

        Run tooMuch = run(Map.of(), "token", "list", "--api", remote, "--tls-ca", authority, "--token", "@" + token);
        assertThat(tooMuch.exit()).isEqualTo(2);
        assertThat(tooMuch.err()).contains("the token 'ci' has the role submitter; GET /api/v1/tokens needs operator");
        Run untrusted = run(Map.of(), "best", "--api", remote, "--token", "@" + token);
        assertThat(untrusted.exit()).isEqualTo(2);
        assertThat(untrusted.err()).contains("cannot trust " + remote);

        assertThat(run(asOperator, "token", "revoke", "ci").exit()).isZero();
        Run revoked = run(Map.of(), "best", "--api", remote, "--tls-ca", authority, "--token", "@" + token);
        assertThat(revoked.exit()).isEqualTo(2);
        assertThat(revoked.err()).contains("this token is not known here, or was revoked");

        service.destroy();
        assertThat(service.waitFor(60, TimeUnit.SECONDS)).isTrue();
        FileSystemUtils.deleteRecursively(installation.home());
    }

    private static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(
                            Path.of("/proc", Long.toString(process.pid()), "cmdline"), StandardCharsets.ISO_8859_1)
                    .replace('\0', ' ');
        } catch (IOException gone) {
            return "";
        }
    }
}
