package dev.tilewright.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.platform.ServiceHome;
import dev.tilewright.api.platform.process.HomeLock;
import dev.tilewright.api.platform.process.WrongUsage;
import dev.tilewright.api.testing.TestCertificate;
import dev.tilewright.api.testing.VerbOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What {@code serve} refuses before it starts anything. */
class MainTest {

    @TempDir
    Path home;

    private record Run(int code, String out, String err) {}

    private Run run(Map<String, String> environment, String... arguments) {
        Map<String, String> all = new HashMap<>(environment);
        all.put("TILEWRIGHT_HOME", home.toString());
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = WrongUsage.inOneLine(new CommandLine(new Main(all)))
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
        return new Run(code, out.toString(), err.toString());
    }

    @Test
    void helpShowsEveryOption() {
        Run run = run(Map.of(), "--help");
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains("--port", "--address", "--device", "--no-worker", "DATABASE_URL")
                .doesNotContain("--started-by");
    }

    @Test
    void theCommandLineKnowsItsOptions() throws IOException {
        VerbOptions.assertKnown("serve", new CommandLine(new Main(Map.of())));
    }

    @Test
    void badUsageIsExplainedInOneLineWithExitCode2() {
        assertThat(run(Map.of(), "--prot", "1")).satisfies(run -> {
            assertThat(run.code()).isEqualTo(2);
            assertThat(run.err())
                    .isEqualTo("tilewright serve: unknown option '--prot' (see tilewright serve --help)"
                            + System.lineSeparator());
        });
        assertThat(run(Map.of(), "--port", "99999")).satisfies(run -> {
            assertThat(run.code()).isEqualTo(2);
            assertThat(run.err()).contains("--port must be from 0 to 65535, got 99999");
        });
        assertThat(run(Map.of(), "--port", "many")).satisfies(run -> {
            assertThat(run.code()).isEqualTo(2);
            assertThat(run.err())
                    .hasLineCount(1)
                    .startsWith("tilewright serve: --port: must be a whole number, got 'many'");
        });
        assertThat(run(Map.of(), "now").err()).startsWith("tilewright serve: unknown argument 'now' (see");
        assertThat(run(Map.of(), "--address", "not an address").err())
                .contains("--address must be an address of this machine, got 'not an address'");
        assertThat(run(Map.of("TILEWRIGHT_USER_TOKEN", "a-token-of-a-user"), "--address", "")
                        .err())
                .contains("--address must not be empty");
        assertThat(run(Map.of(), "--log-format", "xml").err())
                .contains("--log-format: a log format is text or json, got 'xml'");
        assertThat(run(Map.of(), "--device", "cuda:x").err()).contains("unknown device 'cuda:x'");
    }

    @Test
    void tlsNeedsBothFiles() throws IOException {
        Path file = Files.writeString(home.resolve("cert.pem"), "no certificate");
        assertThat(run(Map.of(), "--tls-cert", file.toString()).err())
                .contains("--tls-cert: give --tls-cert and --tls-key together");
        assertThat(run(Map.of(), "--tls-key", file.toString()).err())
                .contains("--tls-key: give --tls-cert and --tls-key together");
        Run run = run(Map.of(), "--tls-cert", file.toString(), "--tls-key", home + "/none.pem");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("--tls-key: cannot read " + home + "/none.pem");
    }

    @Test
    void tlsFilesThatAreNoneOrNoPairAreNamedInOneLine() throws IOException {
        TestCertificate one = TestCertificate.make(Files.createDirectories(home.resolve("one")), "dns:localhost");
        TestCertificate two = TestCertificate.make(Files.createDirectories(home.resolve("two")), "dns:localhost");
        Path text = Files.writeString(home.resolve("text.pem"), "no certificate");
        assertRefused(text, one.key(), "--tls-cert: no certificate can be read from " + text);
        assertRefused(one.certificate(), text, "--tls-key: no private key without a password can be read from " + text);
        assertRefused(
                one.certificate(),
                two.key(),
                "--tls-key: " + two.key() + " is not the key of the first certificate in " + one.certificate());
    }

    private void assertRefused(Path certificate, Path key, String line) {
        Run run = run(Map.of(), "--tls-cert", certificate.toString(), "--tls-key", key.toString());
        assertThat(run.code()).isEqualTo(4);
        assertThat(run.err()).isEqualTo("tilewright serve: " + line + System.lineSeparator());
    }

