package dev.tilewright.api.platform.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.TestCertificate;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The service over TLS, with the limits that it has without. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TlsTest {

    private static final int BY_ADDRESS = 16;
    private static final String BEST = "GET /api/v1/best HTTP/1.1\r\nHost: localhost\r\n";

    private TestCertificate tls;
    private Service service;
    private RawHttp raw;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException {
        tls = TestCertificate.make(Files.createDirectories(folder.resolve("tls")), "dns:localhost");
        Map<String, Object> settings = new HashMap<>(RawHttp.strict(BY_ADDRESS));
        settings.put("server.ssl.certificate", "file:" + tls.certificate());
        settings.put("server.ssl.certificate-private-key", "file:" + tls.key());
        service = RunningService.start(settings);
        raw = new RawHttp(service.api().uri("/").getPort());
    }

    @AfterAll
    void stop() {
        service.close();
    }

    private Socket secured(String from) throws Exception {
        SSLSocket socket = (SSLSocket)
                tls.trusting().getSocketFactory().createSocket(raw.connect(from), "localhost", raw.port(), true);
        socket.startHandshake();
        return socket;
    }

    private int status(HttpClient http) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://localhost:" + raw.port() + "/api/v1/best"))
                .build();
        return http.send(request, BodyHandlers.discarding()).statusCode();
    }

    @Test
    void whoTrustsTheCertificateIsServedAndNobodyElse() throws Exception {
        try (HttpClient trusting =
                        HttpClient.newBuilder().sslContext(tls.trusting()).build();
                HttpClient stranger = HttpClient.newHttpClient()) {
            assertThat(status(trusting)).isEqualTo(200);
            assertThatThrownBy(() -> status(stranger)).isInstanceOf(SSLHandshakeException.class);
        }
        assertThat(raw.ask(BEST + "Connection: close\r\n\r\n").status()).isEqualTo(400);
    }

    @Test
    void theCookieOfALoginIsForTlsAlone() throws Exception {
        String token = "the-token-of-the-operator";
        try (Service guarded = RunningService.start(Map.of(
                        "tilewright.user-token",
                        token,
                        "db-scheduler.enabled",
                        "false",
                        "server.ssl.certificate",
                        "file:" + tls.certificate(),
                        "server.ssl.certificate-private-key",
                        "file:" + tls.key()));
                HttpClient http =
                        HttpClient.newBuilder().sslContext(tls.trusting()).build()) {
            URI login = URI.create("https://localhost:" + guarded.api().uri("/").getPort() + "/login");
            HttpResponse<String> door = http.send(
                    HttpRequest.newBuilder(login).header("accept", "text/html").build(), BodyHandlers.ofString());
            String visit = door.headers().firstValue("set-cookie").orElseThrow();
            assertThat(visit)
                    .startsWith("__Host-tilewright-session=")
                    .contains("Secure", "HttpOnly", "SameSite=Strict", "Path=/")
                    .doesNotContain("Domain");
            Matcher formToken =
                    Pattern.compile("name=\"formToken\" value=\"(\\w+)\"").matcher(door.body());
            assertThat(formToken.find()).isTrue();
            HttpResponse<String> in = http.send(
                    HttpRequest.newBuilder(login)
                            .header("accept", "text/html")
                            .header("content-type", "application/x-www-form-urlencoded")
                            .header("cookie", visit.substring(0, visit.indexOf(';')))
                            .POST(HttpRequest.BodyPublishers.ofString("token="
                                    + URLEncoder.encode(token, StandardCharsets.UTF_8) + "&formToken="
                                    + formToken.group(1)))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(in.statusCode()).isEqualTo(302);
            assertThat(in.headers().firstValue("set-cookie").orElseThrow())
                    .startsWith("__Host-tilewright-session=")
                    .contains("Secure", "HttpOnly", "SameSite=Strict");
        }
    }

    @Test
    void theServiceFileSaysWhichCertificateIsShown() throws IOException {
        JsonNode file =
                JsonMapper.shared().readTree(Files.readString(service.home().resolve("service.json")));
        assertThat(file.get("url").asString()).isEqualTo("https://127.0.0.1:" + raw.port());
        assertThat(file.get("certificate").asString())
                .isEqualTo(tls.certificate().toString());
    }

    /** The length of a record of a handshake, and then its bytes one by one. */
    private static byte[] longRecord(int type) {
        byte[] record = new byte[5 + 16_000];
        record[0] = (byte) type;
        record[1] = 3;
        record[2] = 3;
        record[3] = (byte) (16_000 >> 8);
        record[4] = (byte) 16_000;
        // A ClientHello that says it is as long.
        record[5] = 1;
        record[7] = (byte) (15_996 >> 8);
        record[8] = (byte) 15_996;
        return record;
    }

    @Test
    void aHandshakeThatComesByteByByteIsCut() throws Exception {
        try (Socket wire = raw.connect(null)) {
            RawHttp.drip(wire, longRecord(22));
        }
    }

    @Test
    void soIsOneThatNeverBegins() throws Exception {
        try (Socket silent = raw.connect(null)) {
            assertThat(RawHttp.rest(silent.getInputStream())).isEmpty();
        }
    }

    @Test
    void soIsARecordOfNoRequestAfterTheHandshakeAndAfterARequest() throws Exception {
        for (boolean asksFirst : List.of(false, true)) {
            try (Socket wire = raw.connect(null);
                    SSLSocket secured = (SSLSocket)
                            tls.trusting().getSocketFactory().createSocket(wire, "localhost", raw.port(), false)) {
                secured.startHandshake();
                if (asksFirst) {
                    secured.getOutputStream().write((BEST + "\r\n").getBytes(StandardCharsets.US_ASCII));
                    assertThat(secured.getInputStream().read()).isEqualTo('H');
                }
                RawHttp.drip(wire, longRecord(23));
            }
        }
    }

    @Test
    void soIsAHeadThatComesByteByByte() throws Exception {
        try (Socket secured = secured(null)) {
            secured.getOutputStream().write((BEST + "X: ").getBytes(StandardCharsets.US_ASCII));
            RawHttp.drip(secured, RawHttp.drops('x'));
        }
    }

    @Test
    void anAnswerThatTakesLongerThanAnyDeadlineIsNotCut() throws Exception {
        try (HttpClient http =
                HttpClient.newBuilder().sslContext(tls.trusting()).build()) {
            URI jobs = URI.create("https://localhost:" + raw.port() + "/api/v1/jobs");
            HttpRequest submit = HttpRequest.newBuilder(jobs)
                    .header("content-type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(
                            "{\"problems\":[{\"m\":640,\"n\":384,\"k\":256}],\"family\":\"toy\",\"device\":\"cuda\"}"))
                    .build();
            String id = JsonMapper.shared()
                    .readTree(http.send(submit, BodyHandlers.ofString()).body())
                    .get("id")
                    .asString();
            try (Socket listener = secured("127.0.0.2")) {
                listener.getOutputStream()
                        .write(("GET /api/v1/jobs/" + id + "/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
                // Two that begin after it and are cut: it would have been, too.
                aHandshakeThatComesByteByByteIsCut();
                soIsAHeadThatComesByteByByte();
                HttpRequest cancel = HttpRequest.newBuilder(URI.create(jobs + "/" + id + "/cancel"))
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build();
                assertThat(http.send(cancel, BodyHandlers.discarding()).statusCode())
                        .isEqualTo(200);
                assertThat(new String(RawHttp.rest(listener.getInputStream()), StandardCharsets.UTF_8))
                        .contains("event:job.cancelled");
            }
        }
    }

    @Test
    void manyOfOneAddressShutNobodyElseOut() throws Exception {
        List<Socket> held = new ArrayList<>();
        try {
            for (int i = 0; i < 5 * BY_ADDRESS; i++) {
                held.add(raw.connect("127.0.0.3"));
            }
            try (Socket friend = secured("127.0.0.2")) {
                friend.getOutputStream()
                        .write((BEST + "Connection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
                assertThat(RawHttp.Answer.parse(RawHttp.rest(friend.getInputStream()))
                                .status())
                        .isEqualTo(200);
            }
            assertThat(RawHttp.rest(held.getLast().getInputStream())).isEmpty();
        } finally {
            for (Socket socket : held) {
                socket.close();
            }
        }
    }
}
