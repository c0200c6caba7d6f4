package dev.tilewright.api.platform.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Awaiting;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Clients that are slow on purpose, and too many of them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConnectionLimitTest {

    private static final int BY_ADDRESS = 64;
    private static final String STRANGER = "127.0.0.1";
    private static final String FRIEND = "127.0.0.2";

    private Service service;
    private RawHttp http;

    @BeforeAll
    void start() {
        service = RunningService.start(RawHttp.strict(BY_ADDRESS));
        http = new RawHttp(service.api().uri("/").getPort());
    }

    @AfterAll
    void stop() {
        service.close();
    }

    private RawHttp.Answer drip(String begin, char drop) throws IOException, InterruptedException {
        try (Socket socket = http.connect(STRANGER)) {
            socket.getOutputStream().write(begin.getBytes(StandardCharsets.US_ASCII));
            return RawHttp.Answer.parse(RawHttp.drip(socket, RawHttp.drops(drop)));
        }
    }

    @Test
    void aHeadThatComesByteByByteIsCut() throws Exception {
        drip("GET /api/v1/best HTTP/1.1\r\nHost: localhost\r\nX: ", 'x');
    }

    @Test
    void soIsTheSecondHeadOfAConnection() throws Exception {
        RawHttp.Answer first = drip(
                "GET /api/v1/best HTTP/1.1\r\nHost: localhost\r\n\r\nGET /api/v1/best HTTP/1.1\r\nHost: localhost\r\nX: ",
                'x');
        assertThat(first.status()).isEqualTo(200);
    }

    @Test
    void aBodyThatComesByteByByteIsCutAndSaidToBeSlow() throws Exception {
        RawHttp.Answer answer = drip(
                "POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length:"
                        + " 100000\r\n\r\n",
                ' ');
        assertThat(answer.status()).as(answer.head() + answer.body()).isEqualTo(408);
        assertThat(answer.body()).contains("the request must arrive within 2 s");
    }

    @Test
    void soIsOneThatNobodyReads() throws Exception {
        RawHttp.Answer answer = drip(
                "POST /nope HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 100000\r\n\r\n",
                ' ');
        assertThat(answer.status()).isEqualTo(415);
    }

    @Test
    void aConnectionThatAsksNothingIsClosed() throws Exception {
        try (Socket silent = http.connect(STRANGER);
                Socket idle = http.connect(STRANGER)) {
            idle.getOutputStream()
                    .write("GET /api/v1/best HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(RawHttp.Answer.parse(RawHttp.rest(idle.getInputStream())).status())
                    .isEqualTo(200);
            assertThat(RawHttp.rest(silent.getInputStream())).isEmpty();
        }
    }

    /** An answer may take as long as it takes: nothing of the request is missing. */
    @Test
    void aListenerIsNoLateRequest() throws Exception {
        String id = service.api().submit("cuda", "random", 8, "640x384x256");
        try (Socket listener = http.connect(FRIEND)) {
            listener.getOutputStream()
                    .write(("GET /api/v1/jobs/" + id + "/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            // Two that begin after it and are cut: it would have been, too.
            aHeadThatComesByteByByteIsCut();
            aBodyThatComesByteByByteIsCutAndSaidToBeSlow();
            service.api().post("/api/v1/jobs/" + id + "/cancel", "").expect(200);
            assertThat(new String(RawHttp.rest(listener.getInputStream()), StandardCharsets.UTF_8))
                    .contains("event:job.cancelled");
        }
    }

    @Test
    void manyOfOneAddressShutNobodyElseOut() throws Exception {
        List<Socket> held = new ArrayList<>();
        try {
            for (int i = 0; i < 5 * BY_ADDRESS; i++) {
                Socket half = http.connect(STRANGER);
                held.add(half);
                half.getOutputStream().write("GET /api".getBytes(StandardCharsets.US_ASCII));
            }
            for (int i = 0; i < 10; i++) {
                assertThat(http.best(FRIEND).status()).isEqualTo(200);
            }
            RawHttp.Answer refused =
                    RawHttp.Answer.parse(RawHttp.rest(held.getLast().getInputStream()));
            // The words may be lost with the reset of a connection that had sent something.
            assertThat(refused.status()).isIn(0, 503);
            Awaiting.until(() -> isServed(STRANGER));
        } finally {
            for (Socket socket : held) {
                socket.close();
            }
        }
    }

    /** When those that asked nothing to the end were cut, there is room again. */
    private boolean isServed(String from) {
        try {
            return http.best(from).status() == 200;
        } catch (IOException reset) {
            return false;
        }
    }
}