    @Test
    void aPortInUseIsNamedInOneLine() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Run run = run(Map.of(), "--port", Integer.toString(taken.getLocalPort()));
            assertThat(run.code()).isEqualTo(4);
            assertThat(run.err())
                    .hasLineCount(1)
                    .startsWith("tilewright serve: cannot listen at port " + taken.getLocalPort() + " of 127.0.0.1");
        }
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void anUnreachableDatabaseIsNamedInOneLineWithoutItsPassword() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        Run run = run(Map.of("DATABASE_URL", "postgres://me:s3cret@127.0.0.1:" + port + "/tw"));
        assertThat(run.code()).isEqualTo(4);
        assertThat(run.err()).hasLineCount(1).contains("127.0.0.1:" + port).doesNotContain("s3cret");
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void aDatabaseThatSaysNothingIsGivenUp() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Run run = run(Map.of("DATABASE_URL", "postgres://me@127.0.0.1:" + silent.getLocalPort() + "/tw"));
            assertThat(run.code()).isEqualTo(4);
        }
    }

    @Test
    void othersMayReachTheServiceOnlyWithATokenForUsers() {
        Run run = run(Map.of(), "--address", "0.0.0.0", "--port", "0");
        assertThat(run.code()).isEqualTo(4);
        assertThat(run.err()).hasLineCount(1).contains("0.0.0.0", "--login", "TILEWRIGHT_USER_TOKEN");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TILEWRIGHT_USER_TOKEN", "TILEWRIGHT_WORKER_TOKEN", "TILEWRIGHT_READER_TOKEN"})
    void aTokenThatCanBeGuessedIsRefused(String variable) throws IOException {
        Path file = Files.writeString(home.resolve("short"), "fifteen-letters\n");
        String rule = ": a token has at least 16 characters, got 15; make one with: openssl rand -hex 24";
        for (Map<String, String> given :
                List.of(Map.of(variable, "fifteen-letters"), Map.of(variable + "_FILE", file.toString()))) {
            Run run = run(given, "--port", "0");
            assertThat(run.code()).isEqualTo(4);
            assertThat(run.err()).isEqualTo("tilewright serve: " + variable + rule + System.lineSeparator());
        }
    }

    @Test
    void aFlagOfTheEnvironmentIsTrueOrFalse() {
        Run run = run(Map.of("TILEWRIGHT_LOGIN", "yes"), "--port", "0");
        assertThat(run.code()).isEqualTo(4);
        assertThat(run.err())
                .isEqualTo("tilewright serve: TILEWRIGHT_LOGIN: must be true or false, got 'yes'"
                        + System.lineSeparator());
    }

    @ParameterizedTest
    @CsvSource({"worker.token, fifteen-letters, 15", "worker.token, '', 0", "user.token, fifteen-letters, 15"})
    void aTokenThatWasPutIntoTheHomeIsHeldToTheRule(String name, String token, int length) throws IOException {
        Path file = Files.writeString(home.resolve(name), token + "\n");
        Run run = run(Map.of(), "--port", "0");
        assertThat(run.code()).isEqualTo(4);
        assertThat(run.err())
                .isEqualTo("tilewright serve: " + file + ": a token has at least 16 characters, got " + length
                        + "; make one with: openssl rand -hex 24" + System.lineSeparator());
    }

    @Test
    void secretsMayLieInFiles() throws IOException {
        Path token = Files.writeString(home.resolve("token"), "s3cret-of-a-user\n");
        Path empty = Files.writeString(home.resolve("empty"), "\n");
        Run both = run(Map.of("TILEWRIGHT_USER_TOKEN", "s3cret", "TILEWRIGHT_USER_TOKEN_FILE", token.toString()));
        assertThat(both.code()).isEqualTo(4);
        assertThat(both.err())
                .isEqualTo(
                        "tilewright serve: TILEWRIGHT_USER_TOKEN and TILEWRIGHT_USER_TOKEN_FILE are both set: give one"
                                + " of them" + System.lineSeparator());
        assertThat(run(Map.of("TILEWRIGHT_WORKER_TOKEN_FILE", empty.toString())).err())
                .contains("TILEWRIGHT_WORKER_TOKEN_FILE: " + empty + " is empty");
        assertThat(run(Map.of("DATABASE_PASSWORD_FILE", home + "/none")).err())
                .contains("DATABASE_PASSWORD_FILE: cannot read " + home + "/none");
        assertThat(run(Map.of(
                                "DATABASE_URL",
                                "postgres://me:x@127.0.0.1:1/tw",
                                "DATABASE_PASSWORD_FILE",
                                token.toString()))
                        .err())
                .contains("DATABASE_URL has a password, and DATABASE_PASSWORD is set too: give one")
                .doesNotContain("s3cret");
        // The token is taken: what is refused is the port.
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(run(
                                    Map.of("TILEWRIGHT_USER_TOKEN_FILE", token.toString()),
                                    "--address",
                                    "0.0.0.0",
                                    "--port",
                                    Integer.toString(taken.getLocalPort()))
                            .err())
                    .contains("cannot listen at port");
        }
    }

    @Test
    void aHomeThatIsAFileIsNamedInOneLine() throws IOException {
        Path file = Files.writeString(home.resolve("file"), "");
        StringWriter err = new StringWriter();
        int code = new CommandLine(new Main(Map.of("TILEWRIGHT_HOME", file.toString())))
                .setErr(new PrintWriter(err))
                .execute("--port", "0");
        assertThat(code).isEqualTo(4);
        assertThat(err.toString())
                .isEqualTo("tilewright serve: the home " + file
                        + " cannot be used: a file of that name is there; TILEWRIGHT_HOME names another"
                        + System.lineSeparator());
    }

    @Test
    void aSecondServiceOnAHomeIsRefused() throws IOException {
        HomeLock first = HomeLock.tryAcquire(new ServiceHome(home)).orElseThrow();
        try (first) {
            Run run = run(Map.of(), "--port", "0");
            assertThat(run.code()).isEqualTo(4);
            assertThat(run.err())
                    .hasLineCount(1)
                    .contains("a service already runs on " + home + ": it is just starting");
            Files.writeString(home.resolve("service.json"), """
                {"url":"http://127.0.0.1:8080","certificate":null,"pid":42,"startedAt":"2026-11-27T00:00:00Z",
                "startedBy":null}\
                """);
            assertThat(run(Map.of(), "--port", "0").err())
                    .isEqualTo("tilewright serve: a service already runs on " + home
                            + ": process 42 at http://127.0.0.1:8080" + System.lineSeparator());
        }
    }
}
