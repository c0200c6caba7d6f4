package dev.tilewright.api.platform.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.platform.ServiceHome;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;

class ServiceFileWriterTest {

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, false, http://127.0.0.1:8080,   http://127.0.0.1:8080",
        "0.0.0.0,   false, http://0.0.0.0:8080,     http://NAME:8080",
        "10.1.2.3,  true,  https://10.1.2.3:8080,   https://10.1.2.3:8080",
        "::,        true,  https://[::]:8080,       https://NAME:8080",
        "::1,       false, 'http://[0:0:0:0:0:0:0:1]:8080', 'http://[0:0:0:0:0:0:0:1]:8080'",
    })
    void aServiceSaysWhereItListensAndWhatIsNext(String address, boolean tls, String asked, String here)
            throws UnknownHostException {
        ServerProperties server = new ServerProperties();
        server.setAddress(InetAddress.getByName(address));
        if (tls) {
            Ssl ssl = new Ssl();
            ssl.setCertificate("file:/somewhere/cert.pem");
            server.setSsl(ssl);
        }

        // Of a service that others reach, the name that it answers to.
        String pages = here.replace("NAME", InetAddress.getLocalHost().getHostName());
        assertThat(ServiceFileWriter.firstSteps(
                        new ListenAddress(server), 8080, new ServiceHome(Path.of("/data/home"))))
                .containsExactly(
                        "listening at " + asked + ", data under /data/home",
                        "pages at " + pages + "/, the API is described at " + pages + "/v3/api-docs",
                        "workers register with the token in /data/home/worker.token");
    }
}
